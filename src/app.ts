// The table of contents: every feature of the service, one line each.
import type { FastifyInstance } from 'fastify';
import { keyFinder, usageRecorder } from './auth/key.ts';
import { rateCardRoutes } from './carrier-accounts/rate-card-routes.ts';
import { carrierAccountRoutes } from './carrier-accounts/routes.ts';
import type { Config } from './config.ts';
import { customerRoutes } from './customers/routes.ts';
import type { Database } from './database/connect.ts';
import { eventRoutes } from './events/routes.ts';
import { watchEvents } from './events/watch.ts';
import { nothingRefused, refuseOverload } from './http/admission.ts';
import { makeApi } from './http/api.ts';
import { basePath, registerOpenapi } from './http/openapi.ts';
import { registerOperations } from './http/operations.ts';
import { rateLimiter } from './http/rate-limit.ts';
import { makeServer, type ServerOptions } from './http/server.ts';
import { inventoryRoutes } from './inventory/routes.ts';
import { manifestDocumentRoute } from './manifests/find-manifest-document.ts';
import { manifestRoutes } from './manifests/routes.ts';
import { orderActionRoutes } from './orders/action-routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { productRoutes } from './products/routes.ts';
import { purchaseOrderRoutes } from './purchase-orders/routes.ts';
import { returnOrderRoutes } from './return-orders/routes.ts';
import { makeSecrets } from './secrets.ts';
import { labelRoute } from './shipments/find-label.ts';
import { shipmentRoutes } from './shipments/routes.ts';
import { carrierNewsRoute } from './shipments/take-carrier-news.ts';
import { makeShipping, type ShippingOptions } from './shipping.ts';
import { shippingQuoteRoutes } from './shipping-quotes/routes.ts';
import { supplierRoutes } from './suppliers/routes.ts';
import { warehouseRoutes } from './warehouses/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

export async function buildApp(options: {
  database: Database;
  config: Config;
  server?: Partial<ServerOptions>;
  shipping?: ShippingOptions;
}): Promise<FastifyInstance> {
  const { database, config } = options;
  const refused = nothingRefused();
  const app = await makeServer({ logLevel: config.logLevel, ...options.server, refused });
  await registerOpenapi(app);
  registerOperations(app, database, refused);

  const authentication = {
    keys: keyFinder(database, config.environment),
    recordUse: usageRecorder(database),
    take: rateLimiter(),
    requestsPerSecond: config.rateLimit,
    clientHeaders: ['x-service-client', ...(config.clientHeader === undefined ? [] : [config.clientHeader])],
  };
  const watch = watchEvents(database);
  app.addHook('preClose', async () => watch.stop());
  const secrets = makeSecrets(config.secret);
  const shipping = makeShipping({ database, config, log: app.log, ...options.shipping });
  const webhooks = { secrets, allowPrivate: config.webhookAllowPrivate };
  await app.register(
    async (scoped) => {
      refuseOverload(scoped, database, refused);
      const api = makeApi(scoped, database, authentication);
      organizationRoutes(api, { environment: config.environment, keys: authentication.keys });
      customerRoutes(api);
      productRoutes(api);
      warehouseRoutes(api);
      inventoryRoutes(api);
      orderRoutes(api);
      orderActionRoutes(api);
      supplierRoutes(api);
      purchaseOrderRoutes(api);
      returnOrderRoutes(api);
      carrierAccountRoutes(api, { secrets, environment: config.environment });
      rateCardRoutes(api);
      shippingQuoteRoutes(api, shipping);
      shipmentRoutes(api, shipping);
      manifestRoutes(api, shipping);
      labelRoute(scoped, shipping);
      manifestDocumentRoute(scoped, shipping);
      carrierNewsRoute(scoped, shipping);
      eventRoutes(api, watch);
      webhookRoutes(api, webhooks);
    },
    { prefix: basePath },
  );
  return app;
}
