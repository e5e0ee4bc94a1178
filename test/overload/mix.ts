// What is asked for: mostly reads, orders and changes of stock, a few quotes; the n-th request is always the same.
import { requestText, writeText } from './connection.ts';

export interface World {
  warehouseId: string;
  binId: string;
  skus: string[];
  orderIds: string[];
}

type Kind = 'list' | 'get' | 'order' | 'stock' | 'quote';

/** Of a hundred requests: as many as are written here, one after the other. */
const hundred = [
  ...Array<Kind>(30).fill('list'),
  ...Array<Kind>(30).fill('get'),
  ...Array<Kind>(20).fill('order'),
  ...Array<Kind>(15).fill('stock'),
  ...Array<Kind>(5).fill('quote'),
];

export function kindOf(n: number): Kind {
  return hundred[(n * 61) % 100]!;
}

export const isWrite = (kind: Kind) => kind !== 'list' && kind !== 'get';

const address = {
  name: 'Ada Byron',
  street1: '1600 Amphitheatre Pkwy',
  city: 'Mountain View',
  state: 'CA',
  postalCode: '94043',
  country: 'US',
};

/** The word by which the effect of a write is found again. */
export const wordOf = (n: number) => `load-${n}`;

export function textOf(n: number, base: URL, key: string, world: World): string {
  const sku = (more: number) => world.skus[(n * 7 + more * 13) % world.skus.length];
  const write = (path: string, body: object) => writeText(base, key, path, body, wordOf(n));
  switch (kindOf(n)) {
    case 'list':
      return requestText(base, key, 'GET', '/orders?limit=20');
    case 'get':
      return requestText(base, key, 'GET', `/orders/${world.orderIds[n % world.orderIds.length]}`);
    case 'order':
      return write('/orders', {
        ...{
          name: 'LD-',
          alias: wordOf(n),
          price: 30,
          orderDate: '2026-11-21T00:00:00Z',
          shipToAddress: address,
        },
        lineItems: [0, 1, 2].map((more) => ({ productVariantSku: sku(more), quantity: 1, price: 10 })),
      });
    case 'stock':
      return write('/inventory', {
        ...{ productVariantIdentifier: sku(0), warehouseId: world.warehouseId },
        ...{ warehouseLocationId: world.binId, changeQuantity: 1, reason: wordOf(n) },
      });
    case 'quote':
      return write('/shipping-quotes', {
        ...{ shipFromAddress: { ...address, name: 'Warehouse' }, shipToAddress: address },
        packages: [{ weight: 12 }],
      });
  }
}
