// Has the service recompute its stock from its ledger and histories.
import type { Client } from './client.ts';
import type { OwnService } from './own-service.ts';

export interface Ledger {
  asked: string;
  clean: boolean;
  differences: unknown;
}

/** By the command line where the service is our own, else by the API. */
export async function verifyLedger(client: Client, own: OwnService | null): Promise<Ledger> {
  if (own !== null) {
    const { clean, output } = await own.verify();
    return { asked: 'waybill verify', clean, differences: clean ? [] : output };
  }
  const { data } = await client.get<{ data: { consistent: boolean; differences: unknown[] } }>(
    '/inventory/verify',
  );
  return { asked: 'GET /inventory/verify', clean: data.consistent, differences: data.differences };
}

export function ledgerText({ asked, clean, differences }: Ledger): string {
  return `Ledger: ${asked}: ${clean ? 'no difference' : JSON.stringify(differences)}`;
}
