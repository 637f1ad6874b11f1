// The command that restores a backup into the data directory of a server that does not run.
import { NotABackup } from '../../backup/manifest.ts';
import { planRestore, type Restored, type RestorePlan, RestoreRefused, type RestoreWish, restore } from '../../backup/restore/restore.ts';
import { DirectoryInUse } from '../../store/files/data-directory.ts';
import type { Given } from '../terminal/command.ts';
import { type Context, pathIn } from '../terminal/context.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { dataDirOf } from '../terminal/target.ts';

interface RestoreValues {
  readonly plan: boolean;
  readonly replace: boolean;
  readonly 'data-dir': string | undefined;
}

export async function runRestore({ values, words: [folder = ''] }: Given<RestoreValues>, context: Context): Promise<number> {
  const { plan: isPlan, replace: isReplacing, 'data-dir': directory } = values;
  const wish: RestoreWish = { folder: pathIn(context, folder), dataDir: dataDirOf(directory, context), isReplacing };
  try {
    context.out.write(isPlan ? planText(await planRestore(wish), wish) : doneText(await restore(wish), wish));
    return 0;
  } catch (failure) {
    if (!(failure instanceof RestoreRefused || failure instanceof NotABackup || failure instanceof DirectoryInUse)) throw failure;
    const problems = failure instanceof RestoreRefused ? failure.problems : [];
    throw new CommandFailed([failure.message, ...problems.map((problem) => `  ${problem}`)].join('\n'), { cause: failure });
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
