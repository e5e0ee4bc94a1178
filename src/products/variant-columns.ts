// Body -> row of a variant: the columns that a caller sets, with what each is where nothing is said.
import { money } from '../money.ts';
import type { CreateVariantBody, UpdateVariantBody } from './schema.ts';

export interface VariantColumns {
  title: string;
  sku: string;
  sku_aliases: string[];
  barcode: string | null;
  asin: string | null;
  ean: string | null;
  isbn: string | null;
  upc: string | null;
  price: string;
  compare_at_price: string | null;
  wholesale_price: string | null;
  cost_price: string | null;
  currency: string;
  position: number;
  taxable: boolean;
  discountable: boolean;
  requires_shipping: boolean;
  tracks_inventory: boolean;
  inventory_policy: 'deny' | 'continue';
  inventory_allocation_strategy: 'FIFO' | 'FEFO' | 'LIFO';
  selected_options: { name: string; value: string }[];
  image: string | null;
  weight: string | null;
  weight_unit: 'oz' | 'lb' | 'g' | 'kg';
  length: string | null;
  width: string | null;
  height: string | null;
  dimensions_unit: 'in' | 'cm';
  tariff_code: string | null;
  country_of_origin: string | null;
  metadata: Record<string, string>;
}

const defaults: Omit<VariantColumns, 'title' | 'sku' | 'position'> = {
  sku_aliases: [],
  barcode: null,
  asin: null,
  ean: null,
  isbn: null,
  upc: null,
  price: '0',
  compare_at_price: null,
  wholesale_price: null,
  cost_price: null,
  currency: 'usd',
  taxable: true,
  discountable: true,
  requires_shipping: true,
  tracks_inventory: true,
  inventory_policy: 'deny',
  inventory_allocation_strategy: 'FIFO',
  selected_options: [],
  image: null,
  weight: null,
  weight_unit: 'oz',
  length: null,
  width: null,
  height: null,
  dimensions_unit: 'in',
  tariff_code: null,
  country_of_origin: null,
  metadata: {},
};

export function newVariantColumns(body: CreateVariantBody, position: number): VariantColumns {
  const { title, sku } = body;
  return changedVariantColumns({ ...defaults, title, sku, position }, body);
}

/** The row with what the body names changed, and nothing else. */
export function changedVariantColumns(row: VariantColumns, body: UpdateVariantBody): VariantColumns {
  const named = {
    title: body.title,
    sku: body.sku,
    sku_aliases: aliases(body.skuAliases ?? row.sku_aliases, body.skuAlias),
    barcode: body.barcode,
    asin: body.asin,
    ean: body.ean,
    isbn: body.isbn,
    upc: body.upc,
    price: decimal(body.price) ?? undefined,
    compare_at_price: decimal(body.compareAtPrice),
    wholesale_price: decimal(body.wholesalePrice),
    cost_price: decimal(body.costPrice),
    currency: body.currency,
    position: body.position,
    taxable: body.taxable,
    discountable: body.discountable,
    requires_shipping: body.requiresShipping,
    tracks_inventory: body.tracksInventory,
    inventory_policy: body.inventoryPolicy,
    inventory_allocation_strategy: body.inventoryAllocationStrategy,
    selected_options: body.selectedOptions,
    image: body.image,
    weight: decimal(body.weight),
    weight_unit: body.weightUnit,
    length: side(body.dimensions, 'length'),
    width: side(body.dimensions, 'width'),
    height: side(body.dimensions, 'height'),
    dimensions_unit: body.dimensionsUnit,
    tariff_code: body.tariffCode,
    country_of_origin: body.countryOfOrigin?.toUpperCase() ?? body.countryOfOrigin,
    metadata: body.metadata,
  } satisfies { [K in keyof VariantColumns]: VariantColumns[K] | undefined };
  const changed = Object.entries(named).filter(([, value]) => value !== undefined);
  return { ...row, ...(Object.fromEntries(changed) as Partial<VariantColumns>) };
}

function aliases(known: string[], added: string | null | undefined): string[] {
  return added === null || added === undefined || known.includes(added) ? known : [...known, added];
}

/** Money, weights and dimensions all keep four decimals. */
function decimal(value: number | null | undefined): string | null | undefined {
  return typeof value === 'number' ? money(value) : value;
}

type Sides = NonNullable<UpdateVariantBody['dimensions']>;

/** Null for all three unsets them; a side that is left out stays as it is. */
function side(dimensions: Sides | null | undefined, name: keyof Sides): string | null | undefined {
  return dimensions === null ? null : decimal(dimensions?.[name]);
}
