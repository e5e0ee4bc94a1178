// EasyPost as a carrier: an account of this kind sells the services of one of the carriers behind EasyPost.
import * as limits from '../../limits.ts';
import type { Carrier, CarrierAccount } from '../carrier.ts';
import { buy, find } from './buy.ts';
import { thoughBought } from './errors.ts';
import { ratesOf } from './rates.ts';
import { readPurchaseReference } from './references.ts';
import { shipmentBodies } from './requests.ts';
import { readShipment, readTracker } from './responses.ts';
import { closeDay } from './scan-form.ts';
import { forEach, getShipment, makeSession } from './session.ts';
import { settingsOf } from './settings.ts';
import { trackedOf, trackedTogether } from './tracking.ts';
import { makeTransport, type Timeouts } from './transport.ts';
import { voidLabel } from './void.ts';

/** `baseUrl` without a slash at its end: the operator's choice, never the account's. */
export function makeEasyPostCarrier({
  baseUrl,
  timeouts = {
    connect: limits.easypostConnectMs,
    again: limits.easypostTimeoutMs,
    once: limits.easypostActTimeoutMs,
  },
}: {
  baseUrl: string;
  timeouts?: Timeouts;
}): Required<Carrier> {
  const transport = makeTransport(baseUrl, timeouts);
  const session = (account: CarrierAccount, signal: AbortSignal) => makeSession(transport, account, signal);
  return {
    // A rate names the shipments at EasyPost that it is of, and EasyPost sells each of them once: buying them again
    // finds those that were bought and buys the others.
    buysOncePerReference: true,
    drawsLabels: false,
    trackEveryMs: limits.easypostTrackMs,
    async rate(account, request, signal) {
      const bodies = shipmentBodies(settingsOf(account), request, new Date());
      const { call } = session(account, signal);
      // Shipments that are not bought cost nothing, and EasyPost forgets them.
      const shipments = await forEach(bodies, async (body) =>
        readShipment(await call({ method: 'POST', path: '/shipments', body, effect: 'again' })),
      );
      return ratesOf(account, shipments);
    },
    buy: async (account, purchase, signal) => buy(session(account, signal), purchase),
    async find(account, purchase, signal) {
      try {
        return await find(session(account, signal), purchase);
      } catch (error) {
        throw thoughBought(error);
      }
    },
    void: async (account, label, signal) => voidLabel(session(account, signal), label),
    async track(account, label, signal) {
      const asking = session(account, signal);
      const shipments = await forEach(readPurchaseReference(label.carrierReference), (id) =>
        getShipment(asking, id),
      );
      const trackers = shipments.flatMap(({ tracker }) => (tracker == null ? [] : readTracker(tracker)));
      return trackedTogether(trackers.map((tracker) => trackedOf(tracker, account.carrierCode)));
    },
    manifest: async (account, labels, signal) => closeDay(session(account, signal), labels),
  };
}
