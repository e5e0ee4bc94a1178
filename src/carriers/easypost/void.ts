// Gives labels back to EasyPost.
import { CarrierError, type Label, type VoidOutcome } from '../carrier.ts';
import { notRefundable, thoughBought } from './errors.ts';
import { readPurchaseReference } from './references.ts';
import { readShipment, refundOutcome, type Shipment } from './responses.ts';
import { forEach, getShipment, type Session } from './session.ts';

/**
 * Of several parcels: `rejected` where one of them is, `voided` when all are.
 * @throws CarrierError; `bought: 'unknown'` where a refund may have been asked for
 */
export async function voidLabel(session: Session, label: Label): Promise<VoidOutcome> {
  const ids = readPurchaseReference(label.carrierReference);
  const outcomes = await forEach(ids, async (id) => refund(session, await getShipment(session, id))).catch(
    (error) => {
      throw ids.length === 1 ? error : thoughBought(error);
    },
  );
  const order: VoidOutcome[] = ['rejected', 'submitted'];
  return order.find((outcome) => outcomes.includes(outcome)) ?? 'voided';
}

/** Asks for a refund once: after that the shipment says how it stands. @throws CarrierError */
export async function refund(session: Session, shipment: Shipment): Promise<VoidOutcome> {
  const known = refundOutcome(shipment.refund_status);
  if (known !== undefined) return known;
  const path = `/shipments/${shipment.id}/refund`;
  try {
    const answer = readShipment(
      await session.call({ method: 'POST', path, body: {}, effect: 'once' }),
      'unknown',
    );
    const outcome = refundOutcome(answer.refund_status);
    if (outcome !== undefined) return outcome;
  } catch (error) {
    if (error instanceof CarrierError && error.carrierErrorCode === notRefundable) return 'rejected';
    throw error;
  }
  throw new CarrierError('carrier_unavailable', 'did not say what became of the refund', {
    bought: 'unknown',
  });
}
