// The first run of a new pipeline. The server begins it by itself as soon as it knows a revision of each material, so no run is requested here: it would be a second one.
import { path } from '../api/address.ts';
import { getJson, send } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';

interface Why {
  readonly materials: readonly { readonly fingerprint: string; readonly latest_revision: string | null }[];
}

const VERSION = 1;
const BUSY = 409;

/** Asks for a poll of each material that was never polled: a server may poll only on request. Returns what to expect. */
export async function awaitFirstRun(name: string): Promise<{ readonly message: string }> {
  const { materials } = await getJson<Why>(path`/api/pipelines/${name}/why`, VERSION);
  const unknown = materials.filter(({ latest_revision: latest }) => latest === null);
  await Promise.all(unknown.map(({ fingerprint }) => poll(fingerprint)));
  return { message: unknown.length === 0 ? `${name} will run.` : `${name} will run as soon as its repository has been polled.` };
}

async function poll(fingerprint: string): Promise<void> {
  try {
    await send(path`/api/internal/materials/${fingerprint}/trigger_update`, { method: 'POST', version: VERSION });
  } catch (failure) {
    // It is being polled already.
    if (!(failure instanceof ApiFailure && failure.status === BUSY)) throw failure;
  }
}
