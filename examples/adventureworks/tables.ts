// Reads the tables of AdventureWorks as they are published: tab separated, no header, one row a line.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** Columns in the order of the files; `instawdb.sql` beside them in the repository says so, computed columns included. */
const columns = {
  Vendor: ['id', 'accountNumber', 'name', 'creditRating', 'preferred', 'active', 'url', 'modified'],
  Product: [
    ...['id', 'name', 'sku', 'make', 'finished', 'color', 'safetyStock', 'reorderPoint', 'cost', 'price'],
    ...['size', 'sizeUnit', 'weightUnit', 'weight', 'daysToMake', 'line', 'class', 'style', 'subcategory'],
    ...['model', 'sellStart', 'sellEnd', 'discontinued', 'rowguid', 'modified'],
  ],
  ProductInventory: ['productId', 'locationId', 'shelf', 'bin', 'quantity', 'rowguid', 'modified'],
  ProductVendor: [
    ...['productId', 'vendorId', 'leadTime', 'price', 'lastCost', 'lastReceipt', 'least', 'most', 'onOrder'],
    ...['unit', 'modified'],
  ],
  PurchaseOrderDetail: [
    ...['orderId', 'id', 'due', 'ordered', 'productId', 'unitPrice', 'lineTotal', 'received', 'rejected'],
    ...['stocked', 'modified'],
  ],
  PurchaseOrderHeader: [
    ...['id', 'revision', 'status', 'employeeId', 'vendorId', 'shipMethodId', 'orderDate', 'shipDate'],
    ...['subtotal', 'tax', 'freight', 'total', 'modified'],
  ],
  ShipMethod: ['id', 'name', 'base', 'rate', 'rowguid', 'modified'],
} as const;

export type TableName = keyof typeof columns;
export const tableNames = Object.keys(columns) as TableName[];

export type Row<Name extends TableName> = Record<(typeof columns)[Name][number], string>;
export type Tables = { [Name in TableName]: Row<Name>[] };

export interface ReadTables {
  tables: Tables;
  /** Of the content of all files. */
  digest: string;
}

export async function readTables(folder: string): Promise<ReadTables> {
  const hash = createHash('sha256');
  const tables: Partial<Record<TableName, Record<string, string>[]>> = {};
  for (const name of tableNames) {
    const text = await readFile(join(folder, `${name}.csv`), 'utf8');
    hash.update(`${name}\n${text}`);
    tables[name] = parseTable(name, text);
  }
  return { tables: tables as Tables, digest: hash.digest('hex') };
}

/** The lines of a table, and their cells. Values are trimmed: codes are padded with blanks. */
export function splitTable(text: string): string[][] {
  return parse(text, { delimiter: '\t', quote: null, bom: true, relax_column_count: true, trim: true });
}

function parseTable(name: TableName, text: string): Record<string, string>[] {
  return splitTable(text).map((cells, index) => {
    const names = columns[name];
    if (cells.length !== names.length) {
      throw new Error(
        `${name}.csv, line ${index + 1}: ${cells.length} values where ${names.length} are expected`,
      );
    }
    return Object.fromEntries(names.map((column, place) => [column, cells[place] ?? '']));
  });
}
