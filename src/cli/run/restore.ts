// The command that restores a backup into the data directory of a server that does not run.
import { NotABackup } from '../../backup/read-manifest.ts';
import { RestoreRefused } from '../../backup/restore/refused.ts';
import { planRestore, type RestorePlan, type RestoreRequest, type RestoreResult, restore } from '../../backup/restore/restore.ts';
import { escapeInvisible } from '../../kit/text/invisible-characters.ts';
import { pluralize } from '../../kit/text/pluralize.ts';
import { CopyRefused } from '../../store/copy/refused.ts';
import { DirectoryInUse } from '../../store/files/data-directory.ts';
import { describeAddress } from '../../store/postgres/address.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, pathIn } from '../terminal/context.ts';
import { databaseIn } from '../terminal/database.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { Progress } from '../terminal/progress.ts';
import { dataDirOf } from '../terminal/target.ts';
import { megabytes } from './backup-text.ts';

/** Of files that are left out: there can be many. */
const MAX_NAMED = 5;

interface RestoreValues {
  readonly plan: boolean;
  readonly replace: boolean;
  readonly 'database-url': string | undefined;
  readonly 'data-dir': string | undefined;
}

export async function runRestore(
  { values, positionals: [folder = ''] }: ParsedArguments<RestoreValues>,
  context: Context,
): Promise<number> {
  const { plan: isPlan, replace: isReplacing, 'data-dir': directory } = values;
  const target = databaseIn(values['database-url'], context.environment);
  const progress = new Progress(context.err);
  const request: RestoreRequest = {
    folder: pathIn(context, folder),
    dataDir: dataDirOf(directory, context),
    isReplacing,
    target,
    onBytes: (done, total) =>
      progress.show(`${isPlan ? 'Checking' : 'Unpacking'} the backup`, `: ${megabytes(done)} of ${megabytes(total)}`, done, total),
    onRows: (table, done, all) => all > 0 && progress.show(`Copying ${table}`, `: ${done} of ${all} rows`, done, all),
  };
  const outcome = async () => (isPlan ? planText(await planRestore(request), request) : doneText(await restore(request), request));
  try {
    context.out.write(await outcome().finally(() => progress.end()));
    return 0;
  } catch (failure) {
    const isRefusal = [RestoreRefused, NotABackup, DirectoryInUse, CopyRefused].some((kind) => failure instanceof kind);
    if (!isRefusal) throw failure;
    const problems = failure instanceof RestoreRefused ? failure.problems : [];
    throw new CommandFailed([(failure as Error).message, ...problems.map((problem) => `  ${escapeInvisible(problem)}`)].join('\n'), {
      cause: failure,
    });
  }
}

function planText(plan: RestorePlan, request: RestoreRequest): string {
  const aside = plan.putAside.length === 0 ? 'Nothing there has to be put aside.' : `Put aside: ${listed(plan.putAside)}`;
  return `${[`Would restore ${about(plan.manifest)}`, `into ${targets(request)}. ${aside}`, 'The backup is whole.', ...remarks(plan)].join('\n')}\n`;
}

function doneText(restored: RestoreResult, request: RestoreRequest): string {
  const lines = [`Restored ${about(restored.manifest)}`, `into ${targets(request)}.`];
  if (restored.aside !== undefined) lines.push(`What was there is in ${restored.aside}.`);
  return `${[...lines, ...remarks(restored)].join('\n')}\n`;
}

function targets({ dataDir, target }: RestoreRequest): string {
  return target ? `the database ${describeAddress(target)} and ${dataDir}` : dataDir;
}

function remarks({ programs, leftOut }: RestorePlan): string[] {
  const lines: string[] = [];
  if (programs.length > 0) lines.push(`Restored without the right to be run (check them, then chmod u+x): ${listed(programs)}`);
  if (leftOut.length > 0) {
    const more = leftOut.length > MAX_NAMED ? ', …' : '';
    const names = `${listed(leftOut.slice(0, MAX_NAMED))}${more}`;
    lines.push(`Left out, because artifacts are not restored: ${pluralize(leftOut.length, 'file')} of the backup (${names})`);
  }
  return lines;
}

function about({ backup, revision, version, tables }: RestorePlan['manifest']): string {
  const origin = escapeInvisible(`the backup of ${backup.time} by ${backup.user}: Slipway ${version}`);
  return `${origin}, revision ${revision}, ${tables.entities ?? 0} entities,`;
}

/** Names can hold control sequences for the terminal. */
function listed(names: readonly string[]): string {
  return names.map(escapeInvisible).join(', ');
}
