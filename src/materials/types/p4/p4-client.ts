// The client for Perforce depots, through the program p4.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inBatches } from '../../clients/batches.ts';
import { type KnownRevision, type MaterialClient, MaterialProblem, type NewModification, type PollContext } from '../../clients/client.ts';
import { withinSize } from '../../clients/size-watch.ts';
import { modificationOf } from './changes.ts';
import { isRevision, type P4Material } from './material.ts';
import { P4 } from './p4.ts';

/** Number of changes that one process describes. */
const AT_ONCE = 100;
const LAST_SPEC = 'p4-client';

export const p4Client: MaterialClient<P4Material> = {
  poll: pollP4,
  checkConnection: async (material, context) => {
    const p4 = await openP4(material, context.directory, context);
    await p4.askAll(['changes', '-s', 'submitted', '-m', '1', everythingIn(p4)]);
  },
  checkOut: async (material, revision, into, context) => {
    if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no change of a Perforce depot.`);
    mkdirSync(into, { recursive: true });
    const p4 = await openP4(material, into, context);
    const { limits, signal } = context;
    await withinSize(into, limits.maxBytes, signal, async (stop) => {
      await p4.askAll(['sync', '-f', `${everythingIn(p4)}@${revision}`], { signal: stop });
    });
  },
};

async function* pollP4(
  material: P4Material,
  known: KnownRevision | undefined,
  context: PollContext,
): AsyncGenerator<readonly NewModification[], void> {
  const p4 = await openP4(material, context.directory, context);
  const since = known && isRevision(known.revision) ? Number(known.revision) : undefined;
  const range = since === undefined ? ['-m', '1', everythingIn(p4)] : [`${everythingIn(p4)}@${since},#head`];
  const numbers: number[] = [];
  for await (const some of p4.ask(['changes', '-s', 'submitted', ...range])) {
    for (const change of some) numbers.push(Number(change.get('change')));
  }
  const fresh = numbers.filter((number) => number > (since ?? 0)).toSorted((one, other) => one - other);
  if (since === undefined && fresh.length === 0) throw new MaterialProblem('The view shows no submitted change.');
  yield* inBatches(described(p4, fresh));
}

async function* described(p4: P4, changes: readonly number[]): AsyncGenerator<readonly NewModification[], void> {
  for (let at = 0; at < changes.length; at += AT_ONCE) {
    const some = changes.slice(at, at + AT_ONCE).map(String);
    for await (const answers of p4.ask(['describe', '-s', ...some])) yield answers.map(modificationOf);
  }
}

/** Its client workspace is made the first time. */
async function openP4(material: P4Material, root: string, context: PollContext): Promise<P4> {
  mkdirSync(context.directory, { recursive: true });
  const p4 = new P4(material, root, context);
  const note = join(context.directory, `${LAST_SPEC}-${p4.clientName}`);
  if (!existsSync(note) || readFileSync(note, 'utf8') !== p4.clientSpec) {
    await p4.makeClient();
    writeFileSync(note, p4.clientSpec);
  }
  return p4;
}

function everythingIn({ clientName }: P4): string {
  return `//${clientName}/...`;
}
