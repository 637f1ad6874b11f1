// The thread that checks events: it computes every hash anew.
import { parentPort, workerData } from 'node:worker_threads';
import { type DatabaseSource, isUnavailable, openEventRows } from '../store/source.ts';
import { type VerificationResult, verifyEvents } from './verify-events.ts';

const source = workerData as DatabaseSource;
parentPort!.postMessage(await verify().catch(unlessUnavailable));

async function verify(): Promise<VerificationResult> {
  const rows = await openEventRows(source);
  if (!rows) throw new Error('The database of the server is not where it was.');
  try {
    return await verifyEvents(rows);
  } finally {
    await rows.close();
  }
}

/** Sent as a message: the kind of an error is lost on the way to another thread. */
async function unlessUnavailable(failure: unknown): Promise<'unavailable'> {
  if (await isUnavailable(source, failure)) return 'unavailable';
  throw failure;
}
