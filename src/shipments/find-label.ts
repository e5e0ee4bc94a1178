// The file of a label: as the carrier made it, or drawn from what was kept, the same each time.
import type { FastifyInstance } from 'fastify';
import type { LabelFormat, ZplDpi } from '../carriers/carrier.ts';
import { type Executor, sql } from '../database/connect.ts';
import { type Document, documentRoute } from '../http/document-links.ts';
import type { LabelContent } from '../labels/content.ts';
import { renderCustomsPdf, renderPdf } from '../labels/pdf.ts';
import { renderZpl } from '../labels/zpl.ts';
import type { ShippingAccess } from './access.ts';

interface LabelRow {
  format: LabelFormat;
  dpi: ZplDpi;
  content: LabelContent | null;
  bytes: Buffer | null;
}

/** `GET /labels/<organization>/<package>.<format>`, for whoever has the signed address. */
export function labelRoute(app: FastifyInstance, { database, links }: ShippingAccess): void {
  documentRoute(app, links, 'labels', (...named) => findLabel(database, ...named));
}

/**
 * Undefined for a purchase that was voided, and for another format than the one that was bought: the PDF beside a ZPL label
 * is its customs declaration.
 */
async function findLabel(
  database: Executor,
  organizationId: string,
  packageId: string,
  extension: string,
): Promise<Document | undefined> {
  const [label] = await database.query<LabelRow>(sql`
    select s.label_format as format, s.zpl_dpi as dpi, p.label_content as content, p.label as bytes
    from shipment_packages p
    join shipments s on s.organization_id = ${organizationId} and s.id = p.shipment_id
    where p.organization_id = ${organizationId} and p.id = ${packageId}
      and s.purchase_status = 'purchased' and s.void_status is null`);
  if (label === undefined) return undefined;
  if (label.format !== extension) return customsDeclaration(label.content);
  const type = label.format === 'pdf' ? 'application/pdf' : 'text/plain; charset=utf-8';
  return { type, bytes: label.bytes ?? (await draw(label)) };
}

async function customsDeclaration(content: LabelContent | null): Promise<Document | undefined> {
  if (content?.customs == null) return undefined;
  return { type: 'application/pdf', bytes: await renderCustomsPdf({ ...content, customs: content.customs }) };
}

async function draw({ format, dpi, content }: LabelRow): Promise<Uint8Array> {
  return format === 'pdf' ? renderPdf(content!) : Buffer.from(await renderZpl(content!, dpi));
}
