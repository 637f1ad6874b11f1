// The one way the configuration changes: decide on a draft, check the entities it touches, commit, publish.
import type { CompiledQuery } from 'kysely';
import { type Pause, pause } from '../kit/concurrency/time-slices.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Problem } from '../shape/problems/problem.ts';
import type { WrittenRevision } from '../store/remote-writes.ts';
import type { CommitRevisions, TouchedEntity } from '../store/revisions/changes.ts';
import { SINGLE_PROCESS, StaleDecision, type WriteOrder } from '../store/write-order.ts';
import { ChangeQueue, type TakeBatch } from './change-queue.ts';
import { ChangeTiming } from './change-timing.ts';
import { checkDraft, type EntityCheck } from './check.ts';
import type { Config } from './current.ts';
import { Draft } from './draft.ts';
import type { Edit } from './edit.ts';
import { joinableChangesFor, joinChanges } from './joint/join-changes.ts';
import type { JoinableChanges } from './joint/joinable-changes.ts';
import { type Conditions, InvalidChange, type OnPluginProblems, validateDraft, withEdits } from './large-change.ts';
import { logRowsOf } from './log-row.ts';
import { PendingEdits } from './pending-edits.ts';
import { type DecidedChange, type DecidedLargeChange, delivering, type QueuedChange } from './queued-change.ts';
import { type Author, type Revision, reasonOf } from './revision.ts';
import { SnapshotView } from './snapshot-view.ts';
import { differences, revisionFrom } from './written-revision.ts';

export interface ChangeOptions {
  /** Decides and checks the change, and stops before the commit. */
  readonly dryRun?: boolean;
  /** Statements that reach the disk together with the change. */
  readonly extraStatements?: readonly CompiledQuery[];
}

export interface LargeOptions {
  /** Asked after the decision. */
  readonly dryRun?: boolean | (() => boolean);
  /** Receives the problems that plugins find in settings; the change is then not refused because of them. */
  readonly onPluginProblems?: OnPluginProblems;
  /** Tried out first, while other changes go on: they do not wait for one that is refused in the end. It may be decided twice. */
  readonly tryFirst?: boolean;
}

type TimedOptions = LargeOptions & { readonly timing: ChangeTiming | undefined };

export type DecideLarge<T> = (draft: Draft, pause: Pause) => Promise<T>;

/** A check whose problems depend on the author of the change. */
export type AuthoredCheck = (edit: Edit, draft: Draft, author: Author) => readonly Problem[];

export type ChangeListener = (revision: Revision) => void;

export class Changes {
  readonly #config: Config;
  readonly #commit: CommitRevisions;
  readonly #order: WriteOrder;
  readonly #listeners: ChangeListener[] = [];
  readonly #guards: ((draft: Draft, author: Author) => void)[] = [];
  readonly #checks: AuthoredCheck[] = [];
  readonly #completions: ((draft: Draft) => void)[] = [];
  readonly #queue = new ChangeQueue<QueuedChange>((take) => this.#applySmall(take));
  /** The views of the changes that are tried out at the moment. */
  readonly #views = new Set<SnapshotView>();
  readonly #logRow: ReturnType<typeof logRowsOf>;
  #joinable: JoinableChanges | undefined;

  constructor(config: Config, commit: CommitRevisions, order: WriteOrder = SINGLE_PROCESS) {
    this.#config = config;
    this.#commit = commit;
    this.#order = order;
    this.#logRow = logRowsOf(config.kinds.values());
  }

  /** Adds a condition that every change must meet: the guard throws a refusal when the draft does not. */
  addGuard(guard: (draft: Draft, author: Author) => void): void {
    this.#guards.push(guard);
  }

  /** Adds a check of every entity that is put; the problems it finds are shown beside the field, like those of rules. */
  addCheck(check: AuthoredCheck): void {
    this.#checks.push(check);
  }

  /** Adds a completion of every change: it may edit the draft further, before the draft is checked. */
  addCompletion(completion: (draft: Draft) => void): void {
    this.#completions.push(completion);
  }

  /** Sets the changes that may be joined to a change that would be refused otherwise. */
  setJoinable(joinable: JoinableChanges): void {
    this.#joinable = joinable;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Publishes the revisions that another server has written, except those already known. */
  follow(revisions: readonly WrittenRevision[]): void {
    for (const written of revisions) if (written.revision > this.#config.revision) this.#publish(revisionFrom(written, this.#config));
  }

  /** Publishes the configuration that the database holds now: to be called when it was set back, or is too far ahead. */
  replaceAll(loaded: Config): void {
    const { revision } = loaded;
    const edits = differences(this.#config, loaded);
    this.#publish({
      revision,
      time: new Date(this.#order.now()).toISOString(),
      actor: '',
      token: null,
      address: null,
      reason: null,
      edits,
    });
  }

  /** Runs `decide` on a draft while no other change can come between, and returns its result once the change is on disk. */
  apply<T>(author: Author, decide: (draft: Draft) => T, { dryRun = false, extraStatements = [] }: ChangeOptions = {}): Promise<T> {
    const timing = ChangeTiming.begin();
    return new Promise<T>((resolve, reject) =>
      this.#queue.add({ author, isDryRun: dryRun, extraStatements, decide: delivering(decide, resolve), reject, timing }),
    );
  }

  /**
   * Applies a change of very many entities, which is decided, checked and published in slices: reads go on meanwhile, other
   * changes wait. All that is wrong with it is found, and thrown as `InvalidChange`. Other changes do not wait for a dry run.
   */
  async applyLarge<T>(author: Author, decide: DecideLarge<T>, given: LargeOptions = {}): Promise<T> {
    const options: TimedOptions = { ...given, timing: ChangeTiming.begin() };
    if (options.dryRun !== true && !options.tryFirst) return this.runExclusive(() => this.#applyInSlices(author, decide, options));
    const view = new SnapshotView(this.#config);
    this.#views.add(view);
    try {
      const tried = await this.#decideInSlices(view.draft(), author, decide, options);
      return tried.isDryRun ? tried.result : await this.runExclusive(() => this.#applyTried(tried, view, author, decide, options));
    } finally {
      this.#views.delete(view);
    }
  }

  /** Other changes made meanwhile may conflict with it: then it is decided once more, and may be refused. */
  async #applyTried<T>(
    tried: DecidedLargeChange<T>,
    view: SnapshotView,
    author: Author,
    decide: DecideLarge<T>,
    options: TimedOptions,
  ): Promise<T> {
    this.#views.delete(view);
    options.timing?.lap('wait');
    const draft = view.isCurrent ? tried.draft : view.rebased(tried.draft);
    const isGood =
      draft && (view.isCurrent || !(await validateDraft(draft, { ...this.#conditions(author, options), completions: [] }, pause)));
    if (!isGood) return this.#applyInSlices(author, decide, options);
    await this.#commitInSlices(draft.edits, tried.reason, author);
    options.timing?.lap('commit');
    return tried.result;
  }

  #checksOf(author: Author): EntityCheck[] {
    return this.#checks.map((check) => (edit, draft) => check(edit, draft, author));
  }

  #conditions(author: Author, { onPluginProblems }: LargeOptions): Conditions {
    const guards = this.#guards.map((guard) => (draft: Draft) => guard(draft, author));
    return { checks: this.#checksOf(author), guards, completions: this.#completions, onPluginProblems };
  }

  /** Runs work while no change is under way: for data outside of the configuration that is checked against it. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => this.#queue.runExclusive(() => this.#order.serialized(work).then(resolve, reject)));
  }

  async #applyInSlices<T>(
    author: Author,
    decide: DecideLarge<T>,
    options: TimedOptions,
    extraStatements?: readonly CompiledQuery[],
  ): Promise<T> {
    options.timing?.lap('wait');
    const decided = await this.#decideInSlices(new Draft(this.#config), author, decide, options);
    if (!decided.isDryRun) await this.#commitInSlices(decided.draft.edits, decided.reason, author, extraStatements);
    if (!decided.isDryRun) options.timing?.lap('commit');
    return decided.result;
  }

  async #decideInSlices<T>(draft: Draft, author: Author, decide: DecideLarge<T>, options: TimedOptions): Promise<DecidedLargeChange<T>> {
    const { dryRun = false, timing } = options;
    const result = await decide(draft, pause);
    const conditions = this.#conditions(author, options);
    const wrong = await validateDraft(draft, conditions, pause);
    const joined = wrong && (await joinChanges(draft, wrong, this.#joinable, conditions, pause));
    timing?.lap('decide');
    if (wrong && !joined) throw wrong;
    return { draft, result, reason: joined?.reason ?? null, isDryRun: typeof dryRun === 'function' ? dryRun() : dryRun };
  }

  async #commitInSlices(edits: readonly Edit[], reason: string | null, author: Author, extraStatements: readonly CompiledQuery[] = []) {
    const revision = this.#revisionOf(edits, this.#config.revision + 1, { ...author, reason: reasonOf(author, reason) });
    if (!revision) return;
    const next = await withEdits(this.#config, revision.edits, pause);
    const rows: TouchedEntity[] = [];
    for (const edit of revision.edits) {
      rows.push(this.#logRow(edit));
      await pause();
    }
    await this.#commit([{ revision, touched: rows, extraStatements }]);
    this.#config.replaceWith(next);
    this.#announce(revision);
  }

  async #applySmall(take: TakeBatch<QueuedChange>): Promise<void> {
    let batch: readonly QueuedChange[] | undefined;
    try {
      await this.#order.serializedWithRetry((isExclusive) => {
        batch ??= take(); // by now more may have come
        return this.#applyTogether(batch, isExclusive);
      });
    } catch (failure) {
      for (const { reject } of batch ?? take()) reject(failure);
    }
  }

  /** Each is checked as if those before it were done; all reach the disk together, or none. */
  async #applyTogether(batch: readonly QueuedChange[], isExclusive: boolean): Promise<void> {
    const pending = new PendingEdits(this.#config);
    const decided = batch.flatMap((queued) => this.#decide(queued, pending, isExclusive) ?? []);
    const toWrite = decided.flatMap(({ revision, queued: { extraStatements } }) =>
      revision ? [{ revision, touched: revision.edits.map(this.#logRow), extraStatements }] : [],
    );
    try {
      if (toWrite.length > 0) await this.#commit(toWrite);
    } catch (failure) {
      if (failure instanceof StaleDecision) throw failure;
      for (const { queued } of decided) queued.reject(failure);
      return;
    }
    for (const { queued } of decided) queued.timing?.lap('commit');
    for (const { revision } of toWrite) this.#publish(revision);
    // The next batch goes to the disk first: these are answered while it is written.
    for (const { deliver } of decided) setImmediate(deliver);
  }

  /** Where other servers may write meanwhile, only changes that will be written are decided: their commit shows whether others did. */
  #decide(queued: QueuedChange, pending: PendingEdits, isExclusive: boolean): DecidedChange | undefined {
    const { author, decide, isDryRun, reject, timing } = queued;
    const draft = new Draft(this.#config, pending);
    timing?.lap('wait');
    try {
      const deliver = decide(draft);
      for (const completion of this.#completions) completion(draft);
      checkDraft(draft, this.#checksOf(author));
      for (const guard of this.#guards) guard(draft, author);
      const revision = isDryRun ? undefined : this.#revisionOf(draft.edits, draft.revision, author);
      if (revision) pending.add(draft);
      else if (!isExclusive) throw new StaleDecision();
      timing?.lap('decide');
      return { queued, deliver, revision };
    } catch (failure) {
      if (!isExclusive) throw new StaleDecision();
      const canJoinOthers = failure instanceof Refusal && failure.kind === 'invalid' && joinableChangesFor(draft, this.#joinable);
      if (canJoinOthers) this.#queue.runExclusive(() => this.#order.serialized(() => this.#applyJoined(queued, failure)).catch(reject));
      else reject(failure);
      return undefined;
    }
  }

  /**
   * A refused change, once more with changes that may join it. It is decided anew: the changes it was checked against may
   * not have reached the disk, and other changes may have come between.
   */
  #applyJoined({ author, decide, isDryRun, extraStatements, reject, timing }: QueuedChange, refusal: Refusal): Promise<void> {
    const isRefused = (failure: unknown) => failure instanceof Refusal || failure instanceof InvalidChange;
    return this.#applyInSlices(author, async (draft) => decide(draft), { dryRun: isDryRun, timing }, extraStatements).then(
      (deliver) => deliver(),
      (failure) => reject(isRefused(failure) ? refusal : failure),
    );
  }

  /** Undefined: nothing has changed. */
  #revisionOf(all: readonly Edit[], revision: number, { actor, token, address, reason }: Author): Revision | undefined {
    const edits = all.filter((edit) => edit.before !== edit.after);
    if (edits.length === 0) return undefined;
    return { revision, time: new Date(this.#order.now()).toISOString(), actor, token, address, reason, edits };
  }

  #publish(revision: Revision): void {
    for (const { kind, key, after } of revision.edits) this.#config.replace(kind, key, after);
    this.#announce(revision);
  }

  #announce(revision: Revision): void {
    this.#config.revision = revision.revision;
    for (const view of this.#views) view.hide(revision.edits);
    for (const listener of this.#listeners) listener(revision);
  }
}
