// Finds new commits in a git repository: asks where the branch is, and only when that has changed fetches and lists them.
import { mkdirSync } from 'node:fs';
import { CommandFailure, CommandStopped } from '../../../kit/process/command.ts';
import { isLocal } from '../../addresses/address.ts';
import { inBatches } from '../../clients/batches.ts';
import type { KnownRevision, NewModification, PollContext } from '../../clients/client.ts';
import { commitsSince } from './commits-since.ts';
import { type Git, gitFor } from './git.ts';
import { repositoryInPlace } from './in-place.ts';
import { type LocalRef, localRef } from './local-ref.ts';
import { type GitMaterial, refOf } from './material.ts';
import { isDamage, Mirror } from './mirror.ts';
import { explainMissingRef, remoteTip } from './remote.ts';

type Batches = AsyncGenerator<readonly NewModification[], void>;

export async function* pollGit(material: GitMaterial, known: KnownRevision | undefined, context: PollContext): Batches {
  const git = gitFor(material, context);
  const ref = refOf(material.branch);
  const local = localRef(git, ref);
  if (local && local.revision === known?.revision) return;
  await git.route.inspected();
  mkdirSync(context.directory, { recursive: true });
  const mirror = new Mirror(git, ref, context);
  // A mirror that exists is needed for files: it is kept up to date.
  const isRead = local && !mirror.exists && (yield* inPlace(git, local, material, known, context));
  if (!isRead) yield* fromMirror(mirror, git, ref, local?.revision, material, known);
}

/** Returns whether the repository could be read in place: it cannot when it is not complete, for example. */
async function* inPlace(
  git: Git,
  local: LocalRef,
  { paths = [] }: GitMaterial,
  known: KnownRevision | undefined,
  context: PollContext,
): AsyncGenerator<readonly NewModification[], boolean> {
  let isBegun = false;
  try {
    for await (const batch of inBatches(commitsSince(known, local.revision, paths, repositoryInPlace(git, local, context)))) {
      isBegun = true;
      yield batch;
    }
    return true;
  } catch (failure) {
    if (isBegun || !(failure instanceof CommandFailure) || failure instanceof CommandStopped) throw failure;
    return false;
  }
}

async function* fromMirror(
  mirror: Mirror,
  git: Git,
  ref: string,
  localTip: string | undefined,
  { paths = [] }: GitMaterial,
  known: KnownRevision | undefined,
): Batches {
  // A server that does not answer is found out by this short command; files of this machine always answer, and need no second process.
  const tip = localTip ?? (known || !isLocal(git.address.url) ? await remoteTip(git, ref) : undefined);
  if (tip !== undefined && tip === known?.revision) return;
  for (let attempt = 1; ; attempt++) {
    let isBegun = false;
    try {
      await mirror.update(tip);
      for await (const batch of inBatches(commitsSince(known, ref, paths, mirror))) {
        isBegun = true;
        yield batch;
      }
      return;
    } catch (failure) {
      if (!isDamage(failure)) throw await explainMissingRef(failure, git, ref);
      await mirror.remove();
      if (isBegun || attempt > 1) throw failure;
    }
  }
}
