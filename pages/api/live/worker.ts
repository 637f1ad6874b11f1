// Holds one connection for all tabs: browsers allow six per host, and each tab would take one.
import type { FromWorker, ToWorker } from './messages.ts';
import { Stream } from './stream.ts';

declare const self: SharedWorkerGlobalScope;

const ports = new Set<MessagePort>();
let stream: Stream | undefined;

function postToAll(message: FromWorker): void {
  for (const port of ports) port.postMessage(message);
}

self.addEventListener('connect', ({ ports: [port] }) => {
  if (port === undefined) return;
  port.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    if (data.type === 'close') {
      ports.delete(port);
      if (ports.size > 0) return;
      stream?.close();
      stream = undefined;
      return;
    }
    ports.add(port);
    if (stream?.state.type === 'state' && stream.state.state === 'signed-out') {
      stream.close();
      stream = undefined;
    }
    if (stream === undefined) stream = new Stream(data.address, postToAll);
    else port.postMessage(stream.state);
  });
  port.start();
});
