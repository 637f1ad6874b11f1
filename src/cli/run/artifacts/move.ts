// The command that takes artifacts from the folder of an installation to a bucket, or back.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type MoveResult, moveArtifacts } from '../../../artifacts/move/move.ts';
import { begun, type MoveState, readState, removeState, writeState } from '../../../artifacts/move/state.ts';
import type { JobIdentifier } from '../../../artifacts/stage-run.ts';
import { type BucketAddress, describeBucket, readBucketAddress } from '../../../artifacts/storage/bucket/address.ts';
import { ArtifactBucket } from '../../../artifacts/storage/bucket/bucket.ts';
import type { BucketMessage } from '../../../artifacts/storage/bucket/bucket-messages.ts';
import { ArtifactFolder } from '../../../artifacts/storage/folder.ts';
import { identifierOf } from '../../../builds/jobs/original-job.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { escapeInvisible } from '../../../kit/text/invisible-characters.ts';
import { pluralize } from '../../../kit/text/pluralize.ts';
import { variableOf } from '../../../server/settings.ts';
import type { KindName } from '../../../shape/configuration.ts';
import { Artifacts } from '../../../store/builds/artifacts.ts';
import { Jobs } from '../../../store/builds/jobs.ts';
import { Runs } from '../../../store/builds/runs.ts';
import { StageRuns } from '../../../store/builds/stage-runs.ts';
import type { Database } from '../../../store/database.ts';
import { DirectoryInUse, mustBeWhole, takeDataDirectory } from '../../../store/files/data-directory.ts';
import { DirectoryMoved } from '../../../store/files/moved.ts';
import { migrate } from '../../../store/migrate.ts';
import { type DatabaseSource, readOnlyRows } from '../../../store/source.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { explainingFailures } from '../../terminal/database.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { type Installation, type InstallationValues, installationIn } from '../../terminal/installation.ts';
import { Progress } from '../../terminal/progress.ts';
import { databaseExists, openForImport } from '../import/open-for-import.ts';

const FOLDER = 'folder';
const STATE_FILE = 'artifacts-move.json';
const MAX_NAMED = 10;
const MEBIBYTE = 1024 * 1024;

interface MoveValues extends InstallationValues {
  readonly to: string | undefined;
  readonly from: string | undefined;
  readonly keep: boolean;
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

interface Move {
  readonly installation: Installation;
  readonly bucket: BucketAddress;
  readonly isToBucket: boolean;
  readonly isKeeping: boolean;
}

export async function runArtifactsMove({ values }: ParsedArguments<MoveValues>, context: Context): Promise<number> {
  const { bucket, isToBucket } = endsIn(values, context);
  const refused = (failure: unknown) => [DirectoryInUse, DirectoryMoved].some((kind) => failure instanceof kind);
  try {
    const installation = installationIn(values, context);
    const move: Move = { installation, bucket, isToBucket, isKeeping: values.keep };
    const { source, dataDir } = installation;
    if (!existsSync(dataDir) || !(await databaseExists(source)))
      throw new CommandFailed(`There is no database of a server in the data directory ${dataDir}. Give --data-dir.`);
    const moved = await explainingFailures(source, () => runMove(move, new Progress(context.err)));
    context.out.write(movedText(moved, move));
    return moved.state.damaged.length > 0 || moved.undeleted.length > 0 ? 1 : 0;
  } catch (failure) {
    if (refused(failure)) throw new CommandFailed((failure as Error).message, { cause: failure });
    throw failure;
  }
}

function endsIn(values: MoveValues, { environment }: Context): Pick<Move, 'bucket' | 'isToBucket'> {
  const { to } = values;
  if (to === undefined) throw new UsageError('Say where to: --to s3://bucket/prefix, or --to folder.');
  const isToBucket = to !== FOLDER;
  const written = isToBucket ? to : values.from || environment[variableOf('artifacts-bucket')];
  if (!written)
    throw new UsageError(`Name the bucket that they are in with --from s3://bucket/prefix (${variableOf('artifacts-bucket')}).`);
  const endpoint = values.endpoint || environment[variableOf('artifacts-endpoint')];
  const region = values.region || environment[variableOf('artifacts-region')];
  const read = readBucketAddress(written, { endpoint, region }, environment);
  if ('problem' in read) throw new UsageError(`--${isToBucket ? 'to' : 'from'} ${read.problem}.`);
  return { bucket: read.address, isToBucket };
}

async function runMove(move: Move, progress: Progress): Promise<MoveResult> {
  const { dataDir, source } = move.installation;
  mustBeWhole(dataDir);
  const directory = takeDataDirectory(dataDir);
  try {
    const database = await openForImport(source, '');
    try {
      await migrate(database);
      return await moveIn(database, move, progress);
    } finally {
      await database.close();
    }
  } finally {
    progress.end();
    directory.release();
  }
}

async function moveIn(database: Database, move: Move, progress: Progress): Promise<MoveResult> {
  const { installation, bucket, isToBucket, isKeeping } = move;
  const root = await artifactsFolder(installation.source, installation.dataDir);
  let trouble: BucketMessage | undefined;
  const inFolder = new ArtifactFolder(() => root);
  const inBucket = new ArtifactBucket({ address: bucket, folder: () => root, onTrouble: (now) => (trouble = now ?? trouble) });
  const [from, to] = isToBucket ? [inFolder, inBucket] : [inBucket, inFolder];
  const file = join(installation.dataDir, STATE_FILE);
  const artifacts = new Artifacts(database);
  const total = await artifacts.totals();
  // A server that ran since then may have published files that would be deleted without a copy.
  const name = JSON.stringify({ root, endpoint: bucket.endpoint, bucket: describeBucket(bucket), isToBucket, ...total });
  const onProgress = (state: MoveState) => show(progress, state, total);
  try {
    await inBucket.start();
    const state = readState(file, name) ?? begun(name);
    onProgress(state);
    const save = (next: MoveState) => writeState(file, next);
    const moved = await moveArtifacts({ artifacts, identifierOf: identifiersIn(database), from, to, isKeeping, state, save, onProgress });
    removeState(file);
    if (moved.state.missing.length > 0 && moved.state.missing.length === total.files) throw new CommandFailed(nothingFound(move, root));
    return moved;
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    const why = trouble ? `${trouble.message} ${trouble.detail}` : failure.message;
    throw new CommandFailed(`${why}\nNothing is lost. Run the command again, and it goes on where it was.`, { cause: failure });
  }
}

/** The message when no file is found: the source is probably wrong, as it is unlikely that all of them are gone. */
function nothingFound({ bucket, isToBucket }: Move, root: string): string {
  const [from, to] = isToBucket ? [root, describeBucket(bucket)] : [describeBucket(bucket), root];
  const check = isToBucket ? '--data-dir, and `artifacts_dir` of the artifacts config' : '--from, and --endpoint';
  return `None of the published files is in ${from}, nor in ${to}. Nothing was moved. Check ${check}.`;
}

function show(progress: Progress, { phase, files, bytes }: MoveState, total: { readonly files: number; readonly bytes: number }): void {
  const count = `: ${files} of ${pluralize(total.files, 'file')}`;
  if (phase === 'remove') progress.show('Deleting them where they were', count, files, total.files);
  else progress.show('Copying artifacts', `${count}, ${mebibytes(bytes)} of ${mebibytes(total.bytes)} MiB`, bytes, total.bytes);
}

function identifiersIn(database: Database): (job: number) => Promise<JobIdentifier | undefined> {
  const [jobs, stageRuns, runs] = [new Jobs(database), new StageRuns(database), new Runs(database)];
  return async (id) => {
    const job = await jobs.byId(id);
    const stageRun = job && (await stageRuns.byId(job.stage_run_id));
    const run = stageRun && (await runs.byId(stageRun.run_id));
    return run && identifierOf(run, stageRun, job.name);
  };
}

/** As the configuration has it. */
async function artifactsFolder(source: DatabaseSource, dataDir: string): Promise<string> {
  const [found] = (await readOnlyRows(source, (rows) => rows.entities('artifactsConfig' satisfies KindName))) ?? [];
  const folder = found !== null && typeof found === 'object' && 'artifactsDir' in found ? found.artifactsDir : undefined;
  return resolve(dataDir, typeof folder === 'string' ? folder : 'artifacts');
}

function movedText({ state, undeleted }: MoveResult, { bucket, isToBucket, isKeeping }: Move): string {
  const where = isToBucket ? describeBucket(bucket) : 'the folder';
  const lines: string[] = [];
  if (state.damaged.length > 0) {
    lines.push(`${named(state.damaged, 'is not what was published', 'are not what was published')}`);
    lines.push(
      `All others are in ${where}. Nothing was deleted where it was. Put back what was published, or delete these files, and run the command again.`,
    );
  } else lines.push(`All artifacts are in ${where}${isKeeping ? ', and still where they were' : ''}.`);
  if (state.missing.length > 0) lines.push(named(state.missing, 'was gone before', 'were gone before'));
  if (undeleted.length > 0) lines.push(named(undeleted, 'could not be deleted where it was', 'could not be deleted where they were'));
  const variable = variableOf('artifacts-bucket');
  lines.push(isToBucket ? `Start the server with ${variable}=${where}.` : `Start the server without ${variable}.`);
  return `${lines.join('\n')}\n`;
}

/** Names can hold control sequences for the terminal. */
function named(names: readonly string[], one: string, many: string): string {
  const more = names.length > MAX_NAMED ? '\n  …' : '';
  const list = names.slice(0, MAX_NAMED).map((name) => `\n  ${escapeInvisible(name)}`);
  return `${pluralize(names.length, 'file')} ${names.length === 1 ? one : many}:${list.join('')}${more}`;
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(bytes < 10 * MEBIBYTE ? 1 : 0);
}
