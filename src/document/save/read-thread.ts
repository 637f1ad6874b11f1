// The thread that reads a configuration file.
import { parentPort, workerData } from 'node:worker_threads';
import { readFile } from './read-file.ts';
import type { FilePart, Task } from './read-in-worker.ts';

const CHARACTERS_AT_ONCE = 1_000_000;

const { bytes, idNames } = workerData as Task;
const { entities, ...rest } = readFile(Uint8Array.from(bytes), idNames);
let sent = 0;

parentPort!.on('message', () => {
  const start = sent;
  for (let size = 0; sent < entities.length && size < CHARACTERS_AT_ONCE; sent++)
    size += entities[sent]!.text.length + entities[sent]!.lines.length;
  const part: FilePart = { entities: entities.slice(start, sent), ...(sent === entities.length && { rest }) };
  parentPort!.postMessage(part);
});
