// Brings the definitions of a config repo into force as one change of the configuration, or says all that stands in the way.
import type { Author, Changes } from '../config/change.ts';
import type { Finding } from '../config/check-all.ts';
import type { Config } from '../config/current.ts';
import type { Draft } from '../config/draft.ts';
import { Unacceptable } from '../config/large-change.ts';
import type { DefinedEnvironment, DefinedPipeline } from '../contracts/plugins/config-repo.ts';
import { Refusal } from '../kit/refusal.ts';
import { type Pause, slices } from '../kit/slices.ts';
import type { ReadingTools } from '../shape/entity-json.ts';
import type { Path } from '../shape/problem.ts';
import { DefinitionIndex } from './definition-index.ts';
import { type Placed, type PlacingTools, partId, place, placeInSlices, referralsOf } from './place.ts';
import { type MergeProblem, type Publication, Superseded } from './publication.ts';
import { isAllowed, type Rule } from './rules.ts';
import { StandIns } from './stand-ins.ts';
import { definitionsOf, withdraw } from './withdraw.ts';

/** Finds the line of a value in its file. */
export type Locate = (
  defined: DefinedPipeline | DefinedEnvironment,
  path: readonly (string | number)[],
) => { readonly line: number; readonly column: number };

export interface PublishOptions {
  readonly dryRun?: boolean;
  /** Told of the draft in which all has been placed; once more when it is placed anew to find all that is wrong. */
  onDecided?(draft: Draft): void;
}

interface Parts {
  readonly config: Config;
  readonly changes: Changes;
  readonly tools: ReadingTools;
  readonly locate: Locate;
}

class NotPlaced extends Error {}

/** From so many on the work is done in slices. */
const MANY_DEFINITIONS = 100;

export class Publisher {
  readonly #parts: Parts;
  readonly #tools: PlacingTools;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tools = { reading: parts.tools, index: new DefinitionIndex(parts.config, parts.changes) };
  }

  /** Empty: everything is in force. Otherwise nothing has changed. */
  async publish(publication: Publication, author: Author, options: PublishOptions = {}): Promise<readonly MergeProblem[]> {
    const { changes } = this.#parts;
    if (countToPlace(publication) < MANY_DEFINITIONS) {
      const placeAll = (draft: Draft) => {
        if (place(draft, publication, this.#tools).problems.length > 0) throw new NotPlaced();
        options.onDecided?.(draft);
      };
      try {
        await changes.apply(author, placeAll, { dryRun: options.dryRun ?? false });
        return [];
      } catch (failure) {
        if (!(failure instanceof Refusal || failure instanceof NotPlaced)) throw failure;
      }
    }
    // The short way ends at the first problem; this one finds all.
    return this.#publishInSlices(publication, author, options);
  }

  async #publishInSlices(publication: Publication, author: Author, options: PublishOptions): Promise<readonly MergeProblem[]> {
    const { dryRun = false, onDecided } = options;
    const { changes } = this.#parts;
    let placed: Placed = { problems: [], standIns: new StandIns() };
    try {
      await changes.applyLarge(
        author,
        async (draft, pause) => {
          placed = await placeInSlices(draft, publication, this.#tools, pause);
          onDecided?.(draft);
        },
        // What cannot be placed must not come into force in part.
        { dryRun: () => dryRun || placed.problems.length > 0 },
      );
      return placed.problems;
    } catch (failure) {
      if (!(failure instanceof Unacceptable)) throw failure;
      return [...placed.problems, ...(await this.#asProblems(failure, publication, placed.standIns))];
    }
  }

  /** Several that cannot be without each other, as one change. false: not even together; nothing has changed. */
  async publishTogether(publications: readonly Publication[], author: Author): Promise<boolean> {
    let hasProblems = false;
    const placeAll = async (draft: Draft, pause: Pause) => {
      for (const publication of publications) {
        const { problems } = await placeInSlices(draft, publication, this.#tools, pause);
        hasProblems ||= problems.length > 0;
      }
    };
    try {
      await this.#parts.changes.applyLarge(author, placeAll, { dryRun: () => hasProblems });
      return !hasProblems;
    } catch (failure) {
      if (!(failure instanceof Unacceptable || failure instanceof Superseded)) throw failure;
      return false;
    }
  }

  /** Takes everything that a repo has in force out of the configuration; returns the repos that went with it. */
  withdraw(repo: string, author: Author): Promise<ReadonlySet<string>> {
    return this.#parts.changes.apply(author, (draft) => {
      draft.publisher = repo;
      return withdraw(draft, repo);
    });
  }

  /** Whether rules forbid what is in force. */
  breaksRules(repo: string, rules: readonly Rule[]): Promise<boolean> {
    const author = { actor: repo, token: null, address: null, reason: null };
    return this.#parts.changes.apply(
      author,
      (draft) => [...referralsOf(draft, repo, definitionsOf(draft, repo))].some(({ referral }) => !isAllowed(referral, rules)),
      {
        dryRun: true,
      },
    );
  }

  /** In slices: a mistake in a template that thousands use is thousands of problems, and the place of each is looked for. */
  async #asProblems({ findings, conditions }: Unacceptable, publication: Publication, standIns: StandIns): Promise<MergeProblem[]> {
    const pause = slices();
    const own = definitionsByName(publication, standIns);
    const found: MergeProblem[] = [];
    for (const finding of findings) {
      for (const { at, message } of finding.problems)
        found.push({ message: standIns.inTheirWords(message), isRule: false, place: this.#placeOf(finding, at, own) });
      await pause();
    }
    for (const message of conditions) found.push({ message: standIns.inTheirWords(message), isRule: false, place: undefined });
    return found;
  }

  #placeOf({ kind, id }: Finding, at: Path, own: ReadonlyMap<string, Definition>): MergeProblem['place'] {
    const definition = own.get(`${kind.name}\n${id.toLowerCase()}`);
    if (!definition) return undefined;
    const { defined, word } = definition;
    return { file: defined.file, ...this.#parts.locate(defined, at), entity: `${word} '${defined.name}'` };
  }
}

function countToPlace({ pipelines, environments, isInForce }: Publication): number {
  return [...pipelines, ...environments].filter(({ file }) => !isInForce(file)).length;
}

interface Definition {
  readonly defined: DefinedPipeline | DefinedEnvironment;
  readonly word: string;
}

function definitionsByName({ repo, pipelines, environments }: Publication, standIns: StandIns): ReadonlyMap<string, Definition> {
  return new Map<string, Definition>([
    ...Array.from(standIns.all, ([name, defined]) => [`pipelines\n${name.toLowerCase()}`, { defined, word: 'pipeline' }] as const),
    ...pipelines.map((defined) => [`pipelines\n${defined.name.toLowerCase()}`, { defined, word: 'pipeline' }] as const),
    ...environments.map(
      (defined) => [`environmentParts\n${partId(repo, defined.name).toLowerCase()}`, { defined, word: 'environment' }] as const,
    ),
  ]);
}
