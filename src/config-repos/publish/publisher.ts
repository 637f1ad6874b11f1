// Brings the definitions of a config repo into force as one change of the configuration, or returns all problems that prevent it.
import type { Changes } from '../../config/change.ts';
import type { Finding } from '../../config/check-all.ts';
import type { Config } from '../../config/current.ts';
import type { Draft } from '../../config/draft.ts';
import { InvalidChange } from '../../config/large-change.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { Author } from '../../config/revision.ts';
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ReadingTools } from '../../shape/json/entity-json.ts';
import { type AppliedPublication, type ApplyTools, applyToDraft, applyToDraftInSlices, removeWithdrawn } from './apply-to-draft.ts';
import { DefinitionIndex } from './definition-index.ts';
import { type Locate, mergeProblems } from './merge-problems.ts';
import { type MergeProblem, type Publication, SupersededPublication } from './publication.ts';
import { ReadAhead } from './read-ahead.ts';
import { referralsOf } from './referrals.ts';
import { isAllowed, type Rule } from './rules.ts';
import { definitionsOfRepo, withdraw } from './withdraw.ts';
import type { ForbiddenDefinitions } from './withdrawal-reason.ts';

export interface PublishOptions {
  readonly dryRun?: boolean;
  /** Called with the draft to which all has been applied; once more when it is applied anew to find all problems. */
  onDecided?(draft: Draft): void;
  /** Gets the findings of the checks, when they keep it from coming into force. */
  onRefused?(findings: readonly Finding[]): void;
}

interface Parts {
  readonly config: Config;
  readonly changes: Changes;
  readonly tools: ReadingTools;
  readonly locate: Locate;
}

class NotApplied extends Error {}

/** Minimum number of definitions for which publishing is done in slices. */
const MANY_DEFINITIONS = 100;

export class Publisher {
  readonly #parts: Parts;
  readonly #tools: ApplyTools;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tools = { reading: parts.tools, index: new DefinitionIndex(parts.config, parts.changes) };
  }

  /** Empty: everything is in force. Otherwise nothing has changed. */
  async publish(publication: Publication, author: Author, options: PublishOptions = {}): Promise<readonly MergeProblem[]> {
    const { changes, config } = this.#parts;
    const tools = { ...this.#tools, ahead: await ReadAhead.of(publication, config, this.#tools) };
    if (countToApply(publication) < MANY_DEFINITIONS) {
      const applyAll = (draft: Draft) => {
        if (applyToDraft(draft, publication, tools).problems.length > 0) throw new NotApplied();
        options.onDecided?.(draft);
      };
      try {
        await changes.apply(author, applyAll, { dryRun: options.dryRun ?? false });
        return [];
      } catch (failure) {
        if (!(failure instanceof Refusal || failure instanceof NotApplied)) throw failure;
      }
    }
    // The short way ends at the first problem; this one finds all.
    return this.#publishInSlices(publication, author, tools, options);
  }

  async #publishInSlices(
    publication: Publication,
    author: Author,
    tools: ApplyTools,
    options: PublishOptions,
  ): Promise<readonly MergeProblem[]> {
    const { dryRun = false, onDecided } = options;
    const { changes } = this.#parts;
    let applied: AppliedPublication | undefined;
    try {
      await changes.applyLarge(
        author,
        async (draft, pause) => {
          applied = await applyToDraftInSlices(draft, publication, tools, pause);
          onDecided?.(draft);
        },
        // A publication with problems must not come into force in part.
        { tryFirst: true, dryRun: () => dryRun || applied === undefined || applied.problems.length > 0 },
      );
      return applied?.problems ?? [];
    } catch (failure) {
      if (!(failure instanceof InvalidChange) || !applied) throw failure;
      options.onRefused?.(failure.findings);
      return [...applied.problems, ...(await mergeProblems(failure, publication, applied, this.#parts))];
    }
  }

  /** Publishes several repos as one change. If that fails nothing has changed, and the findings of the checks are returned. */
  async publishTogether(publications: readonly Publication[], author: Author): Promise<readonly Finding[] | undefined> {
    let hasProblems = false;
    const applyAll = async (draft: Draft, pause: Pause) => {
      hasProblems = !(await this.applyTogether(draft, publications, pause));
    };
    try {
      await this.#parts.changes.applyLarge(author, applyAll, { tryFirst: true, dryRun: () => hasProblems });
      return hasProblems ? [] : undefined;
    } catch (failure) {
      if (failure instanceof InvalidChange) return failure.findings;
      if (failure instanceof SupersededPublication) return [];
      throw failure;
    }
  }

  /** false: they cannot come into force like this, regardless of the checks of the draft. */
  async applyTogether(draft: Draft, publications: readonly Publication[], pause: Pause): Promise<boolean> {
    let hasProblems = false;
    for (const publication of publications) removeWithdrawn(draft, publication, this.#tools);
    for (const publication of publications) {
      const { problems } = await applyToDraftInSlices(draft, publication, this.#tools, pause);
      hasProblems ||= problems.length > 0;
    }
    return !hasProblems;
  }

  /** Takes everything that a repo has in force out of the configuration; returns the repos that went with it. */
  withdraw(repo: string, author: Author): Promise<ReadonlySet<string>> {
    return this.#parts.changes.apply(author, (draft) => {
      draft.publisher = repo;
      return withdraw(draft, repo);
    });
  }

  /** The references in force that the rules forbid, and the other repos that would be withdrawn, too; undefined: none is forbidden. */
  forbidden(repo: string, rules: readonly Rule[]): Promise<ForbiddenDefinitions | undefined> {
    const author = { actor: repo, token: null, address: null, reason: null };
    const look = (draft: Draft) => {
      const inForce = referralsOf(draft, repo, definitionsOfRepo(draft, repo));
      const referrals = Array.from(inForce, ({ referral }) => referral).filter((referral) => !isAllowed(referral, rules));
      if (referrals.length === 0) return undefined;
      draft.publisher = repo;
      const gone = [...withdraw(draft, repo)].filter((other) => other !== repo);
      return { referrals, others: gone.map((other) => ({ repo: other, pipelines: pipelinesGone(draft, other) })) };
    };
    return this.#parts.changes.apply(author, look, { dryRun: true });
  }
}

function pipelinesGone(draft: Draft, repo: string): string[] {
  return draft.edits.flatMap(({ kind, id, before, after }) =>
    kind.name === 'pipelines' && before && !after && repoOriginOf(before.value)?.repo === repo ? [id] : [],
  );
}

function countToApply({ pipelines, environments, isInForce }: Publication): number {
  return [...pipelines, ...environments].filter(({ file }) => !isInForce(file)).length;
}
