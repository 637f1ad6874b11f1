// The client for Team Foundation version control, through the program tf.
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { sha256 } from '../../../kit/bytes/hash.ts';
import { inBatches } from '../../clients/batches.ts';
import { type KnownRevision, type MaterialClient, MaterialProblem, type NewModification, type PollContext } from '../../clients/client.ts';
import { withinSize } from '../../clients/size-watch.ts';
import { elementAtEnd } from '../../clients/xml-records.ts';
import { modificationOf } from './changeset.ts';
import { isRevision, type TfsMaterial } from './material.ts';
import { Tf } from './tf.ts';

const CHANGESET = 'changeset';
const MAX_CHANGESET_BYTES = 64 * 1024 * 1024;

export const tfsClient: MaterialClient<TfsMaterial> = {
  poll: pollTfs,
  checkConnection: async (material, context) => {
    mkdirSync(context.directory, { recursive: true });
    await history(new Tf(material, context), material, ['-stopafter:1'], context);
  },
  checkOut: async (material, revision, into, context) => {
    if (!isRevision(revision)) throw new MaterialProblem(`${revision} is no changeset.`);
    for (const directory of [context.directory, into]) mkdirSync(directory, { recursive: true });
    const { limits, signal } = context;
    await withinSize(into, limits.maxBytes, signal, (stop) => checkOutFiles(material, revision, into, stop, context));
  },
};

async function* pollTfs(
  material: TfsMaterial,
  known: KnownRevision | undefined,
  context: PollContext,
): AsyncGenerator<readonly NewModification[], void> {
  mkdirSync(context.directory, { recursive: true });
  const tf = new Tf(material, context);
  const since = known && isRevision(known.revision) ? Number(known.revision) : undefined;
  const found = await history(tf, material, since === undefined ? ['-stopafter:1'] : [`-version:C${since}~T`], context);
  const fresh = found.filter(({ revision }) => Number(revision) > (since ?? 0));
  if (since === undefined && fresh.length === 0) throw new MaterialProblem(`There is no changeset in ${material.projectPath}.`);
  yield* inBatches([fresh.toReversed()]);
}

/** Newest first: the program knows no other order. */
async function history(
  tf: Tf,
  { projectPath }: TfsMaterial,
  range: readonly string[],
  { limits }: PollContext,
): Promise<NewModification[]> {
  const found: NewModification[] = [];
  const command = ['history', '-recursive', '-format:xml', ...range, projectPath];
  const options = { maxRecordBytes: MAX_CHANGESET_BYTES, maxOutputBytes: limits.maxBytes, printsProgress: true };
  for await (const records of tf.records(command, `</${CHANGESET}>`, options)) {
    for (const record of records) {
      const changeset = elementAtEnd(record, CHANGESET);
      if (changeset) found.push(modificationOf(changeset));
    }
  }
  return found;
}

/** A workspace of its own, which goes when the files are there. */
async function checkOutFiles(material: TfsMaterial, revision: string, into: string, signal: AbortSignal, context: PollContext) {
  const workspace = `slipway-${hostname()}-${sha256(into).slice(0, 16)}`;
  const tf = new Tf(material, context);
  const options = { cwd: into, signal };
  const remove = ['workspace', '-delete', workspace];
  await tf.run([remove], options).catch(() => {}); // left by a checkout that was stopped; mostly there is none
  await tf.run(
    [
      ['workspace', '-new', workspace],
      ['workfold', '-map', `-workspace:${workspace}`, material.projectPath, into],
      ['get', '-force', '-recursive', `-version:C${revision}`, into],
      remove,
    ],
    options,
  );
}
