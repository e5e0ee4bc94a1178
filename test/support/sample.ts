// What a sample of an operation is, and the stock and orders that several of them begin with.
import type { Request } from './app.ts';
import { addStock, makeOrder, makePlace, makeVariant } from './factories.ts';

export interface Sample {
  /** Path parameter -> the id of a record that exists. */
  ids?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** Makes what the operation needs with `request`, and says how to call it. */
export type SampleMaker = (request: Request) => Promise<Sample>;

export const nothing: SampleMaker = async () => ({});

export async function stocked(request: Request, quantity = 20) {
  const place = await makePlace(request);
  const variant = await makeVariant(request);
  await addStock(request, place, variant.id, quantity);
  return { place, variant };
}

export async function orderOf(request: Request, quantity = 2) {
  const { place, variant } = await stocked(request);
  const order = await makeOrder(request, {}, [[variant.id, quantity]]);
  return { place, variant, order, line: order.lineItems[0] };
}
