// Which addresses the service goes to where others say where: public ones. Asked of what is connected to, not of names.
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/** Says why an address was not connected to. */
class PrivateAddress extends Error {
  constructor(address: string) {
    super(`${address} is not a public address`);
  }
}

/** Of the public internet: not private, loopback, link-local, shared (CGNAT), multicast, reserved or mapped to such. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  return address.range() === 'unicast';
}

/** The address where a URL's host is one and not a name. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/** dns.lookup for connections: what it answers is what is connected to, so a name cannot change in between. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const wrong = addresses.find(({ address }) => !isPublicAddress(address));
    if (wrong !== undefined) return callback(new PrivateAddress(wrong.address), '');
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first!.address, first!.family);
  });
};

/** Connects to public addresses alone. A host that is an address is never looked up, so it is judged here. */
export function publicConnector(timeoutMs: number): buildConnector.connector {
  // Node's lookup has this signature; undici passes it on to net.connect.
  const connect = buildConnector({ timeout: timeoutMs, lookup: lookupPublic } as buildConnector.BuildOptions);
  return (options, callback) => {
    const address = addressOfHost(options.hostname);
    if (address !== undefined && !isPublicAddress(address)) callback(new PrivateAddress(address), null);
    else connect(options, callback);
  };
}
