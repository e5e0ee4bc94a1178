// Reads what the API shows of purchasing, of what a run has made.
import { readList } from './check-shown.ts';
import type { Facts, Variant } from './facts.ts';
import { versionOf } from './facts-from-api.ts';
import type { Arrival, PurchaseLine } from './facts-purchasing.ts';
import type { Party } from './service.ts';
import type { World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely
type Json = any;

export async function readPurchasing(
  world: World,
  party: Party,
  variants: readonly Variant[],
  facts: Facts,
): Promise<void> {
  const { organizationId } = party;
  const oldestFirst = 'includeArchived=true&sortBy=createdAt&sortOrder=asc';
  const suppliers = await readList(party, `/suppliers?${oldestFirst}&search=${world.prefix}%20`);
  facts.suppliers.push(
    ...suppliers.map(({ id, archivedAt }) => ({ organizationId, id, archived: archivedAt !== null })),
  );
  const holding = new Set(
    variants.filter((variant) => variant.tracksInventory && !variant.isBundle).map(({ id }) => id),
  );
  for (const { id, name } of await readList(
    party,
    `/purchase-orders?${oldestFirst}&search=${world.prefix}P`,
  )) {
    if (!name.startsWith(`${world.prefix}P-`)) continue;
    const { body, headers } = await party.send('GET', `/purchase-orders/${id}`);
    const { data } = body;
    const { status, supplierId, warehouseId, subtotal, totalTax, grandTotal } = data;
    facts.purchaseOrders.push({
      ...{ organizationId, id, name, status, supplierId, warehouseId, subtotal, totalTax, grandTotal },
      version: versionOf(headers),
      cancelled: data.cancelledAt !== null,
      closed: data.closedAt !== null,
      archived: data.archivedAt !== null,
      createdAt: new Date(data.createdAt),
      lines: data.lineItems.map((line: Json, position: number) => lineOf(line, position, holding)),
    });
    facts.arrivals.push(...arrivalsOf(data));
  }
}

function lineOf(line: Json, position: number, holding: ReadonlySet<string>): PurchaseLine {
  const { id, productVariantId, unitPrice, taxRate, subtotal } = line;
  const { requestedQuantity: requested, receivedQuantity: received } = line;
  const holdsStock = holding.has(productVariantId);
  return { id, position, productVariantId, holdsStock, requested, received, unitPrice, taxRate, subtotal };
}

function arrivalsOf({ id: purchaseOrderId, organizationId, purchaseOrderReceipts }: Json): Arrival[] {
  return purchaseOrderReceipts.flatMap(({ id: receiptId, reference, lineItems }: Json) =>
    lineItems.map((row: Json) => ({
      ...{ organizationId, id: row.id, purchaseOrderId, receiptId, reference, lineId: row.lineItemId },
      quantity: row.quantity,
      damaged: row.damagedQuantity,
      qualityControl: row.qualityControlQuantity,
      locationId: row.warehouseLocationId,
      damagedLocationId: row.damagedLocationId,
      qualityControlLocationId: row.qualityControlLocationId,
      lotNumber: row.lotNumber,
      expirationDate: row.expirationDate === null ? null : new Date(row.expirationDate),
    })),
  );
}
