// The one way the configuration changes: decide on a draft, check what it touches, commit, publish.
import type { CompiledQuery } from 'kysely';
import { Refusal } from '../kit/refusal.ts';
import { type Pause, slices } from '../kit/slices.ts';
import { addressOf } from '../shape/resource.ts';
import type { CommitRevisions, TouchedEntity } from '../store/changes.ts';
import type { RevisionRow } from '../store/tables.ts';
import { check, type Judge } from './check.ts';
import type { Companions, Unaccepted } from './companions.ts';
import type { Config } from './current.ts';
import { Accepted, Draft, type Edit } from './draft.ts';
import { mustBeAcceptable, type OnOpinions, Unacceptable, withEdits } from './large-change.ts';

export interface Author {
  readonly actor: string;
  readonly token: number | null;
  readonly address: string | null;
  readonly reason: string | null;
}

export interface Revision extends Readonly<RevisionRow> {
  readonly edits: readonly Edit[];
}

export interface ChangeOptions {
  /** Goes all the way to the verdict and stops before the commit. */
  readonly dryRun?: boolean;
  /** Statements that reach the disk together with the change. */
  readonly alongside?: readonly CompiledQuery[];
}

export interface LargeOptions {
  /** Asked after the decision. */
  readonly dryRun?: boolean | (() => boolean);
  /** Is told what plugins say of their settings, which then does not stand in the way. */
  readonly onOpinions?: OnOpinions;
}

export type DecideLarge<T> = (draft: Draft, pause: Pause) => Promise<T>;

export type ChangeListener = (revision: Revision) => void;

/** A change that somebody waits for. */
interface Waiting {
  readonly author: Author;
  readonly isDryRun: boolean;
  readonly alongside: readonly CompiledQuery[];
  readonly decide: (draft: Draft) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (failure: unknown) => void;
}

/** Something that has the configuration for itself when its turn comes. */
interface Turn {
  run(): Promise<void>;
}

/** A change that was found good, with what its waiter gets once it is on disk. */
interface Decided {
  readonly waiting: Waiting;
  readonly result: unknown;
  readonly revision: Revision | undefined;
}

const MOST_AT_ONCE = 100;
const TOLD_ALREADY: OnOpinions = () => {};

export class Changes {
  readonly #config: Config;
  readonly #commit: CommitRevisions;
  readonly #listeners: ChangeListener[] = [];
  readonly #guards: ((draft: Draft) => void)[] = [];
  readonly #judges: Judge[] = [];
  readonly #completions: ((draft: Draft) => void)[] = [];
  readonly #waiting: (Waiting | Turn)[] = [];
  #companions: Companions | undefined;
  #isAwake = false;

  constructor(config: Config, commit: CommitRevisions) {
    this.#config = config;
    this.#commit = commit;
  }

  /** Adds a condition that every change must meet; it looks at the draft and throws a refusal. */
  require(guard: (draft: Draft) => void): void {
    this.#guards.push(guard);
  }

  /** Adds a judge of every entity that is put; what it finds stands beside the field, as what rules find. */
  judge(judge: Judge): void {
    this.#judges.push(judge);
  }

  /** Adds what has to go along with a change: it may edit the draft further, before anything of it is checked. */
  complete(completion: (draft: Draft) => void): void {
    this.#completions.push(completion);
  }

  /** Says who may come along with a change that would be refused otherwise. */
  accompany(companions: Companions): void {
    this.#companions = companions;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Runs `decide` on a draft while no other change can come between, and returns what it returned once that is on disk. */
  apply<T>(author: Author, decide: (draft: Draft) => T, { dryRun = false, alongside = [] }: ChangeOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => this.#enqueue({ author, isDryRun: dryRun, alongside, decide, resolve, reject }));
  }

  /**
   * The same for a change of very many entities, which is decided, checked and published in slices: reads go on meanwhile, other
   * changes wait. All that is wrong with it is found, and thrown as `Unacceptable`.
   */
  applyLarge<T>(author: Author, decide: DecideLarge<T>, options: LargeOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) =>
      this.#enqueue({ run: () => this.#applyInSlices(author, decide, options).then(resolve, reject) }),
    );
  }

  #enqueue(one: Waiting | Turn): void {
    this.#waiting.push(one);
    if (this.#isAwake) return;
    this.#isAwake = true;
    // Not at once: changes that arrive in the same turn share one commit, and so one wait for the disk.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if ('run' in first) {
        this.#waiting.shift();
        await first.run();
      } else {
        const next = this.#waiting.findIndex((one) => 'run' in one);
        await this.#applyTogether(this.#waiting.splice(0, Math.min(MOST_AT_ONCE, next < 0 ? MOST_AT_ONCE : next)) as Waiting[]);
      }
    }
    this.#isAwake = false;
  }

  async #applyInSlices<T>(author: Author, decide: DecideLarge<T>, { dryRun = false, onOpinions }: LargeOptions): Promise<T> {
    const pause = slices();
    const draft = new Draft(this.#config);
    const result = await decide(draft, pause);
    const wrong = await this.#wrongWith(draft, this.#completions, onOpinions, pause);
    const by = wrong ? await this.#accompanied(draft, wrong, author, onOpinions, pause) : author;
    if (!by) throw wrong;
    if (!(typeof dryRun === 'function' ? dryRun() : dryRun)) await this.#commitInSlices(draft, by, [], pause);
    return result;
  }

  async #commitInSlices(draft: Draft, author: Author, alongside: readonly CompiledQuery[], pause: Pause): Promise<void> {
    const edits = draft.edits.filter((edit) => edit.before !== edit.after);
    if (edits.length === 0) return;
    const revision = { revision: draft.revision, time: new Date().toISOString(), ...author, edits };
    const next = await withEdits(this.#config, edits, pause);
    const rows: TouchedEntity[] = [];
    for (const edit of edits) {
      rows.push(touched(edit));
      await pause();
    }
    await this.#commit([{ revision, touched: rows, alongside }]);
    this.#config.takeOver(next);
    this.#announce(revision);
  }

  /** Undefined: nothing. */
  async #wrongWith(
    draft: Draft,
    completions: readonly ((draft: Draft) => void)[],
    onOpinions: OnOpinions | undefined,
    pause: Pause,
  ): Promise<Unacceptable | undefined> {
    try {
      await mustBeAcceptable(draft, { judges: this.#judges, guards: this.#guards, completions, onOpinions }, pause);
      return undefined;
    } catch (failure) {
      if (failure instanceof Unacceptable) return failure;
      throw failure;
    }
  }

  /** Adds those who may come along to a change that is refused without them; gives who is told to have made it. Undefined: nobody can help. */
  async #accompanied(
    alone: Draft,
    { findings, conditions }: Unacceptable,
    author: Author,
    onOpinions: OnOpinions | undefined,
    pause: Pause,
  ): Promise<Author | undefined> {
    const companions = conditions.length === 0 ? this.#companionsOf(alone) : undefined;
    let refused: Unaccepted = { draft: alone, findings };
    for (let companion = await companions?.find(refused, undefined); companion; companion = await companions?.find(refused, companion)) {
      const draft = alone.copy();
      const isPlaced = await companion.place(draft, pause);
      const wrong = await this.#wrongWith(draft, [], onOpinions && TOLD_ALREADY, pause);
      if (isPlaced && !wrong) {
        alone.takeOver(draft);
        return { ...author, reason: author.reason ?? companion.reason };
      }
      refused = { draft, findings: wrong?.findings ?? [] };
    }
    return undefined;
  }

  /** What a config repo publishes comes with its companions already. */
  #companionsOf({ publisher }: Draft): Companions | undefined {
    return publisher === undefined && this.#companions?.areThere ? this.#companions : undefined;
  }

  /** One that was refused, once more with those who may come along. */
  async #applyAccompanied(waiting: Waiting, refusal: Refusal): Promise<void> {
    const { author, decide, isDryRun, alongside, resolve, reject } = waiting;
    try {
      const pause = slices();
      const draft = new Draft(this.#config);
      const result = decide(draft);
      const wrong = await this.#wrongWith(draft, this.#completions, undefined, pause);
      const by = wrong ? await this.#accompanied(draft, wrong, author, undefined, pause) : author;
      if (by && !isDryRun) await this.#commitInSlices(draft, by, alongside, pause);
      if (by) resolve(result as never);
      else reject(refusal);
    } catch (failure) {
      reject(failure instanceof Refusal ? refusal : failure);
    }
  }

  /** Each is judged as if those before it were done; all reach the disk together, or none. */
  async #applyTogether(batch: readonly Waiting[]): Promise<void> {
    const accepted = new Accepted(this.#config);
    const decided = batch.flatMap((waiting) => this.#decide(waiting, accepted) ?? []);
    const toWrite = decided.flatMap(({ revision, waiting: { alongside } }) =>
      revision ? [{ revision, touched: revision.edits.map(touched), alongside }] : [],
    );
    try {
      if (toWrite.length > 0) await this.#commit(toWrite);
    } catch (failure) {
      for (const { waiting } of decided) waiting.reject(failure);
      return;
    }
    for (const { revision } of toWrite) this.#publish(revision);
    for (const { waiting, result } of decided) waiting.resolve(result as never);
  }

  #decide(waiting: Waiting, accepted: Accepted): Decided | undefined {
    const { author, decide, isDryRun, reject } = waiting;
    const draft = new Draft(this.#config, accepted);
    try {
      const result = decide(draft);
      for (const completion of this.#completions) completion(draft);
      check(draft, this.#judges);
      for (const guard of this.#guards) guard(draft);
      const edits = draft.edits.filter((edit) => edit.before !== edit.after);
      if (isDryRun || edits.length === 0) return { waiting, result, revision: undefined };
      const revision = { revision: draft.revision, time: new Date().toISOString(), ...author, edits };
      accepted.add(draft);
      return { waiting, result, revision };
    } catch (failure) {
      const mayBeHelped = failure instanceof Refusal && failure.kind === 'invalid' && this.#companionsOf(draft);
      if (mayBeHelped) this.#enqueue({ run: () => this.#applyAccompanied(waiting, failure) });
      else reject(failure);
      return undefined;
    }
  }

  #publish(revision: Revision): void {
    for (const { kind, key, after } of revision.edits) this.#config.replace(kind, key, after);
    this.#announce(revision);
  }

  #announce(revision: Revision): void {
    this.#config.revision = revision.revision;
    for (const listener of this.#listeners) listener(revision);
  }
}

function touched({ kind, key, operation, before, after }: Edit): TouchedEntity {
  const { value, created } = (after ?? before)!;
  return {
    kind: kind.name,
    key,
    id: addressOf(kind, value),
    operation,
    created,
    before: before ? JSON.stringify(before.value) : null,
    after: after ? { value: JSON.stringify(after.value), etag: after.etag } : null,
  };
}
