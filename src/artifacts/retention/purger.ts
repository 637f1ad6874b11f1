// Deletes the artifacts of a stage run: first it is written down, then the files go. Killed in between, it is finished later.
import type { Log } from '../../kit/log.ts';
import type { PurgeableRun, PurgeableRuns, PurgeSize } from '../../store/artifacts/purgeable-runs.ts';
import type { Purges } from '../../store/artifacts/purges.ts';
import type { Database } from '../../store/database.ts';
import type { CommitWithEvents, NewEvent } from '../../store/write-with-events.ts';
import type { Publications } from '../publications.ts';
import type { ArtifactStorage } from '../storage/storage.ts';

export interface PurgerParts {
  /** The database as the keeper writes to it. */
  readonly database: Pick<Database, 'writeRelaxed' | 'now'>;
  readonly write: CommitWithEvents;
  readonly runs: PurgeableRuns;
  readonly purges: Purges;
  readonly storage: Pick<ArtifactStorage, 'remove'>;
  readonly publications: Pick<Publications, 'whileNoneIsPublished'>;
  readonly log: Pick<Log, 'warn'>;
}

export class Purger {
  readonly #parts: PurgerParts;

  constructor(parts: PurgerParts) {
    this.#parts = parts;
  }

  async purge(run: PurgeableRun, reason: string): Promise<PurgeSize> {
    const { database, write, runs, purges, publications } = this.#parts;
    // A publication that is under way would put its rows after this commit, and its files would be gone.
    const size = await publications.whileNoneIsPublished(run, async () => {
      const found = await runs.sizeOf(run.id);
      const begun = purges.begin({ stageRun: run.id, reason, at: database.now() });
      const statements = [...begun, ...purges.remove(await purges.next(run.id), run.pipelineKey)];
      await write([{ events: [artifactsPurged(run, found, reason)], statements }]);
      return found;
    });
    await this.#removeAll(run);
    return size;
  }

  /** Purges that were begun before and not completed. */
  async finish(signal: AbortSignal): Promise<void> {
    const { purges, runs } = this.#parts;
    for (const { stage_run_id: id } of await purges.unfinished()) {
      if (signal.aborted) return;
      const run = await runs.byId(id);
      if (run) await this.#removeAll(run);
    }
  }

  /** Files go last: as long as one is listed, it can be read. */
  async #removeAll(run: PurgeableRun): Promise<void> {
    const { database, purges } = this.#parts;
    for (let rows = await purges.next(run.id); rows.length > 0; rows = await purges.next(run.id))
      await database.writeRelaxed(purges.remove(rows, run.pipelineKey));
    await this.#removeFiles(run);
  }

  /** Files that cannot be deleted are not tried again and again. When the storage cannot be reached at all, they are. */
  async #removeFiles(run: PurgeableRun): Promise<void> {
    const { database, purges, storage, log } = this.#parts;
    const { pipeline, pipelineCounter, stage, stageCounter } = run;
    const problems = await storage.remove({ pipeline, pipelineCounter, stage, stageCounter });
    if (problems.length > 0) log.warn({ stageRun: locatorOf(run), problems }, 'some artifacts could not be deleted');
    await database.writeRelaxed([purges.end(run.id)]);
  }
}

function locatorOf({ pipeline, pipelineCounter, stage, stageCounter }: PurgeableRun): string {
  return [pipeline, pipelineCounter, stage, stageCounter].join('/');
}

function artifactsPurged(run: PurgeableRun, { files, bytes }: PurgeSize, reason: string): NewEvent {
  const { pipeline, pipelineCounter, stage, stageCounter } = run;
  return {
    type: 'artifacts.purged',
    actor: null,
    about: [{ resource: 'pipelines', id: pipeline }],
    data: { pipeline_counter: pipelineCounter, stage, stage_counter: stageCounter, files, bytes, reason },
  };
}
