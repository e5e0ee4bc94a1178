// Reads back through the API what the service holds, in the shapes of what is expected.
import Big from 'big.js';
import type { Client } from '../support/client.ts';
import { createLane } from '../support/lane.ts';
import { idsByName, ordersAlready } from './already.ts';
import { noFigures, type ProductFigures } from './expected.ts';

export interface FoundLine {
  sku: string;
  ordered: number;
  received: number;
  rejected: number;
  unitPrice: Big;
  lineTotal: Big;
  ofOffer: boolean;
}

export interface FoundOrder {
  /** The file's number. */
  id: string;
  vendor: string;
  status: string;
  closed: boolean;
  subtotal: Big;
  tax: Big;
  grandTotal: Big;
  freight: Big;
  lines: FoundLine[];
}

interface PurchaseOrder {
  referenceNumber: string;
  status: string;
  closedAt: string | null;
  subtotal: number;
  totalTax: number;
  grandTotal: number;
  metadata: Record<string, string>;
  supplier: { name: string };
  lineItems: {
    requestedQuantity: number;
    receivedQuantity: number;
    unitPrice: number;
    subtotal: number;
    supplierProductId: string | null;
    productVariant: { sku: string };
    purchaseOrderLineItemReceipts: { quantity: number; damagedQuantity: number }[];
  }[];
}

/** Every purchase order of the warehouse, each read by itself: a list does not show receipts. */
export async function findOrders(
  client: Client,
  warehouseId: string,
  connections: number,
): Promise<Map<string, FoundOrder>> {
  const found = new Map<string, FoundOrder>();
  const lane = createLane(connections);
  for (const { id } of (await ordersAlready(client, warehouseId)).values()) {
    await lane.add(async () => {
      const order = (await client.get<{ data: PurchaseOrder }>(`/purchase-orders/${id}`)).data;
      found.set(order.referenceNumber, foundOrder(order));
    });
  }
  await lane.done();
  return found;
}

function foundOrder(order: PurchaseOrder): FoundOrder {
  return {
    id: order.referenceNumber,
    vendor: order.supplier.name,
    status: order.status,
    closed: order.closedAt !== null,
    subtotal: new Big(order.subtotal),
    tax: new Big(order.totalTax),
    grandTotal: new Big(order.grandTotal),
    freight: new Big(order.metadata['freight'] ?? '0'),
    lines: order.lineItems.map((line) => ({
      sku: line.productVariant.sku,
      ordered: line.requestedQuantity,
      received: sum(line.purchaseOrderLineItemReceipts.map(({ quantity }) => quantity)),
      rejected: sum(line.purchaseOrderLineItemReceipts.map(({ damagedQuantity }) => damagedQuantity)),
      unitPrice: new Big(line.unitPrice),
      lineTotal: new Big(line.subtotal),
      ofOffer: line.supplierProductId !== null,
    })),
  };
}

interface Level {
  productVariant: { sku: string };
  onHandQuantity: number;
  damagedQuantity: number;
  incomingQuantity: number;
  availableQuantity: number;
}

interface ListedProduct {
  variants: {
    sku: string;
    inventoryLocations: { warehouseId: string; warehouseLocationId: string; quantity: number }[];
    supplierProducts: { supplierId: string; price: number; leadTimeDays: number }[];
  }[];
}

export interface FoundCatalogue {
  /** By sku; ordered and received are summed from `orders`. */
  products: Map<string, ProductFigures>;
  /** Vendor's name, sku, price and days to deliver. */
  offers: Set<string>;
  vendors: Set<string>;
}

export function offerKey(vendor: string, sku: string, price: Big, leadTimeDays: number): string {
  return [vendor, sku, price.toFixed(), leadTimeDays].join('\t');
}

export async function findCatalogue(
  client: Client,
  warehouseId: string,
  orders: ReadonlyMap<string, FoundOrder>,
): Promise<FoundCatalogue> {
  const suppliers = await idsByName(client, '/suppliers', { includeArchived: 'true' });
  const names = new Map([...suppliers].map(([name, id]) => [id, name]));
  const locations = await idsByName(client, `/warehouses/${warehouseId}/locations`);
  const bins = new Map([...locations].map(([name, id]) => [id, name]));
  const products = new Map<string, ProductFigures>();
  const offers = new Set<string>();
  for await (const { variants } of client.list<ListedProduct>('/products')) {
    for (const { sku, inventoryLocations, supplierProducts } of variants) {
      const figures = noFigures();
      products.set(sku, figures);
      for (const place of inventoryLocations.filter((one) => one.warehouseId === warehouseId)) {
        figures.bins.set(bins.get(place.warehouseLocationId)!, place.quantity);
      }
      for (const { supplierId, price, leadTimeDays } of supplierProducts) {
        offers.add(offerKey(names.get(supplierId)!, sku, new Big(price), leadTimeDays));
      }
    }
  }
  for await (const level of client.list<Level>('/inventory/levels', { warehouseId })) {
    const figures = products.get(level.productVariant.sku)!;
    figures.onHand = level.onHandQuantity;
    figures.damaged = level.damagedQuantity;
    figures.incoming = level.incomingQuantity;
    figures.available = level.availableQuantity;
  }
  for (const { lines } of orders.values()) {
    for (const { sku, ordered, received } of lines) {
      const figures = products.get(sku)!;
      figures.ordered += ordered;
      figures.received += received;
    }
  }
  return { products, offers, vendors: new Set(suppliers.keys()) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
