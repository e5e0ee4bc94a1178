// The carriers that there are, one of each kind, and what it takes to ask them.
import type { FastifyBaseLogger } from 'fastify';
import type { Secrets } from '../secrets.ts';
import type { Carrier, CarrierKind } from './carrier.ts';

export type Carriers = Readonly<Record<CarrierKind, Carrier>>;

/** Given to every feature that asks carriers. */
export interface CarrierAccess {
  carriers: Carriers;
  /** Opens the credentials of accounts. */
  secrets: Secrets;
  /** For what a carrier's own code does wrong; never for what a carrier answers. */
  log: Pick<FastifyBaseLogger, 'error'>;
  timing: {
    /** An account's answer to what it costs. */
    rateMs: number;
  };
}
