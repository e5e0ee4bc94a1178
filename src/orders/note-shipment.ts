// A parcel of an order has its tracking codes: the order is found by them, and tells of the change.
import { sql } from '../database/connect.ts';
import { appendEvent } from '../events/append.ts';
import type { Write } from '../http/api.ts';
import { findOrder } from './queries.ts';

export interface ShippedParcel {
  fulfillmentId: string | null;
  codes: readonly string[];
  carrierCode: string;
}

export interface ShippedOrder {
  /** Call it when the shipment is stored: the order's event shows it. */
  note(parcel: ShippedParcel): Promise<void>;
}

/** Locks the order until the transaction ends. */
export async function holdShippedOrder(write: Write, orderId: string): Promise<ShippedOrder> {
  const { organizationId } = write.scope;
  await write.transaction.query(sql`
    select 1 from orders where organization_id = ${organizationId} and id = ${orderId} for no key update`);
  const previous = await findOrder(write.transaction, organizationId, orderId);
  return {
    async note({ fulfillmentId, codes, carrierCode }) {
      const searched = codes.map((code) => `\n${code.toLowerCase()}`).join('');
      write.transaction.send(sql`
        update orders set search_text = search_text || ${searched}::text, version = version + 1,
          updated_at = ${write.now}
        where organization_id = ${organizationId} and id = ${orderId}`);
      if (fulfillmentId !== null) {
        write.transaction.send(sql`
          update fulfillments set tracking_code = ${codes[0]!}, carrier_code = ${carrierCode},
            updated_at = ${write.now}
          where organization_id = ${organizationId} and id = ${fulfillmentId}`);
      }
      const found = (await findOrder(write.transaction, organizationId, orderId))!;
      const change = { object: found.json, previous: previous!.json };
      appendEvent(write, { type: 'order.updated', objectId: orderId, ...change });
    },
  };
}
