// The revisions that a request to run a pipeline asks for, in full: of hashes, an unambiguous beginning is enough.
import type { PipelineDefinition } from '../../../builds/configured.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { BuildRouteParts } from './parts.ts';
import { rejected, type ScheduleOrder } from './schedule-order.ts';

type Pinned = ScheduleOrder['pinned'][number];

/** A request that triggers a pipeline waits no longer for polls of materials. */
const MAX_POLL_MS = 30_000;
/** As many digits as git shows at least. */
const BEGINNING = /^[\da-f]{7,39}$/i;
const TYPES_WITH_HASHES: ReadonlySet<string> = new Set(['git', 'hg']);

/** A revision that is not known may have come just now. */
export async function knownRevisions(
  parts: BuildRouteParts,
  pipeline: PipelineDefinition,
  { pinned, updatesMaterials }: ScheduleOrder,
): Promise<Pinned[]> {
  const unknown: string[] = [];
  for (const one of pinned) if ((await knownOf(parts, pipeline, one)) === undefined) unknown.push(one[0]);
  if (updatesMaterials && unknown.length > 0) await poll(parts, unknown);
  const found: Pinned[] = [];
  for (const one of pinned) {
    const [fingerprint, revision] = one;
    const full = await knownOf(parts, pipeline, one);
    if (full === undefined) throw refusedRevision(fingerprint, `no revision '${revision.slice(0, 100)}'`);
    found.push([fingerprint, full]);
  }
  return found;
}

/** The revision in full; undefined: it is not known. */
async function knownOf({ materials, modifications }: BuildRouteParts, pipeline: PipelineDefinition, [fingerprint, revision]: Pinned) {
  const material = await materials.find(fingerprint);
  if (!material) return undefined;
  if (await modifications.find(material.id, revision)) return revision;
  const type = pipeline.materials.find((one) => one.fingerprint === fingerprint)?.type ?? '';
  if (!TYPES_WITH_HASHES.has(type) || !BEGINNING.test(revision)) return undefined;
  const [full, other] = await modifications.revisionsFrom(material.id, revision.toLowerCase(), 2);
  if (other === undefined) return full;
  throw refusedRevision(fingerprint, `several revisions that begin with '${revision}': give more of it`);
}

/** With the problem by the fingerprint of its material, so that a form shows it beside the field. */
function refusedRevision(fingerprint: string, problem: string): Refusal {
  const data = { errors: { [fingerprint]: [`It has ${problem}.`] } };
  return new Refusal('invalid', rejected(`Material [${fingerprint}] has ${problem}`), { data });
}

/** A failed poll is reported by the health of the material. */
async function poll(parts: BuildRouteParts, fingerprints: readonly string[]): Promise<void> {
  const signal = AbortSignal.timeout(MAX_POLL_MS);
  await parts.poll([...new Set(fingerprints)], signal).catch((failure: unknown) => {
    if (!signal.aborted) throw failure;
  });
}
