// Finds new changesets in a Mercurial repository: asks where the branch is, and only when that has changed pulls and lists them.
import { mkdirSync } from 'node:fs';
import { CommandFailure, CommandStopped } from '../../../kit/process/command.ts';
import { inBatches } from '../../clients/batches.ts';
import { type KnownRevision, MaterialProblem, type NewModification, type PollContext } from '../../clients/client.ts';
import { Hg } from './hg.ts';
import { LOG_SEPARATOR, LOG_TEMPLATE, LogReader } from './log-reader.ts';
import { type HgMaterial, isRevision } from './material.ts';
import { HgMirror } from './mirror.ts';

const NOTHING = /^0*$/;
const UNKNOWN_BRANCH = /unknown (?:revision|branch)/i;

export async function* pollHg(
  material: HgMaterial,
  known: KnownRevision | undefined,
  context: PollContext,
): AsyncGenerator<readonly NewModification[], void> {
  mkdirSync(context.directory, { recursive: true });
  const hg = new Hg(material, context);
  if ((await remoteTip(hg)) === known?.revision) return;
  const mirror = new HgMirror(hg, context);
  for (let attempt = 1; ; attempt++) {
    let isBegun = false;
    try {
      await mirror.update();
      for await (const batch of inBatches(newIn(hg, mirror, known))) {
        isBegun = true;
        yield batch;
      }
      return;
    } catch (failure) {
      if (isBegun || attempt > 1 || !(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
      if (!(await mirror.isDamaged())) throw failure;
      await mirror.remove();
    }
  }
}

/** The newest changeset of the branch. Nothing is fetched. */
export async function remoteTip(hg: Hg): Promise<string> {
  try {
    const tip = (await hg.runRemote(['identify', '--debug', '--id', `--rev=${hg.branch}`, '--', hg.source], { isQuick: true })).trim();
    if (!NOTHING.test(tip)) return tip;
  } catch (failure) {
    if (!(failure instanceof CommandFailure && UNKNOWN_BRANCH.test(failure.stderr))) throw failure;
  }
  const newest = (await hg.runRemote(['identify', '--debug', '--id', '--', hg.source], { isQuick: true })).trim();
  throw new MaterialProblem(`The branch ${hg.branch} could not be found.${NOTHING.test(newest) ? ' The repository is empty.' : ''}`);
}

/** Numbers of changesets grow as they come in. A known one that is gone leaves only the newest. */
async function* newIn(hg: Hg, mirror: HgMirror, known: KnownRevision | undefined): AsyncGenerator<readonly NewModification[], void> {
  let count = 0;
  if (known && isRevision(known.revision)) {
    const since = `--rev=(present(${known.revision}):) - present(${known.revision})`;
    for await (const some of logOf(hg, mirror, since)) {
      count += some.length;
      yield some;
    }
  }
  if (count > 0) return;
  for await (const some of logOf(hg, mirror, '--limit=1')) yield some.filter(({ revision }) => revision !== known?.revision);
}

async function* logOf(hg: Hg, mirror: HgMirror, range: string): AsyncGenerator<readonly NewModification[], void> {
  const reader = new LogReader();
  const args = ['--repository', mirror.path, 'log', `--branch=${hg.branch}`, `--template=${LOG_TEMPLATE}`, range];
  for await (const records of hg.records(args, LOG_SEPARATOR)) yield reader.take(records);
}
