// What shipping needs, put together from the configuration: the carriers, the way to a label, time limits.
import type { FastifyBaseLogger } from 'fastify';
import type { Carriers } from './carriers/carriers.ts';
import { makeEasyPostCarrier } from './carriers/easypost/carrier.ts';
import { makeRateCardCarrier } from './carriers/rate-card/carrier.ts';
import { makeSimulatedCarrier } from './carriers/simulated/carrier.ts';
import type { Config } from './config.ts';
import type { Database } from './database/connect.ts';
import { makeLinks } from './http/document-links.ts';
import { makeSecrets } from './secrets.ts';
import { defaultTiming, type ShippingAccess, type Timing } from './shipments/access.ts';

/** What tests have otherwise than the service has it. */
export interface ShippingOptions {
  carriers?: Partial<Carriers>;
  timing?: Partial<Timing>;
}

export interface ShippingParts extends ShippingOptions {
  database: Database;
  config: Pick<Config, 'secret' | 'easypostUrl'>;
  log: Pick<FastifyBaseLogger, 'error'>;
}

export function makeShipping({ database, config, log, carriers, timing }: ShippingParts): ShippingAccess {
  return {
    database,
    log,
    carriers: {
      'rate-card': makeRateCardCarrier(database),
      easypost: makeEasyPostCarrier({ baseUrl: config.easypostUrl }),
      simulated: makeSimulatedCarrier(database),
      ...carriers,
    },
    secrets: makeSecrets(config.secret),
    links: makeLinks(config.secret),
    timing: { ...defaultTiming, ...timing },
  };
}
