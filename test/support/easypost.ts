// EasyPost on a loopback port: answers from recordings of the real one, remembers what it sold, fails as it is told.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: EasyPost's JSON is looked at freely in tests
export type Json = any;

export interface Recording {
  request: { method: string; path: string; body: Json };
  response: { status: number; body: Json };
}

export interface Asked {
  method: string;
  /** Below the base address. */
  path: string;
  body: Json;
  headers: IncomingMessage['headers'];
}

export interface Answer {
  status: number;
  body: Json;
}

/** `act` does what was asked and gives the answer. */
export type Behave = (asked: Asked, act: () => Answer, response: ServerResponse) => unknown;

export interface EasyPost {
  /** What WAYBILL_EASYPOST_URL would be. */
  url: string;
  asked: Asked[];
  shipments: Map<string, Json>;
  behave: Behave;
  /** As `POST`, then the path: how often each was asked for. */
  counts(): Record<string, number>;
  close(): void;
}

export const easypostKey = 'EZTKtest0123456789';

export async function recording(name: string): Promise<Recording[]> {
  const file = new URL(`../../src/carriers/easypost/recordings/${name}.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8'));
}

export const obey: Behave = (_, act, response) => send(response, act());

export function send(response: ServerResponse, { status, body }: Answer): void {
  const binary = Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': binary ? 'application/octet-stream' : 'application/json' });
  response.end(binary ? body : JSON.stringify(body));
}

export async function startEasyPost(): Promise<EasyPost> {
  const [created, sold] = await recording('buys-a-shipment');
  const [refunded] = await recording('refunds-a-shipment');
  const server = createServer(async (request, response) => {
    const asked = await read(request);
    easypost.asked.push(asked);
    easypost.behave(asked, () => act(easypost, { created, sold, refunded } as Sources, asked), response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const easypost: EasyPost = {
    url: `${origin}/v2`,
    asked: [],
    shipments: new Map(),
    behave: obey,
    counts() {
      const counts: Record<string, number> = {};
      for (const { method, path } of easypost.asked) {
        const key = `${method} ${path.replaceAll(/(shp|sf)_[0-9a-f]+/g, '$1')}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
      return counts;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return easypost;
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body = text === '' ? null : JSON.parse(text);
  return { method: request.method!, path: request.url!.replace(/^\/v2/, ''), body, headers: request.headers };
}

type Sources = Record<'created' | 'sold' | 'refunded', Recording>;

export const refusedBecause = (code: string, message = 'No.'): Answer => ({
  status: 422,
  body: { error: { code, message, errors: [] } },
});
const notFound: Answer = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'The requested resource could not be found.', errors: [] } },
};

function act(easypost: EasyPost, sources: Sources, { method, path, body, headers }: Asked): Answer {
  const file = /^\/files\/.*\.(\w+)$/.exec(path)?.[1];
  if (file !== undefined) return { status: 200, body: files[file as keyof typeof files] };
  const key = `Basic ${Buffer.from(`${easypostKey}:`).toString('base64')}`;
  if (headers.authorization !== key) {
    return { status: 401, body: { error: { code: 'APIKEY.INACTIVE', message: 'Not known.', errors: [] } } };
  }
  if (method === 'POST' && path === '/shipments') return create(easypost, sources.created, body.shipment);
  if (path.startsWith('/scan_forms')) return scanForm(easypost, method, path, body);
  const [, id, action = ''] = /^\/shipments\/(shp_\w+)(.*)$/.exec(path) ?? [];
  const shipment = easypost.shipments.get(id ?? '');
  if (shipment === undefined) return notFound;
  if (method === 'POST' && action === '/buy') return buy(easypost, sources.sold, shipment, body);
  if (method === 'POST' && action === '/refund') {
    if (shipment.postage_label === null) return refusedBecause('SHIPMENT.REFUND.UNAVAILABLE');
    shipment.refund_status ??= sources.refunded.response.body.refund_status;
  }
  if (action.startsWith('/label?file_format=')) convert(easypost, shipment, action.slice(-3).toLowerCase());
  return { status: 200, body: shipment };
}

export const files = {
  png: Buffer.from('\x89PNG'),
  pdf: Buffer.from('%PDF-1.4 a label'),
  zpl: Buffer.from('^XA^FO50,50^FDa label^FS^XZ'),
};

let last = 0;
const newId = (kind: string) => `${kind}_${(++last).toString(16).padStart(32, '0')}`;
const fileAt = ({ url }: EasyPost, name: string) => `${new URL(url).origin}/files/${name}`;

function create(easypost: EasyPost, { response }: Recording, given: Json): Answer {
  const shipment = structuredClone(response.body);
  shipment.id = newId('shp');
  shipment.reference = given.reference;
  shipment.options = { ...shipment.options, ...given.options };
  for (const rate of shipment.rates) Object.assign(rate, { id: newId('rate'), shipment_id: shipment.id });
  easypost.shipments.set(shipment.id, shipment);
  return { status: response.status, body: shipment };
}

function buy(easypost: EasyPost, { response }: Recording, shipment: Json, body: Json): Answer {
  if (shipment.postage_label !== null) return refusedBecause('SHIPMENT.POSTAGE.EXISTS');
  const rate = shipment.rates.find(({ id }: Json) => id === body.rate.id);
  if (rate === undefined) return notFound;
  const { tracker, postage_label, fees } = structuredClone(response.body);
  const tracking_code = `9400100110368${String(++last).padStart(9, '0')}`;
  Object.assign(shipment, { selected_rate: rate, tracking_code, fees });
  shipment.insurance = body.insurance ?? null;
  shipment.tracker = { ...tracker, tracking_code, shipment_id: shipment.id };
  shipment.postage_label = { ...postage_label, label_url: fileAt(easypost, `${shipment.id}.png`) };
  return { status: response.status, body: shipment };
}

function convert(easypost: EasyPost, shipment: Json, format: string): void {
  shipment.postage_label[`label_${format}_url`] = fileAt(easypost, `${shipment.id}.${format}`);
}

/** In the form of EasyPost's documentation: there is no recording of it. */
function scanForm(easypost: EasyPost, method: string, path: string, body: Json): Answer {
  if (method === 'GET') {
    const holder = [...easypost.shipments.values()].find(({ scan_form }) => path.endsWith(scan_form?.id));
    if (holder === undefined) return notFound;
    const form_url = fileAt(easypost, 'form.pdf');
    return { status: 200, body: Object.assign(holder.scan_form, { status: 'created', form_url }) };
  }
  const shipments = body.scan_form.shipments.map(({ id }: Json) => easypost.shipments.get(id));
  if (shipments.some(({ scan_form }: Json) => scan_form !== null)) {
    return refusedBecause('SCAN_FORM.CREATE.FAILURE', 'Some shipments are on a scan form already.');
  }
  const tracking_codes = shipments.map(({ tracking_code }: Json) => tracking_code);
  const scan_form = {
    id: newId('sf'),
    object: 'ScanForm',
    status: 'creating',
    message: null,
    tracking_codes,
  };
  for (const shipment of shipments) shipment.scan_form = scan_form;
  return { status: 201, body: { ...scan_form, form_url: null } };
}
