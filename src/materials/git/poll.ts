// What is new in a git repository: asks where the branch is, and only when that has changed fetches and lists what came.
import { mkdirSync } from 'node:fs';
import { CommandFailure } from '../../kit/command.ts';
import { isLocal } from '../address.ts';
import { inBatches } from '../batches.ts';
import type { Known, NewModification, Surroundings } from '../client.ts';
import { gitFor } from './git.ts';
import { newestInPlace } from './in-place.ts';
import { localRef } from './local-ref.ts';
import { LOG_OPTIONS, LOG_SEPARATOR, LogReader } from './log-reader.ts';
import { type GitMaterial, isRevision, refOf } from './material.ts';
import { isDamage, Mirror } from './mirror.ts';
import { remoteTip, translated } from './remote.ts';

export async function* pollGit(
  material: GitMaterial,
  known: Known | undefined,
  surroundings: Surroundings,
): AsyncGenerator<readonly NewModification[], void> {
  const git = gitFor(material, surroundings);
  const ref = refOf(material.branch);
  const local = localRef(git, ref);
  if (local && local.revision === known?.revision) return;
  mkdirSync(surroundings.directory, { recursive: true });
  const mirror = new Mirror(git, ref, surroundings);
  const newest = local && !known && !mirror.isThere && (await newestInPlace(git, local, material.paths ?? [], surroundings));
  if (newest) {
    if (newest.length > 0) yield newest;
    return;
  }
  // A server that answers nothing is found out by the question; files of this machine always answer, and need no second process.
  const tip = known || !isLocal(git.address.url) ? await remoteTip(git, ref) : undefined;
  if (tip !== undefined && tip === known?.revision) return;
  for (let attempt = 1; ; attempt++) {
    let isBegun = false;
    try {
      await mirror.update(tip);
      for await (const batch of inBatches(logOf(mirror, await rangeSince(known, mirror, ref), material.paths))) {
        isBegun = true;
        yield batch;
      }
      return;
    } catch (failure) {
      if (!isDamage(failure)) throw await translated(failure, git, ref);
      await mirror.remove();
      if (isBegun || attempt > 1) throw failure;
    }
  }
}

/** Everything since the known commit; only the newest one when there is none, or when the branch has left it behind. */
async function rangeSince(known: Known | undefined, mirror: Mirror, ref: string): Promise<readonly string[]> {
  const newest = ['-1', ref];
  if (!known || !isRevision(known.revision)) return newest;
  try {
    await mirror.run(['merge-base', '--is-ancestor', known.revision, ref]);
    return [`${known.revision}..${ref}`];
  } catch (failure) {
    if (failure instanceof CommandFailure && isNoAncestor(failure)) return newest;
    throw failure;
  }
}

/** Either it is none, or the repository does not have it any more. */
const isNoAncestor = ({ exitCode, stderr }: CommandFailure) => exitCode === 1 || /Not a valid (?:commit|object) name/i.test(stderr);

async function* logOf(
  mirror: Mirror,
  range: readonly string[],
  paths: readonly string[] = [],
): AsyncGenerator<readonly NewModification[], void> {
  const reader = new LogReader();
  for await (const records of mirror.records(['log', ...LOG_OPTIONS, ...range, '--', ...paths], LOG_SEPARATOR)) yield reader.take(records);
  yield reader.rest();
}
