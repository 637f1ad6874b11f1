// The command that restores a backup into the data directory of a server that does not run.
import { resolve } from 'node:path';
import { NotABackup } from '../backup/manifest.ts';
import { planRestore, type Restored, type RestorePlan, RestoreRefused, type RestoreWish, restore } from '../backup/restore/restore.ts';
import { variableOf } from '../settings.ts';
import { DirectoryInUse } from '../store/data-directory.ts';
import { type Problem, readCommand, runCommand, type Streams } from './command-line.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, dataDirOf, type Environment } from './target.ts';

const REFUSED = 1;
const WRONG_USE = 2;
const OPTIONS = {
  [DATA_DIR]: { type: 'string' },
  plan: { type: 'boolean', default: false },
  replace: { type: 'boolean', default: false },
} as const;

const RESTORE_USAGE = `Usage: npm run slipway -- restore FOLDER [options]

Restores a backup from its folder (backup_<date>-<time>), which is checked against its checksums first: all of it or nothing.
The data directory must be new or empty, and no server may run in it. The next start of the server migrates a backup of an older version.

  --plan              check the backup and the directory, say what would be done, and do nothing
  --replace           put aside what a backup holds and the directory has already; artifacts stay where they are
  --data-dir DIR      where to (${variableOf(DATA_DIR)}, ${DEFAULT_DATA_DIR})
  --help              this text

Ends with 0 when it is done, 1 when it is refused, 2 when the command is wrong.
`;

interface RestoreCommand {
  readonly wish: RestoreWish;
  readonly isPlan: boolean;
}

/** Returns the status to end with. */
export function runRestore(args: readonly string[], environment: Environment, streams: Streams): Promise<number> {
  const command = readCommand(args, OPTIONS, (values, [folder, ...more]): RestoreCommand | Problem => {
    if (folder === undefined) return { problem: 'Say which folder to restore.' };
    if (more.length > 0) return { problem: `One folder at a time: ${more.join(' ')} is too much.` };
    const dataDir = dataDirOf(values[DATA_DIR], environment);
    return { wish: { folder: resolve(folder), dataDir, isReplacing: values.replace }, isPlan: values.plan };
  });
  return runCommand(command, { usage: RESTORE_USAGE, wrongUse: WRONG_USE }, streams, (understood) => restoreOrPlan(understood, streams));
}

async function restoreOrPlan({ wish, isPlan }: RestoreCommand, { out, err }: Streams): Promise<number> {
  try {
    out(isPlan ? planText(await planRestore(wish), wish) : doneText(await restore(wish), wish));
    return 0;
  } catch (failure) {
    if (!(failure instanceof RestoreRefused || failure instanceof NotABackup || failure instanceof DirectoryInUse)) throw failure;
    const problems = failure instanceof RestoreRefused ? failure.problems : [];
    err(`${[failure.message, ...problems.map((problem) => `  ${problem}`)].join('\n')}\n`);
    return REFUSED;
  }
}

function planText({ manifest, putAside, programs }: RestorePlan, { dataDir }: RestoreWish): string {
  const aside = putAside.length === 0 ? 'Nothing there has to be put aside.' : `Put aside: ${putAside.join(', ')}`;
  return [`Would restore ${about(manifest)}`, `into ${dataDir}. ${aside}`, 'The backup is whole.', ...aboutPrograms(programs), ''].join(
    '\n',
  );
}

function doneText({ manifest, aside, programs }: Restored, { dataDir }: RestoreWish): string {
  const lines = [`Restored ${about(manifest)}`, `into ${dataDir}.`];
  if (aside !== undefined) lines.push(`What was there is in ${aside}.`);
  return `${[...lines, ...aboutPrograms(programs)].join('\n')}\n`;
}

function aboutPrograms(programs: readonly string[]): string[] {
  return programs.length === 0 ? [] : [`Restored without the right to be run (check them, then chmod u+x): ${programs.join(', ')}`];
}

function about({ backup, revision, version, tables }: RestorePlan['manifest']): string {
  return `the backup of ${backup.time} by ${backup.user}: Slipway ${version}, revision ${revision}, ${tables.entities ?? 0} entities,`;
}
