// The blockers that keep definitions from coming into force, as far as waiting definitions of other repos could remove them. Pure.
import type { Finding } from '../../config/check-all.ts';
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { DefinedEnvironment } from '../../contracts/plugins/config-repo.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { Entity } from '../../shape/resource.ts';
import { partId } from '../publish/apply-to-draft.ts';
import type { Publication } from '../publish/publication.ts';
import { declaredName, declarersOf } from '../scms/scm-declarers.ts';
import { namesIn, requiredPipelines, scmNamesIn } from './required-pipelines.ts';

export interface PublishBlocker {
  /** A pipeline that does not exist: a repo that defines it removes the blocker. */
  readonly pipeline?: string;
  /** The repos that would all have to change their definitions in force. Without a pipeline and repos, no repo can remove the blocker. */
  readonly repos: readonly string[];
  /** The repos may have nothing to do with the blocker. */
  readonly isGuess?: boolean;
}

/** The blockers of these publications, maybe along with another change; `findings`: of the checks of these publications. */
export function blockersOf(
  publications: readonly Publication[],
  findings: readonly Finding[],
  config: Config,
  change: Draft = new Draft(config),
): PublishBlocker[] {
  return new BlockerFinder(publications, config, change).find(findings);
}

class BlockerFinder {
  readonly #publications: readonly Publication[];
  readonly #config: Config;
  readonly #inForce: Draft;
  readonly #change: Draft;
  readonly #members: ReadonlyMap<string, Publication>;
  readonly #defined: ReadonlySet<string>;

  constructor(publications: readonly Publication[], config: Config, change: Draft) {
    this.#publications = publications;
    this.#config = config;
    this.#inForce = new Draft(config);
    this.#change = change;
    this.#members = new Map(publications.map((publication) => [publication.repo, publication]));
    this.#defined = new Set(publications.flatMap(({ pipelines }) => pipelines.map(({ name }) => name.toLowerCase())));
  }

  find(findings: readonly Finding[]): PublishBlocker[] {
    const required = new Set(this.#publications.flatMap((publication) => [...requiredPipelines(publication)]));
    const missing = [...required].filter((name) => !this.#willExist(name));
    const taken = [...this.#defined].filter((name) => this.#isOfOthers(this.#change.findEntity('pipelines', name)));
    return [
      ...missing.map((pipeline) => ({ pipeline, repos: [] })),
      ...taken.map((name) => ({ repos: this.#otherRepos('pipelines', name) })),
      ...findings.flatMap((finding) => this.#blockersBehind(finding)),
    ];
  }

  #blockersBehind({ kind, id, because }: Finding): PublishBlocker[] {
    const isOthers = because && this.#isOfOthers(this.#config.of(kind.name).find(id)?.value);
    if (!isOthers) return this.#blockersOfOwn(kind.name, id);
    const isRemoved = because.kind.name === 'pipelines' && !this.#willExist(because.id);
    if (!isRemoved) return [{ repos: this.#otherRepos(kind.name, id) }];
    // The finding names only one of its users.
    const users = this.#inForce.referrers('pipelines', because.id).flatMap((user) => this.#otherRepos(user.kind, user.id));
    return [{ pipeline: because.id.toLowerCase(), repos: [...new Set(users)] }];
  }

  /** Waiting definitions of another repo may change an entity that it refers to, or remove one that it clashes with. */
  #blockersOfOwn(kind: KindName, id: string): PublishBlocker[] {
    const repos = this.#publications.flatMap(({ repo, pipelines, environments }) => {
      if (kind === 'environmentParts')
        return environments.filter((one) => partId(repo, one) === id).flatMap((one) => this.#clashingRepos(one));
      if (kind === 'scms') return pipelines.flatMap((one) => this.#reposDeclaringScms(scmNamesIn(one)));
      const own = kind === 'pipelines' ? pipelines.filter(({ name }) => name.toLowerCase() === id.toLowerCase()) : [];
      return [...requiredPipelines({ pipelines: own, environments: [] })].flatMap((name) => this.#otherRepos('pipelines', name));
    });
    return repos.length === 0 ? [] : [{ repos: [...new Set(repos)], isGuess: true }];
  }

  /** The repos that have in force the same pipeline, variable or agent of an environment, or the pipeline in another one. */
  #clashingRepos({ name, body, agents }: DefinedEnvironment): string[] {
    const pipelines = namesIn(body.pipelines);
    const own = new Set([...pipelines, ...namesIn(body.environment_variables), ...agents]);
    const parts = [
      ...this.#inForce.referrers('environments', name),
      ...pipelines.flatMap((pipeline) => this.#inForce.referrers('pipelines', pipeline)),
    ].filter(({ kind }) => kind === 'environmentParts');
    return parts.flatMap(({ kind, id }) => {
      const part = this.#config.of('environmentParts').find(id)?.value;
      return part && namesOf(part).some((name) => own.has(name)) ? this.#otherRepos(kind, id) : [];
    });
  }

  /** The repos that have in force SCMs of these names. */
  #reposDeclaringScms(names: readonly string[]): string[] {
    const kind = this.#inForce.kind('scms');
    return names.flatMap((name) =>
      this.#inForce
        .claimants(kind, name)
        .flatMap(({ id }) => declarersOf(this.#inForce, id).filter((declarer) => declaredName(declarer, id)?.toLowerCase() === name))
        .map(({ origin }) => origin.repo)
        .filter((repo) => !this.#members.has(repo)),
    );
  }

  #willExist(pipeline: string): boolean {
    if (this.#defined.has(pipeline.toLowerCase())) return true;
    const entity = this.#change.findEntity('pipelines', pipeline);
    return this.#isOfOthers(entity) || this.#staysInForce(entity);
  }

  /** A publication need not list the pipelines of a file that is in force unchanged. */
  #staysInForce(entity: Entity | undefined): boolean {
    const origin = entity && repoOriginOf(entity);
    return origin !== undefined && (this.#members.get(origin.repo)?.isInForce(origin.file) ?? false);
  }

  #isOfOthers(entity: Entity | undefined): boolean {
    const repo = entity && repoOriginOf(entity)?.repo;
    return entity !== undefined && (repo === undefined || !this.#members.has(repo));
  }

  /** The repo that has the entity in force, unless it is one of these publications. */
  #otherRepos(kind: KindName, id: string): string[] {
    const entity = this.#config.of(kind).find(id)?.value;
    const repo = entity && repoOriginOf(entity)?.repo;
    return repo === undefined || this.#members.has(repo) ? [] : [repo];
  }
}

function namesOf({ pipelines, environmentVariables, agents }: EntityNamed<'environmentParts'>): string[] {
  return [...pipelines.map((name) => name.toLowerCase()), ...environmentVariables.map(({ name }) => name.toLowerCase()), ...agents];
}
