// Applies the definitions of a config repo to a draft of the configuration.
import type { Draft } from '../../config/draft.ts';
import { type RemoteOrigin, repoOriginOf } from '../../config/repo-origin.ts';
import type { DefinedEnvironment, DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import type { Pause } from '../../kit/concurrency/time-slices.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { type ReadingTools, readEntity } from '../../shape/json/entity-json.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import { blankIdProblems } from '../../shape/problems/blank-id.ts';
import type { Problem } from '../../shape/problems/problem.ts';
import { type Entity, type Kind, keyOf } from '../../shape/resource.ts';
import type { DeclaredScmsById } from '../scms/declared-scms.ts';
import { reconcileScms } from '../scms/reconcile-scms.ts';
import { type ScmClashes, scmClashes } from '../scms/scm-clashes.ts';
import type { DefinitionIndex } from './definition-index.ts';
import { MaterialsOfRepo } from './materials-of-repo.ts';
import { PlaceholderNames } from './placeholder-names.ts';
import { type MergeProblem, type Publication, SupersededPublication } from './publication.ts';
import { type ReadPipeline, readPipeline } from './read-pipeline.ts';
import { type DefinedAs, referralsOf } from './referrals.ts';
import { isAllowed, notAllowed } from './rules.ts';
import { sourceLabel } from './source-label.ts';
import { takenName } from './taken-name.ts';
import type { Definition } from './withdraw.ts';

export interface ApplyTools {
  readonly reading: ReadingTools;
  readonly index: Pick<DefinitionIndex, 'of'>;
  /** Pipelines that have been read already. */
  readonly ahead?: { find(defined: DefinedPipeline, current: Entity | undefined): ReadPipeline | undefined };
}

export interface AppliedPublication {
  /** The problems that the checks of the draft will not find. With any of these the draft must not come into force. */
  readonly problems: readonly MergeProblem[];
  readonly placeholders: PlaceholderNames;
  readonly scms: DeclaredScmsById;
  readonly scmClashes: ScmClashes;
}

export function applyToDraft(draft: Draft, publication: Publication, tools: ApplyTools): AppliedPublication {
  const steps = new PublicationApplier(draft, publication, tools).run();
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Like `applyToDraft`, for very many definitions: other work has its turn in between. */
export async function applyToDraftInSlices(
  draft: Draft,
  publication: Publication,
  tools: ApplyTools,
  pause: Pause,
): Promise<AppliedPublication> {
  const steps = new PublicationApplier(draft, publication, tools).run();
  let step = steps.next();
  while (!step.done) {
    const wait = pause();
    if (wait) await wait;
    step = steps.next();
  }
  return step.value;
}

/** Removes the pipelines that a repo does not define any more, so that other repos in the same draft can have their names. */
export function removeWithdrawn(draft: Draft, { repo, pipelines, isInForce }: Publication, { index }: ApplyTools): void {
  const kept = new Set(pipelines.map(({ name }) => name.toLowerCase()));
  for (const [file, definitions] of index.of(repo)) {
    if (isInForce(file)) continue;
    for (const { kind, id } of definitions.values())
      if (kind.name === 'pipelines' && !kept.has(id.toLowerCase()) && isOf(repo, draft.find(kind, id)?.value)) draft.remove(kind, id);
  }
}

function isOf(repo: string, entity: Entity | undefined): boolean {
  return entity !== undefined && repoOriginOf(entity)?.repo === repo;
}

/** The id of the part of an environment that one file defines, under the name in that file. */
export function partId(repo: string, { name, file }: Pick<DefinedEnvironment, 'name' | 'file'>): string {
  return `${repo}/${name}/${file}`;
}

class PublicationApplier {
  readonly #draft: Draft;
  readonly #publication: Publication;
  readonly #tools: ApplyTools;
  readonly #problems: MergeProblem[] = [];
  readonly #placeholders = new PlaceholderNames();
  readonly #wanted = new Set<string>();
  /** The definitions that this publication changes or adds. */
  readonly #applied: Definition[] = [];
  readonly #materials: MaterialsOfRepo;

  constructor(draft: Draft, publication: Publication, tools: ApplyTools) {
    this.#draft = draft;
    this.#publication = publication;
    this.#tools = tools;
    this.#materials = new MaterialsOfRepo(draft, publication, tools.reading);
  }

  *run(): Generator<void, AppliedPublication> {
    const { repo, revision, source, pipelines, environments } = this.#publication;
    this.#draft.publisher = repo;
    this.#checkNotSuperseded();
    const before = this.#notInForce();
    this.#put(this.#draft.kind('publishedRevisions'), repo, { repo, revision, source });
    for (const pipeline of pipelines) yield this.#applyPipeline(pipeline);
    for (const environment of environments) yield this.#applyPart(environment);
    for (const { kind, id } of before) if (!this.#wanted.has(this.#nameOf(kind, id))) yield this.#draft.remove(kind, id);
    const scms = this.#materials.scms.all;
    yield* reconcileScms(this.#draft, { declared: scms });
    this.#checkRules();
    return { problems: this.#problems, placeholders: this.#placeholders, scms, scmClashes: scmClashes(this.#draft, scms) };
  }

  #checkNotSuperseded(): void {
    const { repo, etag, inForceEtag } = this.#publication;
    const isAsExpected = (kind: KindName, expected: string | undefined) =>
      expected === undefined || this.#draft.find(this.#draft.kind(kind), repo)?.etag === expected;
    if (!isAsExpected('configRepos', etag) || !isAsExpected('publishedRevisions', inForceEtag)) throw new SupersededPublication();
  }

  /** The present definitions that may be removed. Those of a file that is in force unchanged stay, listed again or not. */
  #notInForce(): Definition[] {
    const { repo, isInForce } = this.#publication;
    const found: Definition[] = [];
    for (const [file, definitions] of this.#tools.index.of(repo)) if (!isInForce(file)) found.push(...definitions.values());
    const may = found.filter(({ kind, id }) => kind.name !== 'scms' && isOf(repo, this.#draft.find(kind, id)?.value));
    const orderOf = ({ kind, id }: Definition) => this.#draft.find(kind, id)!.created;
    return may.sort((one, other) => orderOf(one) - orderOf(other));
  }

  /** Whether another file of this repo, which is in force just so, defines the same. */
  #isElsewhere(current: Entity | undefined, file: string): boolean {
    const origin = current && repoOriginOf(current);
    const { repo, isInForce } = this.#publication;
    return origin?.repo === repo && origin.file !== file && isInForce(origin.file);
  }

  #applyPipeline(defined: DefinedPipeline): void {
    const { repo, isInForce } = this.#publication;
    const { name, file, group } = defined;
    const kind = this.#draft.kind('pipelines');
    const current = this.#draft.find(kind, name)?.value;
    const origin = current && repoOriginOf(current);
    if (origin?.repo === repo && origin.file === file && isInForce(file)) return;
    const isTwice = this.#wanted.has(this.#nameOf(kind, name)) || this.#isElsewhere(current, file);
    const isTaken = isTwice || (current !== undefined && origin?.repo !== repo);
    if (isTaken) {
      const { message, hint } = takenName(name, origin && { ...origin, source: sourceLabel(this.#draft, origin.repo) }, {
        repo,
        file,
        source: this.#publication.source,
      });
      this.#addProblem(message, defined, `pipeline '${name}'`, hint);
    }
    // Its other problems are found all the same, under a free name.
    const id = isTaken ? this.#placeholders.nameFor(defined, (free) => !this.#draft.find(kind, free)) : name;
    this.#applied.push({ kind, id });
    this.#ensureGroup(group, defined);
    const ready = isTaken ? undefined : this.#tools.ahead?.find(defined, current);
    const against = { ruleView: this.#draft.ruleView, current: this.#draft.find(kind, id)?.value };
    const { entity, problems } = ready ?? readPipeline(kind, { defined, id, repo }, against, this.#materials, this.#tools.reading);
    this.#put(kind, id, entity, [...problems, ...blankIdProblems(kind, name)]);
  }

  #applyPart(defined: DefinedEnvironment): void {
    const { repo, isInForce } = this.#publication;
    const { name, file, body, agents } = defined;
    const kind = this.#draft.kind('environmentParts');
    const id = partId(repo, defined);
    if (isInForce(file)) return;
    if (this.#wanted.has(this.#nameOf(kind, id))) {
      this.#addProblem(`Environment '${name}' is defined more than once in this file.`, defined, `environment '${name}'`);
      return;
    }
    this.#applied.push({ kind, id });
    const environments = this.#draft.kind('environments');
    if (!this.#draft.find(environments, name)) this.#read(environments, name, { name }, null);
    this.#read(kind, id, { ...body, id, environment: name, agents: [...agents] }, { repo, file }, blankIdProblems(environments, name));
  }

  /** A group that does not exist yet is made; its rights are set in the server's own configuration. */
  #ensureGroup(name: string, defined: DefinedPipeline): void {
    const kind = this.#draft.kind('pipelineGroups');
    const found = this.#draft.find(kind, name);
    if (!found) this.#read(kind, name, { name }, null);
    else if (found.value.name !== name) this.#addProblem(`Group with name '${name}' already exists`, defined, `pipeline '${defined.name}'`);
  }

  #read(kind: Kind, id: string, json: JsonObject, origin: RemoteOrigin | null, more: readonly Problem[] = []): void {
    const current = this.#draft.find(kind, id)?.value;
    const against = { ruleView: this.#draft.ruleView, current, isSealed: true, file: { configRepo: this.#publication.repo } };
    const { entity, problems } = readEntity(kind, json, against, this.#tools.reading);
    this.#put(kind, id, 'origin' in entity ? { ...entity, origin } : entity, [...problems, ...more]);
  }

  #put<K extends KindName>(kind: Kind<K>, id: string, entity: EntityNamed<K>, problems: readonly Problem[] = []): void {
    this.#draft.put(kind, id, entity, problems);
    this.#wanted.add(this.#nameOf(kind, id));
  }

  /** Definitions in force unchanged were allowed by the same rules, and no entity they need can have been removed. */
  #checkRules(): void {
    const { rules, repo } = this.#publication;
    if (!rules) return;
    const reported = new Set<string>();
    for (const { referral, definedAs } of referralsOf(this.#draft, repo, this.#applied)) {
      const message = notAllowed(referral);
      if (reported.has(message) || isAllowed(referral, rules)) continue;
      reported.add(message);
      const defined = this.#definitionOf(definedAs);
      this.#problems.push({ message, isRule: true, definedAt: defined && locationOf(defined, `${definedAs.type} '${defined.name}'`) });
    }
  }

  #definitionOf({ type, name }: DefinedAs): DefinedPipeline | DefinedEnvironment | undefined {
    const placeholder = this.#placeholders.find(name);
    if (placeholder) return placeholder;
    const list = type === 'pipeline' ? this.#publication.pipelines : this.#publication.environments;
    return list.find((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  #addProblem(message: string, defined: DefinedPipeline | DefinedEnvironment, entity: string, hint?: string): void {
    this.#problems.push({ message, isRule: false, definedAt: locationOf(defined, entity), ...(hint && { hint }) });
  }

  #nameOf(kind: Kind, id: string): string {
    return `${kind.name}\n${keyOf(kind, id)}`;
  }
}

function locationOf({ file, line, column }: DefinedPipeline | DefinedEnvironment, entity: string): MergeProblem['definedAt'] {
  return { file, line, column, entity };
}
