// A label's file: converted by EasyPost into the format that is wanted, fetched, and looked at before it is believed.
import { CarrierError, type CarrierLabel, type LabelFormat, type ZplDpi } from '../carrier.ts';
import { type PostageLabel, readShipment, type Shipment } from './responses.ts';
import type { Session } from './session.ts';

/** @throws CarrierError */
export async function fetchLabel(
  session: Session,
  shipment: Shipment,
  format: LabelFormat,
): Promise<CarrierLabel> {
  const label = await converted(session, shipment, format);
  const url = urlOf(label, format);
  if (url === null) throw unusable(`has no ${format} of the label`);
  const bytes = await session.download(url);
  if (!isOf(format, bytes)) throw unusable(`gave a label that is no ${format}`);
  return { format, dpi: format === 'zpl' ? dpiOf(label) : null, bytes };
}

/** The first call converts; EasyPost keeps what it converted. */
async function converted(session: Session, shipment: Shipment, format: LabelFormat): Promise<PostageLabel> {
  const { postage_label: label } = shipment;
  if (label != null && urlOf(label, format) !== null) return label;
  const path = `/shipments/${shipment.id}/label?file_format=${format.toUpperCase()}`;
  const answer = readShipment(await session.call({ method: 'GET', path, effect: 'again' }));
  return answer.postage_label ?? {};
}

function urlOf(label: PostageLabel, format: LabelFormat): string | null {
  const own = format === 'pdf' ? label.label_pdf_url : label.label_zpl_url;
  if (own != null) return own;
  // A carrier may make it in this format from the start.
  return (
    (label.label_url != null && label.label_file_type?.toLowerCase().endsWith(format) && label.label_url) ||
    null
  );
}

function isOf(format: LabelFormat, bytes: Buffer): boolean {
  if (format === 'pdf') return bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  return bytes.includes('^XA') && bytes.includes('^XZ');
}

/** EasyPost says 200 of labels of 203 dpi. */
function dpiOf({ label_resolution: resolution }: PostageLabel): ZplDpi | null {
  if (resolution === 300) return 300;
  return resolution === 200 || resolution === 203 ? 203 : null;
}

function unusable(message: string): CarrierError {
  return new CarrierError('carrier_unavailable', message, { bought: 'unknown' });
}
