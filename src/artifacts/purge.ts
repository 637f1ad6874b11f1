// Makes room on the disk of the artifacts by deleting those of the oldest stage runs.
import { hasRoomEnough, isToStart, type PurgeSettings, purgeOrder } from './purge-order.ts';
import { deleteFiles, findStageFiles } from './stage-files.ts';
import type { StageRun } from './stage-run.ts';

export interface PurgeParts {
  /** The artifacts directory. */
  readonly root: () => string;
  readonly settings: () => PurgeSettings;
  /** Bytes free on its disk now; undefined when it does not exist. */
  readonly free: (root: string) => Promise<number | undefined>;
  /** Completed runs above this id, in the order of their ids; an empty list ends it. */
  readonly runsAfter: (id: number, most: number) => Promise<readonly StageRun[]>;
  /** Also when not every file could be deleted: they are not tried again and again. */
  readonly markDeleted: (run: StageRun) => Promise<void>;
}

export interface PurgedRun {
  readonly run: Pick<StageRun, 'id' | 'pipeline' | 'pipelineCounter' | 'stage' | 'stageCounter'>;
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly string[];
}

export interface PurgeReport {
  readonly isNeeded: boolean;
  readonly freeBefore: number | undefined;
  /** As measured; for a report of what would happen, as expected. */
  readonly freeAfter: number | undefined;
  /** Whether the goal is reached; not when the runs have run out before. */
  readonly isEnough: boolean;
  readonly purged: readonly PurgedRun[];
}

const BATCH = 100;

/** With `isDryRun`, what would happen. */
export async function purge(parts: PurgeParts, { isDryRun = false } = {}): Promise<PurgeReport> {
  const root = parts.root();
  const settings = parts.settings();
  const freeBefore = await parts.free(root);
  if (freeBefore === undefined || !isToStart(settings, freeBefore)) {
    return { isNeeded: false, freeBefore, freeAfter: freeBefore, isEnough: true, purged: [] };
  }
  const purged: PurgedRun[] = [];
  let free = freeBefore;
  for await (const run of oldestFirst(parts)) {
    const { deletable, problems } = await findStageFiles(root, run);
    const bytes = deletable.reduce((sum, one) => sum + one.bytes, 0);
    const files = deletable.reduce((sum, one) => sum + one.files, 0);
    const failed = isDryRun ? [] : await deleteFiles(deletable);
    if (!isDryRun) await parts.markDeleted(run);
    const { id, pipeline, pipelineCounter, stage, stageCounter } = run;
    purged.push({ run: { id, pipeline, pipelineCounter, stage, stageCounter }, files, bytes, problems: [...problems, ...failed] });
    free = isDryRun ? free + bytes : ((await parts.free(root)) ?? free);
    if (hasRoomEnough(settings, free)) return { isNeeded: true, freeBefore, freeAfter: free, isEnough: true, purged };
  }
  return { isNeeded: true, freeBefore, freeAfter: free, isEnough: false, purged };
}

async function* oldestFirst({ runsAfter }: PurgeParts): AsyncGenerator<StageRun> {
  let last = 0;
  while (true) {
    const batch = await runsAfter(last, BATCH);
    if (batch.length === 0) return;
    yield* purgeOrder(batch);
    last = Math.max(...batch.map(({ id }) => id));
  }
}

/** One purge at a time; whoever asks during one gets one more after it, and all who ask meanwhile share that. */
export class Purger {
  readonly #parts: PurgeParts;
  readonly #onReport: (report: PurgeReport) => void;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(parts: PurgeParts, onReport: (report: PurgeReport) => void) {
    this.#parts = parts;
    this.#onReport = onReport;
  }

  /** Returns when the purge that was asked for has ended. */
  request(): Promise<void> {
    if (!this.#running) return (this.#running = this.#run());
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return (this.#running = this.#run());
      });
    return this.#next;
  }

  async #run(): Promise<void> {
    try {
      const report = await purge(this.#parts);
      if (report.isNeeded) this.#onReport(report);
    } finally {
      this.#running = undefined;
    }
  }
}
