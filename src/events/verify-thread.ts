// The thread that checks events: it computes every hash anew.
import { parentPort, workerData } from 'node:worker_threads';
import { type DatabaseSource, openEventRows } from '../store/source.ts';
import { verifyEvents } from './verify-events.ts';

const rows = await openEventRows(workerData as DatabaseSource);
if (!rows) throw new Error('The database of the server is not where it was.');
try {
  parentPort!.postMessage(await verifyEvents(rows));
} finally {
  await rows.close();
}
