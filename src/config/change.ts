// The one way the configuration changes: decide on a draft, check what it touches, commit, publish.
import { Mutex } from '../kit/mutex.ts';
import type { CommitRevision, TouchedEntity } from '../store/changes.ts';
import type { RevisionRow } from '../store/tables.ts';
import { check } from './check.ts';
import type { Config } from './current.ts';
import { Draft, type Edit } from './draft.ts';

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
}

export type ChangeListener = (revision: Revision) => void;

export class Changes {
  readonly #config: Config;
  readonly #commit: CommitRevision;
  readonly #oneAtATime = new Mutex();
  readonly #listeners: ChangeListener[] = [];
  readonly #guards: ((draft: Draft) => void)[] = [];

  constructor(config: Config, commit: CommitRevision) {
    this.#config = config;
    this.#commit = commit;
  }

  /** Adds a condition that every change must meet; it looks at the draft and throws a refusal. */
  require(guard: (draft: Draft) => void): void {
    this.#guards.push(guard);
  }

  listen(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Runs `decide` on a draft while no other change can come between, and returns what it returned once that is on disk. */
  apply<T>(author: Author, decide: (draft: Draft) => T, { dryRun = false }: ChangeOptions = {}): Promise<T> {
    return this.#oneAtATime.run(async () => {
      const draft = new Draft(this.#config);
      const result = decide(draft);
      check(draft);
      for (const guard of this.#guards) guard(draft);
      const edits = draft.edits.filter((edit) => edit.before !== edit.after);
      if (dryRun || edits.length === 0) return result;
      const revision = { revision: draft.revision, time: new Date().toISOString(), ...author, edits };
      await this.#commit(revision, edits.map(touched));
      this.#publish(revision);
      return result;
    });
  }

  #publish(revision: Revision): void {
    for (const { kind, key, after } of revision.edits) this.#config.replace(kind, key, after);
    this.#config.revision = revision.revision;
    for (const listener of this.#listeners) listener(revision);
  }
}

function touched({ kind, key, operation, before, after }: Edit): TouchedEntity {
  return {
    kind: kind.name,
    key,
    operation,
    before: before ? JSON.stringify(before.value) : null,
    after: after ? { value: JSON.stringify(after.value), etag: after.etag, created: after.created } : null,
  };
}
