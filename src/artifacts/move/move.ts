// Takes all artifacts from one storage to another: first each is copied and read again there, then all go from where they were.
import type { Artifact, Artifacts } from '../../store/builds/artifacts.ts';
import type { JobIdentifier } from '../stage-run.ts';
import type { MovableStorage } from '../storage/storage.ts';
import { copyPage } from './copy-page.ts';
import type { MoveState } from './state.ts';

export interface MoveParts {
  readonly artifacts: Pick<Artifacts, 'page' | 'nextJob'>;
  /** undefined: the database has no such job. */
  identifierOf(job: number): Promise<JobIdentifier | undefined>;
  readonly from: MovableStorage;
  readonly to: MovableStorage;
  /** Whether the files stay where they were. */
  readonly isKeeping: boolean;
  /** Where it ended the last time. */
  readonly state: MoveState;
  /** Returns when it would be known after a crash. */
  save(state: MoveState): void;
  onProgress(state: MoveState): void;
}

export interface MoveResult {
  readonly state: MoveState;
  /** The problems of old files that could not be deleted, in words. */
  readonly undeleted: readonly string[];
}

/** After a crash no more than this is done again, or a single file. */
const PAGE_FILES = 200;
const PAGE_BYTES = 256 * 1024 * 1024;

/** Where files are damaged, all others are copied, and nothing is deleted. */
export async function moveArtifacts(parts: MoveParts): Promise<MoveResult> {
  let state = parts.state;
  const advance = (next: MoveState) => {
    state = next;
    parts.save(state);
    parts.onProgress(state);
  };
  if (state.phase === 'copy') {
    for await (const { identifier, rows } of pagesOf(parts, state)) {
      const { missing, damaged } = await copyPage(parts, identifier, rows);
      advance({
        ...advanced(state, rows),
        files: state.files + filesIn(rows),
        bytes: state.bytes + rows.reduce((sum, { bytes }) => sum + bytes, 0),
        missing: [...state.missing, ...missing],
        damaged: [...state.damaged, ...damaged],
      });
    }
    if (state.damaged.length > 0 || parts.isKeeping) return { state, undeleted: [] };
    advance({ ...state, phase: 'remove', job: 0, path: '', files: 0, bytes: 0 });
  }
  const undeleted: string[] = [];
  for await (const { identifier, rows } of pagesOf(parts, state)) {
    undeleted.push(
      ...(await parts.from.removeFiles(
        identifier,
        rows.map(({ path }) => path),
      )),
    );
    advance({ ...advanced(state, rows), files: state.files + filesIn(rows) });
  }
  return { state, undeleted };
}

interface Page {
  readonly identifier: JobIdentifier;
  readonly rows: readonly Artifact[];
}

/** In the order of jobs and paths, after where it ended. Rows are only read here, so the order stays. */
async function* pagesOf({ artifacts, identifierOf }: MoveParts, { job: last, path }: MoveState): AsyncGenerator<Page> {
  let after = path;
  for (let job = path === '' ? await artifacts.nextJob(last) : last; job !== undefined; job = await artifacts.nextJob(job)) {
    const identifier = await identifierOf(job);
    if (!identifier) throw new Error(`The database has artifacts of the job ${job}, and no such job.`);
    for (;;) {
      const rows = firstOf(await artifacts.page(job, { after }, PAGE_FILES));
      if (rows.length === 0) break;
      yield { identifier, rows };
      after = rows.at(-1)!.path;
    }
    after = '';
  }
}

function firstOf(rows: readonly Artifact[]): readonly Artifact[] {
  let sum = 0;
  const end = rows.findIndex(({ bytes }, index) => (sum += bytes) > PAGE_BYTES && index > 0);
  return end === -1 ? rows : rows.slice(0, end);
}

/** Without empty folders. */
function filesIn(rows: readonly Artifact[]): number {
  return rows.filter(({ path }) => !path.endsWith('/')).length;
}

function advanced(state: MoveState, rows: readonly Artifact[]): MoveState {
  const { job_id: job, path } = rows.at(-1)!;
  return { ...state, job, path };
}
