// The auditor: knows what must be true of stock, orders and purchasing, and nothing of the code that keeps it so.
import { auditOrders } from './audit-orders.ts';
import { auditPapers } from './audit-papers.ts';
import { auditPurchasing } from './audit-purchasing.ts';
import { auditStock } from './audit-stock.ts';
import { auditPromises, auditWaiting } from './audit-waiting.ts';
import type { Facts } from './facts.ts';

/** What the auditor must be told beside the facts. */
export interface Circumstances {
  /** Variants that ever had another policy than `deny`: what was promised then is not taken back at once. */
  oversold: ReadonlySet<string>;
  /** Purchase orders of which more was let in than was ordered. */
  overReceived: ReadonlySet<string>;
  /** Background work has been done, so nobody may be left waiting. */
  settled: boolean;
}

/** One sentence for everything that is not as it must be. */
export function audit(facts: Facts, { oversold, overReceived, settled }: Circumstances): string[] {
  return [
    ...auditStock(facts),
    ...auditOrders(facts),
    ...auditPapers(facts),
    ...auditPurchasing(facts, overReceived),
    ...auditPromises(facts, oversold),
    ...(settled ? auditWaiting(facts) : []),
  ];
}
