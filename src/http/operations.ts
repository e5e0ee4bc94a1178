// What operators look at: is it alive, is it ready, what does it measure.
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Database, sql } from '../database/connect.ts';
import type { Refused } from './admission.ts';

export function registerOperations(app: FastifyInstance, database: Database, refused: Refused): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'waybill_http_request_seconds',
    help: 'Time to answer, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'waybill_database_connections',
    help: 'Connections of the pool, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool;
      this.set({ state: 'busy' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'waited-for' }, waitingCount);
    },
  });
  new Counter({
    name: 'waybill_http_refused_total',
    help: 'Requests and connections refused with 503, by what there was too much of',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(refused)) this.inc({ reason }, count);
    },
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operationId } = request.routeOptions.config as { operationId?: string };
    requests.observe(
      { operation: operationId ?? 'other', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });

  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async () => {
    const [state] = await database.query<{ readOnly: boolean }>(
      sql`select current_setting('transaction_read_only')::boolean as "readOnly"`,
    );
    // Reads go on, and another process on the same database would do no better.
    return { status: state?.readOnly === true ? 'read-only' : 'ready' };
  });
  app.get('/metrics', hidden, async (_request, reply) => {
    reply.header('content-type', registry.contentType);
    return registry.metrics();
  });
}
