// Lists the commits after the one that is known: everything since, or only the newest one when the branch does not lead over it any more.
import { CommandFailure, type CommandResult, CommandStopped } from '../../../kit/process/command.ts';
import { isGitRevision } from '../../../kit/text/git-ref.ts';
import type { KnownRevision, NewModification } from '../../clients/client.ts';
import { LOG_OPTIONS, LOG_SEPARATOR, LogReader } from './log-reader.ts';

/** Runs git in the repository that holds the commits. */
export interface GitRepository {
  run(args: readonly string[]): Promise<CommandResult>;
  records(args: readonly string[], separator: string): AsyncIterable<readonly string[]>;
}

type Commits = AsyncGenerator<readonly NewModification[], void>;

export async function* commitsSince(
  known: KnownRevision | undefined,
  tip: string,
  paths: readonly string[],
  repository: GitRepository,
): Commits {
  const revision = known && isGitRevision(known.revision) ? known.revision : undefined;
  if (revision === undefined) {
    yield* log(['-1', tip], paths, repository);
  } else if (paths.length > 0) {
    // With some paths only, git leaves commits out, and the listed ones need not have the known one as a neighbour.
    const range = (await isAncestor(revision, tip, repository)) ? [`${revision}..${tip}`] : ['-1', tip];
    yield* log(range, paths, repository);
  } else {
    let isLeft = true;
    for await (const commits of after(revision, tip, repository)) {
      isLeft = false;
      yield commits;
    }
    if (!isLeft) return;
    for await (const commits of log(['-1', tip], paths, repository)) yield commits.filter((one) => one.revision !== revision);
  }
}

/**
 * Gives nothing at all, not even an empty list, when the branch does not lead over the known commit. One program says both: before
 * everything else it names the neighbours of the listed commits, and the known one is among them if and only if it is an ancestor.
 */
async function* after(known: string, tip: string, repository: GitRepository): Commits {
  const reader = new LogReader();
  let isOnTheWay = false;
  try {
    for await (const records of repository.records(logArgs(['--boundary', `${known}..${tip}`], []), LOG_SEPARATOR)) {
      const commits = reader.take(records);
      isOnTheWay ||= reader.boundary.has(known);
      if (isOnTheWay) yield commits;
      else if (commits.length > 0) return;
    }
  } catch (failure) {
    if (!isFailure(failure) || !isUnknown(known, failure.stderr)) throw failure;
    return;
  }
  const last = reader.rest();
  if (isOnTheWay || reader.boundary.has(known)) yield last;
}

async function* log(range: readonly string[], paths: readonly string[], repository: GitRepository): Commits {
  const reader = new LogReader();
  for await (const records of repository.records(logArgs(range, paths), LOG_SEPARATOR)) yield reader.take(records);
  yield reader.rest();
}

const logArgs = (range: readonly string[], paths: readonly string[]) => ['log', ...LOG_OPTIONS, ...range, '--', ...paths];

async function isAncestor(known: string, tip: string, repository: GitRepository): Promise<boolean> {
  try {
    await repository.run(['merge-base', '--is-ancestor', known, tip]);
    return true;
  } catch (failure) {
    // Either it is none, or the repository does not have it any more.
    if (isFailure(failure) && (failure.exitCode === 1 || /Not a valid (?:commit|object) name/i.test(failure.stderr))) return false;
    throw failure;
  }
}

/** The repository does not have the commit any more, or commits of another format. */
function isUnknown(commit: string, stderr: string): boolean {
  return /Invalid revision range|bad object/i.test(stderr) || stderr.includes(`bad revision '${commit}..`);
}

function isFailure(failure: unknown): failure is CommandFailure {
  return failure instanceof CommandFailure && !(failure instanceof CommandStopped);
}
