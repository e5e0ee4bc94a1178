// Buys the EasyPost shipments of a rate, each exactly once, and finds what was bought.
import Big from 'big.js';
import { type Bought, CarrierError, type Purchase } from '../carrier.ts';
import { alreadyBought, thoughBought } from './errors.ts';
import { fetchLabel } from './label-file.ts';
import { type RateReference, readRateReference, writeReference } from './references.ts';
import { buyBody, insuranceAmounts } from './requests.ts';
import { feesIn, readShipment, type Shipment, trackingPageIn } from './responses.ts';
import { forEach, getShipment, type Session } from './session.ts';
import { refund } from './void.ts';

/**
 * Where EasyPost refuses one of several parcels for good, the others are given back: part of a shipment is of no use.
 * Where it is only out of reach they are kept, and the same call again buys the rest.
 * @throws CarrierError
 */
export async function buy(session: Session, purchase: Purchase): Promise<Bought> {
  const reference = readRateReference(purchase.rate.carrierReference, purchase.parcels.length);
  if (reference === undefined) throw refused('the rate is none that EasyPost gave');
  const insured = insuranceAmounts(purchase.insurance, reference.length);
  const failures: unknown[] = [];
  const shipments = await forEach([...reference.entries()], async ([index, [shipmentId, rateId]]) => {
    if (failures.length > 0) return undefined;
    return buyOne(session, shipmentId, rateId, insured[index]!).catch((error) => {
      failures.push(error);
      return undefined;
    });
  });
  const sold = shipments.filter((shipment) => shipment !== undefined);
  if (failures.length === 0) return deliver(session, purchase, sold);
  throw reference.length === 1 ? failures[0] : await failureOfSome(session, reference, sold, failures);
}

/** What to say where some of several parcels could not be bought. */
async function failureOfSome(
  session: Session,
  reference: RateReference,
  sold: Shipment[],
  failures: readonly unknown[],
): Promise<unknown> {
  const forGood = failures.find(
    (error) => error instanceof CarrierError && error.failure === 'carrier_rejected',
  );
  const inDoubt = failures.some((error) => !(error instanceof CarrierError) || error.bought === 'unknown');
  if (forGood === undefined) return sold.length === 0 && !inDoubt ? failures[0] : thoughBought(failures[0]);
  const nothingLeft = !inDoubt && (await giveBack(session, reference));
  return nothingLeft ? forGood : thoughBought(forGood);
}

/** Undefined also where only some of several parcels were bought: buying goes on from there. @throws CarrierError */
export async function find(session: Session, purchase: Purchase): Promise<Bought | undefined> {
  const reference = readRateReference(purchase.rate.carrierReference, purchase.parcels.length);
  if (reference === undefined) return undefined;
  const shipments = await forEach(reference, ([shipmentId]) => getShipment(session, shipmentId));
  const ours = shipments.every(
    (shipment, index) => isOurs(shipment, reference[index]![1]) && !isGivenBack(shipment),
  );
  return ours ? deliver(session, purchase, shipments) : undefined;
}

/** EasyPost sells a shipment once; the second time it says so, and the shipment shows what was sold. */
async function buyOne(
  session: Session,
  shipmentId: string,
  rateId: string,
  insurance: string | null,
): Promise<Shipment> {
  const body = buyBody(rateId, insurance);
  let shipment: Shipment;
  try {
    const answer = await session.call({
      method: 'POST',
      path: `/shipments/${shipmentId}/buy`,
      body,
      effect: 'once',
    });
    shipment = readShipment(answer, 'unknown');
  } catch (error) {
    if (!(error instanceof CarrierError) || error.carrierErrorCode !== alreadyBought) throw error;
    shipment = await getShipment(session, shipmentId).catch((failure) => {
      throw thoughBought(failure);
    });
  }
  if (!isSold(shipment)) {
    throw new CarrierError('carrier_unavailable', 'sold no label, or does not show it yet', {
      bought: 'unknown',
    });
  }
  if (!isOurs(shipment, rateId)) throw refused('was bought at another rate');
  if (isGivenBack(shipment)) throw refused('was bought and given back');
  return shipment;
}

/** Whether nothing that was bought of this rate is left. */
async function giveBack(session: Session, reference: RateReference): Promise<boolean> {
  try {
    const left = await forEach(reference, async ([shipmentId, rateId]) => {
      const shipment = await getShipment(session, shipmentId);
      return isOurs(shipment, rateId) && (await refund(session, shipment)) === 'rejected';
    });
    return !left.includes(true);
  } catch {
    return false;
  }
}

/** What was bought, with its labels. Whatever fails from here on, there is a label. */
async function deliver(session: Session, purchase: Purchase, shipments: Shipment[]): Promise<Bought> {
  try {
    const parcels = await forEach(shipments, async (shipment) => ({
      trackingCode: shipment.tracking_code!,
      label: await fetchLabel(session, shipment, purchase.labelFormat),
    }));
    return {
      drawing: null,
      trackingCode: parcels[0]!.trackingCode,
      parcels,
      carrierReference: writeReference(shipments.map(({ id }) => id)),
      trackingUrl: trackingPageIn(shipments[0]!.tracker),
      rateTotal: chargedOtherwise(purchase, shipments),
    };
  } catch (error) {
    throw thoughBought(error);
  }
}

/** The rates at which they were sold, and EasyPost's own fees, which are in dollars; null where that is what the rate said. */
function chargedOtherwise({ rate }: Purchase, shipments: readonly Shipment[]): string | null {
  const inDollars = rate.currency === 'usd';
  const amounts = shipments.flatMap((shipment) => [
    shipment.selected_rate!.rate,
    ...feesIn(shipment)
      .filter(({ type, charged, refunded }) => type !== 'PostageFee' && charged === true && refunded !== true)
      .flatMap(({ amount }) => (inDollars ? amount : [])),
  ]);
  const charged = amounts.reduce((total: Big, amount) => total.plus(amount), new Big(0));
  return charged.eq(rate.rateTotal) ? null : charged.toFixed();
}

function isSold({ postage_label, tracking_code, selected_rate }: Shipment): boolean {
  return postage_label != null && !!tracking_code && selected_rate != null;
}

function isOurs(shipment: Shipment, rateId: string): boolean {
  return isSold(shipment) && shipment.selected_rate?.id === rateId;
}

function isGivenBack({ refund_status: status }: Shipment): boolean {
  return status === 'submitted' || status === 'refunded';
}

function refused(message: string): CarrierError {
  return new CarrierError('carrier_rejected', message, { bought: 'no' });
}
