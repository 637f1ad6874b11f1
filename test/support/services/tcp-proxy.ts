// A TCP proxy whose line can be cut in every way a network has: nothing comes through, resets, an end of one side.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** From now on nothing comes through, and neither side is notified. */
  swallow(): void;
  /** Answers of the server do not come through any more. */
  swallowAnswers(): void;
  /** Everything comes through again; swallowed bytes stay lost, and their connections with them. */
  heal(): void;
  /** Ends all connections at once. */
  reset(): void;
  /** Ends the sending side of all connections. */
  halfClose(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket; isLost: boolean; isMute: boolean }>();
  let mode: 'pass' | 'swallow' | 'swallow answers' = 'pass';
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1');
    const pair = { client, server, isLost: false, isMute: false };
    pairs.add(pair);
    client.on('data', (data) => (mode === 'swallow' || pair.isLost ? (pair.isLost = true) : server.write(data)));
    server.on('data', (data) => {
      if (mode === 'swallow answers') pair.isMute = true;
      else if (mode === 'swallow' || pair.isLost) pair.isLost = true;
      else if (!pair.isMute) client.write(data);
    });
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      if (!pair.isLost) server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const each = (act: (pair: { readonly client: Socket; readonly server: Socket }) => void) => {
    for (const pair of pairs) act(pair);
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    swallow: () => (mode = 'swallow'),
    swallowAnswers: () => (mode = 'swallow answers'),
    heal: () => (mode = 'pass'),
    reset: () =>
      each(({ client, server }) => {
        client.resetAndDestroy();
        server.resetAndDestroy();
      }),
    halfClose: () => each(({ client }) => client.end()),
    close: async () => {
      each(({ client, server }) => {
        client.destroy();
        server.destroy();
      });
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
