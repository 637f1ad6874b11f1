// Holds one connection for all tabs: browsers allow six per host, and each tab would take one.
import type { FromWorker, ToWorker } from './messages.ts';
import { Stream } from './stream.ts';

declare const self: SharedWorkerGlobalScope;

const ports = new Set<MessagePort>();
let stream: Stream | undefined;
/** The session that the stream is of. */
let session: string | undefined;

function postToAll(message: FromWorker): void {
  for (const port of ports) port.postMessage(message);
}

function close(): void {
  stream?.close();
  stream = undefined;
}

self.addEventListener('connect', ({ ports: [port] }) => {
  if (port === undefined) return;
  port.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    if (data.type === 'close') {
      ports.delete(port);
      if (ports.size === 0) close();
      return;
    }
    if (stream !== undefined && session !== data.session) {
      close();
      // Pages of the session before ask which one it is now, and come back.
      postToAll({ type: 'state', state: 'signed-out' });
      ports.clear();
    }
    session = data.session;
    ports.add(port);
    if (stream?.state?.type === 'state' && stream.state.state === 'signed-out') close();
    if (stream === undefined) stream = new Stream(data.address, postToAll);
    else if (stream.state !== undefined) port.postMessage(stream.state);
  });
  port.start();
});
