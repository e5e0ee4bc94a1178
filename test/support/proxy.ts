// A way to the database that can be cut and mended, as networks and failovers do.
import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** The database's address by way of the proxy. */
  url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Says nothing more on any connection, as a machine does that lost its power; new ones are taken and not answered. */
  stall(): void;
  /** Lets new connections through again. Those that stalled stay as they are. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const stalledSockets = new WeakSet<Socket>();
  let stalled = false;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('error', () => {});
    near.on('close', () => sockets.delete(near));
    if (stalled) return;
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (data) => {
        if (!stalledSockets.has(socket)) other.write(data);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        if (!stalledSockets.has(socket)) other.destroy();
      });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  const near = new URL(url);
  near.host = `127.0.0.1:${port}`;
  const stall = () => {
    stalled = true;
    for (const socket of sockets) stalledSockets.add(socket);
  };
  const mend = async () => {
    if (!server.listening) await listen(port);
    stalled = false;
  };
  return { url: near.href, cut, stall, mend, close: cut };
}
