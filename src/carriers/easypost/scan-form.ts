// EasyPost's ScanForm: one document that the carrier scans for a whole day's parcels.
import { setTimeout as sleep } from 'node:timers/promises';
import * as limits from '../../limits.ts';
import { CarrierError, type Label } from '../carrier.ts';
import { readPurchaseReference } from './references.ts';
import { scanFormBody } from './requests.ts';
import { readScanForm, type ScanForm } from './responses.ts';
import { getShipment, type Session } from './session.ts';

/** A shipment is in one form at most, so the same labels again are the same form. @throws CarrierError */
export async function closeDay(session: Session, labels: readonly Label[]) {
  const form = await ready(session, await create(session, labels));
  if (form.form_url == null) throw unavailable('made a scan form without a document');
  const document = await session.download(form.form_url);
  if (document.subarray(0, 5).toString('latin1') !== '%PDF-')
    throw unavailable('gave a scan form that is no PDF');
  return { carrierReference: form.id, document };
}

async function create(session: Session, labels: readonly Label[]): Promise<ScanForm> {
  const shipmentIds = labels.flatMap(({ carrierReference }) => readPurchaseReference(carrierReference));
  const body = scanFormBody(shipmentIds);
  try {
    return readScanForm(await session.call({ method: 'POST', path: '/scan_forms', body, effect: 'once' }));
  } catch (error) {
    // An earlier call of ours may have made it, and its answer may have been lost.
    const refused = error instanceof CarrierError && error.failure === 'carrier_rejected';
    const made = refused ? await existing(session, shipmentIds[0]!, labels) : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

async function existing(
  session: Session,
  shipmentId: string,
  labels: readonly Label[],
): Promise<ScanForm | undefined> {
  const { scan_form } = await getShipment(session, shipmentId);
  if (scan_form == null) return undefined;
  const form = await getForm(session, scan_form.id);
  const inForm = new Set(form.tracking_codes ?? []);
  const same = labels.every(({ trackingCodes }) => trackingCodes.every((code) => inForm.has(code)));
  return same ? form : undefined;
}

async function ready(session: Session, form: ScanForm): Promise<ScanForm> {
  const last = performance.now() + limits.easypostFormMs;
  let current = form;
  while (current.status === 'creating') {
    if (performance.now() > last)
      throw new CarrierError('carrier_timeout', 'is still making the scan form', { bought: 'no' });
    await sleep(limits.easypostFormPollMs, undefined, { signal: session.signal }).catch(() => {});
    current = await getForm(session, form.id);
  }
  if (current.status === 'created') return current;
  throw new CarrierError('carrier_rejected', 'could not make the scan form', {
    bought: 'no',
    carrierMessage: current.message?.slice(0, limits.textLengthMax) || null,
  });
}

async function getForm(session: Session, id: string): Promise<ScanForm> {
  return readScanForm(
    await session.call({ method: 'GET', path: `/scan_forms/${encodeURIComponent(id)}`, effect: 'again' }),
  );
}

function unavailable(message: string): CarrierError {
  return new CarrierError('carrier_unavailable', message, { bought: 'no' });
}
