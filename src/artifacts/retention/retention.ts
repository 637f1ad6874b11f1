// When artifacts are deleted: the disk runs low, or rules say so. Called every few seconds, it deletes due artifacts and nothing else.
import { DutyCycle } from '../../kit/concurrency/duty-cycle.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { Log } from '../../kit/log.ts';
import type { PurgeableRun } from '../../store/artifacts/purgeable-runs.ts';
import { hasRoomEnough, isSet, isToStart, reasonOfSpace } from './disk-space.ts';
import { mayBePurged, type RetentionFacts, RuleDecisions } from './facts.ts';
import type { Purger } from './purger.ts';

export interface RetentionParts {
  readonly facts: RetentionFacts;
  readonly purger: Purger;
  /** Nothing is begun now. */
  isHeld(): boolean;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

type VisitResult = 'gone' | 'stays' | 'enough';

const PURGE_BATCH = 100;
const FULL_LOOK_MS = 60 * 60 * 1000;
/** When a run ends, usually one more is deleted. All other runs are found by the full look. */
const CHECKED_RUNS = 10;
/** Two thirds of the time belong to others, while there are any. */
const DUTY = { share: 0.5, maxRestMs: 1000 };

export class Retention {
  readonly #parts: RetentionParts;
  readonly #duty = new DutyCycle(DUTY);
  /** The keys of pipelines in which a stage has ended since they were looked at. */
  readonly #woken = new Set<string>();
  #mayBeUnfinished = true;
  #fullLookAt = Number.NEGATIVE_INFINITY;
  /** Nothing is left to be deleted of the jobs up to this one. */
  #emptyUpTo = 0;
  /** There is too little room, and nothing more to be deleted: until something happens it need not be looked for. */
  #isExhausted = false;
  #hasWarned = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** This server does it from now on. Another one may have ended in the middle of it. */
  start(): void {
    this.#mayBeUnfinished = true;
    this.#woken.clear();
    this.lookAtAll();
  }

  /** Rules or limits are others than before. */
  lookAtAll(): void {
    this.#fullLookAt = Number.NEGATIVE_INFINITY;
    this.#emptyUpTo = 0;
    this.#isExhausted = false;
  }

  /** Artifacts that had to stay may be deletable now. */
  stagesChanged(): void {
    this.#isExhausted = false;
  }

  stageCompleted(pipelineKey: string): void {
    this.#woken.add(pipelineKey);
    this.#isExhausted = false;
  }

  async work(signal: AbortSignal): Promise<void> {
    const { facts, purger } = this.#parts;
    if (this.#mayBeUnfinished) await purger.finish(signal);
    this.#mayBeUnfinished = false;
    if (facts.now() - this.#fullLookAt >= FULL_LOOK_MS) await this.#lookAtAll(signal);
    else await this.#lookAtWoken(signal);
    await this.#makeRoom(signal);
  }

  async #lookAtAll(signal: AbortSignal): Promise<void> {
    const { facts } = this.#parts;
    this.lookAtAll();
    const begun = facts.now();
    if (facts.rules().length > 0) {
      const decisions = new RuleDecisions(facts);
      await this.#each(0, signal, (run) => this.#byRule(run, decisions));
    }
    if (this.#isToStop(signal)) return;
    this.#fullLookAt = begun;
  }

  async #lookAtWoken(signal: AbortSignal): Promise<void> {
    const { facts } = this.#parts;
    const decisions = new RuleDecisions(facts);
    for (const key of this.#woken) {
      if (this.#isToStop(signal)) return;
      this.#woken.delete(key);
      const { keptFrom } = (await decisions.ofPipeline(key)) ?? {};
      if (keptFrom === undefined) continue;
      const runIds = await facts.runs.newestBelow(key, keptFrom, CHECKED_RUNS);
      for (const run of await facts.runs.ofRuns(runIds)) if (!this.#isToStop(signal)) await this.#byRule(run, decisions);
    }
  }

  async #byRule(run: PurgeableRun, decisions: RuleDecisions): Promise<VisitResult> {
    const reason = await decisions.reason(run);
    if (reason === undefined) return 'stays';
    await this.#purge(run, reason);
    return 'gone';
  }

  async #makeRoom(signal: AbortSignal): Promise<void> {
    const { facts, log } = this.#parts;
    const settings = facts.settings();
    const before = isSet(settings) ? await facts.free() : undefined;
    if (!isToStart(settings, before)) {
      this.#hasWarned = false;
      this.#isExhausted = false;
      return;
    }
    if (this.#isExhausted) return;
    const reason = reasonOfSpace(settings);
    let count = 0;
    const end = await this.#each(this.#emptyUpTo, signal, async (run) => {
      if (!mayBePurged(facts, run)) return 'stays';
      await this.#purge(run, reason);
      count++;
      return hasRoomEnough(settings, await facts.free()) ? 'enough' : 'gone';
    });
    const after = await facts.free();
    if (count > 0) log.info({ stageRuns: count, freeBefore: before, freeAfter: after }, 'artifacts were deleted to make room');
    if (end !== 'all') return;
    this.#isExhausted = true;
    if (!this.#hasWarned) log.warn({ free: after }, 'there is too little disk space for artifacts, and no more of them may be deleted');
    this.#hasWarned = true;
  }

  /** Of all that can be deleted, the oldest first. `all`: it has come to the end. */
  async #each(
    from: number,
    signal: AbortSignal,
    visit: (run: PurgeableRun) => Promise<VisitResult>,
  ): Promise<'all' | 'enough' | 'stopped'> {
    let isEmpty = from === this.#emptyUpTo;
    for (let job = from; ; ) {
      const { runs, next } = await this.#parts.facts.runs.after(job, PURGE_BATCH);
      for (const run of runs) {
        if (this.#isToStop(signal)) return 'stopped';
        const visited = await visit(run);
        if (visited === 'enough') return 'enough';
        if (visited === 'stays') isEmpty = false;
      }
      if (next === undefined) return 'all';
      if (isEmpty) this.#emptyUpTo = next;
      job = next;
      await pause();
    }
  }

  #isToStop(signal: AbortSignal): boolean {
    return signal.aborted || this.#parts.isHeld();
  }

  async #purge(run: PurgeableRun, reason: string): Promise<void> {
    // When it fails half-way, it is finished before anything else.
    this.#mayBeUnfinished = true;
    await this.#duty.run(() => this.#parts.purger.purge(run, reason));
    this.#mayBeUnfinished = false;
  }
}
