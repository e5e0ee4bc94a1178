// Plays the file into the service: warehouse, products, customers, opening stock, then every invoice in the file's order.
import Big from 'big.js';
import type { Client } from '../support/client.ts';
import { createLane } from '../support/lane.ts';
import type { Progress } from '../support/progress.ts';
import { create, findNamed, type Named, type Single } from '../support/records.ts';
import { addTallies, count, type Tally, unlessThere } from '../support/tally.ts';
import { customersAlready, ordersAlready, skusAlready, stockChangesAlready } from './already.ts';
import { countryCode } from './countries.ts';
import { openingStock, stockChange } from './expected.ts';
import type { Invoice, InvoiceLine, Retail } from './read-invoices.ts';

export interface Place {
  warehouseId: string;
  locationId: string;
}

export interface Replayed extends Place {
  products: Tally;
  customers: Tally;
  stockChanges: Tally;
  orders: Tally;
}

interface Run {
  client: Client;
  retail: Retail;
  progress: Progress;
  connections: number;
}

export async function replay(run: Run): Promise<Replayed> {
  const { client, retail } = run;
  const place = await ensurePlace(client, retail);
  const aliases = await ordersAlready(client, retail);
  if (place.isNew && aliases.size > 0) {
    throw new Error(
      `the organization has ${aliases.size} orders with invoice numbers of this file, but not from a replay of this ` +
        'file: use an organization of its own for each file',
    );
  }
  const products = await createProducts(run);
  const customers = await createCustomers(run);
  const applied = await stockChangesAlready(client, place.warehouseId);
  const opened = await openStock(run, place, applied);
  const invoices = await replayInvoices(run, place, { aliases, applied, customerIds: customers.ids });
  return {
    warehouseId: place.warehouseId,
    locationId: place.locationId,
    products,
    customers: customers.tally,
    stockChanges: addTallies(opened, invoices.stockChanges),
    orders: invoices.orders,
  };
}

async function ensurePlace(client: Client, retail: Retail): Promise<Place & { isNew: boolean }> {
  // Named after the content: two files on one service keep their stock apart.
  const name = `RETAIL-${retail.digest.slice(0, 8)}`;
  const known = await findNamed(client, '/warehouses', name);
  const warehouse =
    known ?? (await create<Named>(client, '/warehouses', 'warehouse', { name, address: { country: 'GB' } }));
  const shelves = `/warehouses/${warehouse.id}/locations`;
  const shelf =
    (await findNamed(client, shelves, 'SHELF')) ??
    (await create<Named>(client, shelves, 'shelf', { name: 'SHELF', type: 'shelf' }));
  return { warehouseId: warehouse.id, locationId: shelf.id, isNew: known === null };
}

async function createProducts({ client, retail, progress, connections }: Run): Promise<Tally> {
  const known = await skusAlready(client);
  const tally: Tally = { done: 0, already: 0 };
  progress.start('products', retail.catalogue.length);
  const lane = createLane(connections);
  for (const { sku, name, price, goods } of retail.catalogue) {
    const variant = { sku, title: name, price: Number(price), currency: 'gbp' };
    const kind = goods ? {} : { tracksInventory: false, requiresShipping: false };
    await lane.add(async () => {
      const body = { name, variants: [{ ...variant, ...kind }] };
      const made =
        !known.has(sku) &&
        (await unlessThere('sku_taken', () => client.post('/products', `sku ${sku}`, body)));
      count(tally, made, progress);
    });
  }
  await lane.done();
  return tally;
}

async function createCustomers({ client, retail, progress, connections }: Run) {
  const ids = await customersAlready(client);
  const tally: Tally = { done: 0, already: 0 };
  progress.start('customers', retail.customers.length);
  const lane = createLane(connections);
  for (const { number, country } of retail.customers) {
    await lane.add(async () => {
      let made = false;
      if (!ids.has(number)) {
        const body = { name: `Customer ${number}`, metadata: { number, country } };
        const answer = await client.post<Single<Named>>('/customers', `customer ${number}`, body);
        ids.set(number, answer.body.data.id);
        made = !answer.replayed;
      }
      count(tally, made, progress);
    });
  }
  await lane.done();
  return { ids, tally };
}

// What one request takes.
const CHANGES_MAX = 10_000;

async function openStock(run: Run, place: Place, applied: Set<string>): Promise<Tally> {
  const changes = [...openingStock(run.retail.invoices)].map(([sku, quantity]) => ({ sku, quantity }));
  let tally: Tally = { done: 0, already: 0 };
  run.progress.start('opening stock', Math.ceil(changes.length / CHANGES_MAX));
  for (let start = 0; start < changes.length; start += CHANGES_MAX) {
    const reason = start === 0 ? 'opening stock' : `opening stock from ${start}`;
    tally = addTallies(
      tally,
      await changeStock(run, place, applied, reason, changes.slice(start, start + CHANGES_MAX)),
    );
  }
  return tally;
}

interface Change {
  sku: string;
  quantity: number;
}

/** All or nothing, in one request: a run cut short leaves no change half made. */
async function changeStock(run: Run, place: Place, applied: Set<string>, reason: string, changes: Change[]) {
  const tally: Tally = { done: 0, already: 0 };
  let made = false;
  if (!applied.has(reason)) {
    const body = {
      changes: changes.map(({ sku, quantity }) => ({
        productVariantIdentifier: sku,
        identifierType: 'sku',
        warehouseId: place.warehouseId,
        warehouseLocationId: place.locationId,
        changeQuantity: quantity,
        reason,
      })),
    };
    const answer = await run.client.post('/inventory/bulk', reason, body);
    made = !answer.replayed;
  }
  count(tally, made, run.progress);
  return tally;
}

interface Known {
  aliases: Set<string>;
  applied: Set<string>;
  customerIds: Map<string, string>;
}

async function replayInvoices(run: Run, place: Place, known: Known) {
  const { client, retail, progress, connections } = run;
  const orders: Tally = { done: 0, already: 0 };
  let stockChanges: Tally = { done: 0, already: 0 };
  // Orders go side by side. Stock changes go one after the other: a write-off may need the return before it.
  const orderLane = createLane(connections);
  const stockLane = createLane(1);
  const steps = retail.invoices.flatMap((invoice) => stepsOf(invoice));
  progress.start('invoices', steps.length);
  for (const step of steps) {
    if ('order' in step) {
      const body = orderBody(step.order, place, known.customerIds);
      const { number } = step.order;
      await orderLane.add(async () => {
        const made =
          !known.aliases.has(number) &&
          (await unlessThere('alias_taken', () => client.post('/orders', `invoice ${number}`, body)));
        count(orders, made, progress);
      });
    } else {
      await stockLane.add(async () => {
        stockChanges = addTallies(
          stockChanges,
          await changeStock(run, place, known.applied, step.reason, step.changes),
        );
      });
    }
  }
  await Promise.all([orderLane.done(), stockLane.done()]);
  return { orders, stockChanges };
}

type Step = { order: Invoice } | { reason: string; changes: Change[] };

function stepsOf(invoice: Invoice): Step[] {
  const steps: Step[] = [];
  if (invoice.sales.length > 0) steps.push({ order: invoice });
  const change = stockChange(invoice);
  const changes = [...change].filter(([, quantity]) => quantity !== 0);
  if (changes.length > 0) {
    const word = invoice.returns.length > 0 ? 'return' : 'write-off';
    steps.push({
      reason: `${word} ${invoice.number}`,
      changes: changes.map(([sku, quantity]) => ({ sku, quantity })),
    });
  }
  return steps;
}

function orderBody(invoice: Invoice, place: Place, customerIds: Map<string, string>): object {
  const country = countryCode(invoice.country);
  const name = invoice.customer === '' ? null : `Customer ${invoice.customer}`;
  const customerId = customerIds.get(invoice.customer);
  return {
    name: 'OR-',
    alias: invoice.number,
    uniqueAlias: true,
    price: Number(orderPrice(invoice.sales)),
    currency: 'gbp',
    financialStatus: 'paid',
    fulfillmentStatus: 'open',
    orderDate: invoice.date,
    warehouseId: place.warehouseId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(country === null ? {} : { shipToAddress: name === null ? { country } : { name, country } }),
    lineItems: invoice.sales.map(({ sku, quantity, price }) => {
      return { productVariantSku: sku, quantity, price: Number(price) };
    }),
  };
}

function orderPrice(lines: readonly InvoiceLine[]): string {
  return lines
    .reduce((sum, line) => sum.plus(new Big(line.price).times(line.quantity)), new Big(0))
    .toFixed();
}
