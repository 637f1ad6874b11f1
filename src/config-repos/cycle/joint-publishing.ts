// Repos that must change together: none of them can come into force alone, but all of them can at once.

import type { Finding } from '../../config/check-all.ts';
import type { JoinableChange, JoinableChanges, RefusedDraft } from '../../config/joint/joinable-changes.ts';
import type { Author } from '../../config/revision.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import type { Publication } from '../publish/publication.ts';
import type { Publisher } from '../publish/publisher.ts';
import { blockersOf, type PublishBlocker } from './blockers.ts';
import { type WaitingParts, WaitingRepos } from './waiting-repos.ts';

export interface JointParts extends WaitingParts {
  readonly publisher: Pick<Publisher, 'publishTogether' | 'applyTogether'>;
}

/** When a removed pipeline is still needed, which repos to try first: those that define it anew, or those that need it. */
export type Preference = 'definer' | 'dependents';

const PREFERENCES: readonly Preference[] = ['definer', 'dependents'];
/** Maximum number of attempts with each preference. An attempt adds the repos that blocked the one before. */
const MAX_ATTEMPTS = 5;
const MAX_TOGETHER = 100;

interface JoinableRepos extends JoinableChange {
  readonly publications: readonly Publication[];
}

export class JointPublishing implements JoinableChanges<JoinableRepos> {
  readonly #parts: JointParts;
  readonly #waiting: WaitingRepos;
  /** Which repos were tried together at this revision of the configuration: another attempt would end the same way. */
  readonly #tried = { revision: -1, together: new Set<string>() };

  constructor(parts: JointParts) {
    this.#parts = parts;
    this.#waiting = new WaitingRepos(parts);
  }

  /** Tries a refused publication together with waiting ones of other repos, as far as that can help. `findings`: of the refused one. */
  async publish(own: Publication, findings: readonly Finding[], author: Author): Promise<boolean> {
    for (const preference of PREFERENCES) {
      const isInForce = await this.#publishWithOthers(own, findings, preference, author);
      // Where no repo can help, the preference makes no difference.
      if (isInForce !== false) return isInForce ?? false;
    }
    return false;
  }

  /** Publishes together with other repos; undefined: there was no repo to try it with. */
  async #publishWithOthers(
    own: Publication,
    findings: readonly Finding[],
    preference: Preference,
    author: Author,
  ): Promise<boolean | undefined> {
    let members: readonly Publication[] = [own];
    let wrong = findings;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const joining = await this.#publicationsToAdd(members, { findings: wrong }, preference);
      if (joining.length === 0) return attempt === 0 ? undefined : false;
      members = [...members, ...joining];
      if (this.#isTried(members)) return false;
      const found = await this.#parts.publisher.publishTogether(members, { ...author, reason: sourcesOf(members) });
      if (!found) return true;
      wrong = found;
    }
    return false;
  }

  /** Publications that can remove the blockers, and those that these need in turn, as far as is known without trying. Empty: none can. */
  async #publicationsToAdd(
    members: readonly Publication[],
    { draft, findings }: Pick<RefusedDraft, 'findings'> & Partial<RefusedDraft>,
    preference: Preference,
  ): Promise<readonly Publication[]> {
    const joining: Publication[] = [];
    for (let wrong = findings; ; wrong = []) {
      const added = await this.#reposToAdd(blockersOf([...members, ...joining], wrong, this.#parts.config, draft), preference);
      if (added?.size === 0) return joining;
      if (!added || members.length + joining.length + added.size > MAX_TOGETHER) return [];
      for (const state of added) {
        // A repo that takes part already has not helped.
        const isMember = [...members, ...joining].some(({ repo }) => repo === state.repo);
        const publication = isMember ? undefined : await this.#waiting.publicationOf(state);
        if (!publication) return [];
        joining.push(publication);
      }
    }
  }

  async #reposToAdd(blockers: readonly PublishBlocker[], preference: Preference): Promise<ReadonlySet<RepoState> | undefined> {
    const definers = await this.#waiting.definersOf(new Set(blockers.flatMap(({ pipeline }) => pipeline ?? [])));
    return reposToAdd(blockers, this.#waiting.all, definers, preference);
  }

  get hasAny(): boolean {
    return this.#parts.refused().length > 0;
  }

  /** The waiting repos whose definitions in force block a refused change, or that define an entity which would be missing after it. */
  async find(refused: RefusedDraft, found: JoinableRepos | undefined): Promise<JoinableRepos | undefined> {
    const members = found?.publications ?? [];
    const joining = await this.#publicationsToAdd(members, refused, 'definer');
    if (joining.length === 0) return undefined;
    const publications = [...members, ...joining];
    return {
      publications,
      reason: `Together with ${publications.map(({ repo, source }) => `the config repo ${repo}: ${source}`).join(', ')}`,
      applyTo: async (draft, pause) => {
        // Meanwhile a newer revision of a repo may have been read, which comes into force by itself.
        const areWaiting = publications.every(({ repo, revision }) => this.#waiting.all.get(repo)?.revision === revision);
        return areWaiting && this.#parts.publisher.applyTogether(draft, publications, pause);
      },
    };
  }

  #isTried(members: readonly Publication[]): boolean {
    const { revision } = this.#parts.config;
    if (this.#tried.revision !== revision) {
      this.#tried.revision = revision;
      this.#tried.together.clear();
    }
    const key = JSON.stringify(members.map(({ repo, etag, revision: of }) => [repo, etag, of]).sort());
    const isTried = this.#tried.together.has(key);
    this.#tried.together.add(key);
    return isTried;
  }
}

/** For the history: which repos took part. */
function sourcesOf(members: readonly Publication[]): string {
  return members.map(({ source }) => source).join(', ');
}

/** The waiting repos that can help with all blockers; undefined: for one of the blockers there is no such repo. */
export function reposToAdd(
  blockers: readonly PublishBlocker[],
  waiting: ReadonlyMap<string, RepoState>,
  definers: ReadonlyMap<string, RepoState>,
  preference: Preference,
): ReadonlySet<RepoState> | undefined {
  const added = new Set<RepoState>();
  for (const { pipeline, repos, isGuess } of blockers) {
    const definer = pipeline === undefined ? undefined : definers.get(pipeline);
    const waitingOnes = repos.flatMap((repo) => waiting.get(repo) ?? []);
    const inForce = repos.length > 0 && (isGuess || waitingOnes.length === repos.length) ? waitingOnes : undefined;
    const defining = definer && [definer];
    const found = preference === 'definer' ? (defining ?? inForce) : (inForce ?? defining);
    if (!found) return undefined;
    for (const one of found) added.add(one);
  }
  return added;
}
