// How far a run has come, on disk: whenever the process ends, the written rows are consistent, and the next run goes on from there.

import type { CompiledQuery } from 'kysely';
import { annotate } from '../../kit/telemetry/scope.ts';
import { truncate } from '../../kit/text/truncate.ts';
import type { ConfigRepoFiles, OfVersion } from '../../store/config-repos/files.ts';
import type { ConfigRepoParses } from '../../store/config-repos/parses.ts';
import type { ConfigRepoStates, Outcome, RepoState } from '../../store/config-repos/states.ts';
import type { Database } from '../../store/database.ts';
import { type RepoError, reportedErrors } from '../publish/repo-error.ts';
import type { FilesRead } from './files/read-files.ts';
import type { RepoConfig } from './repo-config.ts';
import { MAX_REPORTED, NO_MESSAGE, type StatusMessage } from './texts.ts';

export interface ProgressParts {
  readonly database: Database;
  readonly states: ConfigRepoStates;
  readonly files: ConfigRepoFiles;
  readonly parses: ConfigRepoParses;
  /** An attempt has ended, and that is on disk. */
  onParsed?(parsed: FinishedAttempt): void;
}

export interface FinishedAttempt {
  readonly repo: string;
  readonly revision: string;
  readonly outcome: Outcome;
  readonly errors: readonly RepoError[];
  /** From reading to its end. */
  readonly seconds: number;
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly outcome: Outcome;
  readonly status: StatusMessage;
  readonly errors: readonly RepoError[];
  readonly warnings: readonly RepoError[];
  /** Whether it is unknown how far the attempt came. */
  readonly isGivenUp?: boolean;
}

/** The repo and the revision that a run works on. */
export interface Attempt {
  readonly repo: RepoConfig;
  readonly revision: string;
  /** As the parse state shows it. */
  readonly modification: object | null;
  /** The update was requested: the history shows the attempt even when it came to the same as before. */
  readonly isRequested: boolean;
}

export interface KnownFiles {
  readonly versions: readonly OfVersion[];
  /** Files that are in force just so were read with these settings and rules, beside files of these versions. */
  readonly inForce: string;
}

export interface ComparedFiles extends KnownFiles {
  /** Whether files that are noted as being in force are so. */
  readonly isReliedOn: boolean;
}

const NEW: Omit<RepoState, 'repo'> = {
  settings: null,
  cursor: null,
  inForce: '',
  rules: '',
  revision: null,
  goodRevision: null,
  outcome: 'unread',
  ...NO_MESSAGE,
  modification: null,
  goodModification: null,
};
/** Every answer to a request for the health of the server contains it. */
const MAX_DETAIL_LENGTH = 200_000;

export class Progress {
  readonly #attempt: Attempt;
  readonly #parts: ProgressParts;
  readonly #onPut: (state: RepoState) => void;
  readonly #startedAt = Date.now();
  readonly #before: RepoState | undefined;
  #state: RepoState;
  #known: KnownFiles = { versions: [], inForce: '' };
  #parsedCount = 0;

  constructor(attempt: Attempt, known: RepoState | undefined, parts: ProgressParts, onPut: (state: RepoState) => void) {
    this.#attempt = attempt;
    this.#parts = parts;
    this.#onPut = onPut;
    this.#before = known;
    this.#state = known ?? { repo: attempt.repo.id, ...NEW };
  }

  /** The cursor up to which files are known, as far as that can be relied on; `isHere`: that is the revision of this attempt. */
  get since(): { readonly cursor: string; readonly isUpToDate: boolean } | undefined {
    const { settings, cursor, revision } = this.#state;
    if (settings !== this.#attempt.repo.settings || cursor === null) return undefined;
    return { cursor, isUpToDate: revision === this.#attempt.revision };
  }

  /** More parts follow: until then the stored state may not be relied on. */
  async writePart(part: readonly CompiledQuery[]): Promise<void> {
    await this.#put({ ...this.#state, settings: null, cursor: null, revision: null }, part);
  }

  /** From here on a crash loses no file that was read; the rest of the attempt would be made again. */
  async keepRead({ fresh, cursor, statements }: FilesRead): Promise<void> {
    const { settings } = this.#attempt.repo;
    this.#parsedCount = fresh.size;
    await this.#put({ ...this.#state, settings, cursor, revision: null }, statements);
  }

  /** The state of the files now. From here on no file counts as in force that may not be so after this attempt. */
  async compareFiles(): Promise<ComparedFiles> {
    const { repo } = this.#attempt;
    const versions = await this.#parts.files.versions(repo.id);
    this.#known = { versions, inForce: [repo.settings, repo.rulesDigest, ...versions.map(({ version }) => version)].join(' ') };
    const isReliedOn = this.#state.inForce === this.#known.inForce;
    if (!isReliedOn && this.#state.inForce !== '') await this.#put({ ...this.#state, revision: null, inForce: '' }, []);
    return { ...this.#known, isReliedOn };
  }

  /** Nothing that was kept is of any use. */
  async forget(): Promise<void> {
    const { goodRevision, goodModification } = this.#state;
    await this.#put({ ...NEW, repo: this.#state.repo, goodRevision, goodModification }, [this.#parts.files.removeAll(this.#state.repo)]);
  }

  async end(end: AttemptEnd): Promise<void> {
    const next = this.#stateAfter(end);
    const isUnchanged = this.#before && this.#state === this.#before && isEqual(next, this.#before);
    if (isUnchanged && !this.#attempt.isRequested) return;
    const { files, parses } = this.#parts;
    const inForce = end.outcome === 'published' ? files.allInForce(next.repo) : [];
    const record = this.#record(end);
    await this.#put(next, [...inForce, ...parses.add(next.repo, record)]);
    const { outcome, errors } = end;
    const attributes = { 'slipway.config_repo': next.repo, 'slipway.revision': record.revision, 'slipway.outcome': outcome };
    annotate(attributes, outcome === 'published' ? undefined : outcome);
    this.#parts.onParsed?.({ repo: next.repo, revision: record.revision, outcome, errors, seconds: record.durationMs / 1000 });
  }

  #stateAfter({ outcome, status, isGivenUp }: AttemptEnd): RepoState {
    const { repo, revision, modification } = this.#attempt;
    const message = truncate(status.message);
    const detail = truncate(status.detail, MAX_DETAIL_LENGTH);
    const state = { ...this.#state, message, detail, outcome, rules: repo.rulesDigest, modification };
    if (outcome === 'unread') return { ...state, revision: null };
    // Without a plugin nothing was read, after a fault maybe half of it: the cursor of the known files does not count.
    if (!repo.plugin || isGivenUp) return { ...state, revision, settings: repo.settings, cursor: null };
    if (outcome !== 'published') return { ...state, revision };
    return { ...state, revision, goodRevision: revision, goodModification: modification, inForce: this.#known.inForce };
  }

  #record({ outcome, errors, warnings }: AttemptEnd) {
    return {
      at: new Date(this.#startedAt),
      revision: this.#attempt.revision,
      outcome,
      matched: this.#known.versions.reduce((sum, { count }) => sum + count, 0),
      parsed: this.#parsedCount,
      durationMs: Date.now() - this.#startedAt,
      errors: reportedErrors(errors, MAX_REPORTED),
      warnings: reportedErrors(warnings, MAX_REPORTED),
    };
  }

  /** Does not wait for the disk: a power cut loses only the newest states, and those files are read again. */
  async #put(state: RepoState, others: readonly CompiledQuery[]): Promise<void> {
    const { database, states } = this.#parts;
    await database.writeRelaxed([...others, states.put(state)]);
    this.#state = state;
    this.#onPut(state);
  }
}

function isEqual(one: RepoState, other: RepoState): boolean {
  return (Object.keys(NEW) as (keyof RepoState)[]).every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
