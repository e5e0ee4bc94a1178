// Imports run one way, features reach only the neighbours listed here, and no file needs itself.
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Source, service } from './sources.ts';

/** Each layer may import those before it. */
const layers = [
  ['root'],
  ['database'],
  ['auth'],
  ['http'],
  ['shared', 'events', 'carriers'],
  ['labels'],
  ['feature'],
  ['composition'],
];

/** What several features have alike: addresses, notes, numbered names. */
const shared = /^src\/(address|notes|document-name)\.ts$/;

/** What puts the parts together; nothing below may import these. */
const composition = /^src\/(app|demo|server|shipping|workers|start-database)\.ts$|^src\/(background|cli)\//;

/**
 * Feature -> what it may import of other features: a whole folder, or a file where only that one is meant.
 * A new line here is a decision: it says that one noun of the API cannot be understood without another.
 */
const neighbours: Record<string, string[]> = {
  allocation: ['orders/present.ts'],
  'carrier-accounts': [],
  customers: [],
  inventory: ['allocation', 'products'],
  manifests: ['carrier-accounts/load-carrier-accounts.ts', 'carrier-accounts/present.ts', 'shipments'],
  orders: [
    'products',
    'inventory',
    'allocation',
    'return-orders',
    'shipments/present.ts',
    'shipments/schema-summary.ts',
  ],
  organizations: [
    'warehouses/sharing.ts',
    'carrier-accounts/sharing.ts',
    'carrier-accounts/simulated-accounts.ts',
  ],
  products: ['allocation'],
  'purchase-orders': ['inventory/stock.ts', 'products/variant-lookup.ts'],
  'return-orders': [
    'orders',
    'products',
    'inventory',
    'allocation',
    'shipments/present.ts',
    'shipments/schema-summary.ts',
  ],
  shipments: ['orders', 'shipping-quotes', 'carrier-accounts'],
  'shipping-quotes': ['carrier-accounts'],
  suppliers: ['products/variant-lookup.ts'],
  warehouses: ['inventory/reclassify-location.ts'],
  webhooks: [],
};

const platform = new Set(layers.flat());

function layerOf(path: string): string {
  if (shared.test(path)) return 'shared';
  if (composition.test(path)) return 'composition';
  const [, folder, below] = path.split('/');
  if (below === undefined) return 'root';
  return platform.has(folder!) ? folder! : 'feature';
}

const rank = (path: string) => layers.findIndex((names) => names.includes(layerOf(path)));
const featureOf = (path: string) => (layerOf(path) === 'feature' ? path.split('/')[1]! : undefined);

function wrongImports(allowed: (from: Source, to: string) => boolean): string[] {
  return service.flatMap((from) =>
    from.imports
      .filter((to) => to.startsWith('src/') && !allowed(from, to))
      .map((to) => `${from.path} imports ${to}`),
  );
}

test('imports run one way: root <- database <- auth <- http <- events, carriers <- labels <- features <- what puts them together', () => {
  const wrong = wrongImports(({ path }, to) => {
    if (rank(to) < rank(path)) return true;
    if (layerOf(path) === 'feature') return layerOf(to) === 'feature';
    return layerOf(to) === layerOf(path);
  });
  assert.deepEqual(wrong, []);
});

test('nothing of the service imports from outside src', () => {
  const wrong = service.flatMap(({ path, imports }) =>
    imports.filter((to) => !to.startsWith('src/')).map((to) => `${path} imports ${to}`),
  );
  assert.deepEqual(wrong, []);
});

test('a feature imports only the neighbours that the table of this test lists', () => {
  const wrong = wrongImports(({ path }, to) => {
    const [from, target] = [featureOf(path), featureOf(to)];
    if (from === undefined || target === undefined || from === target) return true;
    return (neighbours[from] ?? []).some((name) => name === target || `src/${name}` === to);
  });
  assert.deepEqual(wrong, []);
});

test('a feature never imports the routes of another', () => {
  const wrong = wrongImports(({ path }, to) => !to.endsWith('/routes.ts') || layerOf(path) === 'composition');
  assert.deepEqual(wrong, []);
});

test('every neighbour in the table is needed', () => {
  const features = new Set(service.map(({ path }) => featureOf(path)));
  const used = new Set(
    service.flatMap(({ path, imports }) => imports.map((to) => `${featureOf(path)} -> ${to.slice(4)}`)),
  );
  const idle = Object.entries(neighbours).flatMap(([from, names]) =>
    names
      .filter(() => features.has(from))
      .filter((name) => ![...used].some((use) => `${use}/`.startsWith(`${from} -> ${name}/`)))
      .map((name) => `${from} -> ${name}`),
  );
  assert.deepEqual(idle, []);
});

test('no file imports itself by way of others, types aside', () => {
  assert.deepEqual(cycles(new Map(service.map(({ path, valueImports }) => [path, valueImports]))), []);
});

test('no file imports itself by way of another folder, types included', () => {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
  const leaving = cycles(new Map(service.map(({ path, imports }) => [path, imports]))).filter(
    (cycle) => new Set(cycle.map(folderOf)).size > 1,
  );
  assert.deepEqual(leaving, []);
});

/** The cycles that a depth-first walk meets. */
function cycles(importsOf: Map<string, string[]>): string[][] {
  const done = new Set<string>();
  const found: string[][] = [];
  const walk = (path: string, way: string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) found.push([...way.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const to of importsOf.get(path) ?? []) walk(to, [...way, path]);
    done.add(path);
  };
  for (const path of importsOf.keys()) walk(path, []);
  return found;
}
