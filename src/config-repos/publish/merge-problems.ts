// The findings of the configuration checks about a publication, in words for the authors of its files, and with their lines.
import type { Finding } from '../../config/check-all.ts';
import type { Config } from '../../config/current.ts';
import type { InvalidChange } from '../../config/large-change.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { DefinedEnvironment, DefinedPipeline } from '../../contracts/plugins/config-repo.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { Path } from '../../shape/problems/problem.ts';
import type { Entity } from '../../shape/resource.ts';
import { type AppliedPublication, partId } from './apply-to-draft.ts';
import type { MergeProblem, Publication } from './publication.ts';

/** Finds the line of a value in its file. */
export type Locate = (
  defined: DefinedPipeline | DefinedEnvironment,
  path: readonly (string | number)[],
) => { readonly line: number; readonly column: number };

interface Definition {
  readonly defined: DefinedPipeline | DefinedEnvironment;
  readonly type: 'pipeline' | 'environment';
  /** The path in the definition that names the entity, if it is only a prerequisite, such as a group. */
  readonly at?: Path;
}

type Definitions = ReadonlyMap<string, Definition>;

const NOUNS: Readonly<Partial<Record<KindName, string>>> = {
  pipelines: 'pipeline',
  environments: 'environment',
  environmentParts: 'environment',
  pipelineGroups: 'pipeline group',
  scms: 'SCM',
};

/** The key under which the API reports an unknown template. */
const UNKNOWN_TEMPLATE = 'pipeline';

/** In slices: a mistake in a template that thousands use is thousands of problems, and the place of each is looked for. */
export async function mergeProblems(
  { findings, conditions }: Pick<InvalidChange, 'findings' | 'conditions'>,
  publication: Publication,
  applied: Omit<AppliedPublication, 'problems'>,
  parts: { readonly config: Config; readonly locate: Locate },
): Promise<MergeProblem[]> {
  const { placeholders } = applied;
  const own = definitionsByName(publication, applied);
  const found = new Map<string, MergeProblem>();
  const add = (problem: MergeProblem) => found.getOrInsert(JSON.stringify([problem.message, problem.definedAt]), problem);
  for (const finding of findings.flatMap(findingsOfUsers)) {
    for (const { at, item, message } of finding.problems) {
      const text = messageFor(finding, message, applied);
      if (text !== undefined)
        add({
          message: finding.isOfUser ? withOrigin(text, finding, publication, parts.config) : text,
          isRule: false,
          ...correctionLocation(finding, item === undefined ? at : [...at, item], own, parts),
        });
    }
    await pause();
  }
  for (const message of conditions) add({ message: placeholders.withOriginalNames(message), isRule: false, definedAt: undefined });
  return [...found.values()];
}

/** Of a removed entity, the problems of the entities that need it: that it cannot be deleted is a message for clients that delete it. */
function findingsOfUsers(finding: Finding): readonly (Finding & { readonly isOfUser?: boolean })[] {
  const { because, brokenReferences = [] } = finding;
  const missing = brokenReferences.filter(({ problems }) => problems.length > 0);
  return because && missing.length > 0 ? missing.map((broken) => ({ ...broken, because, isOfUser: true })) : [finding];
}

/** Adds to the message the file that defines the entity with the problem, unless the message names it already. */
function withOrigin(message: string, { kind, id }: Finding, { repo, source }: Publication, config: Config): string {
  const origin = repoOriginOf(config.of(kind.name).find(id)?.value ?? {});
  const known = origin && (origin.repo === repo ? source : config.of('publishedRevisions').find(origin.repo)?.value.source);
  if (!origin || message.includes(String(known))) return message;
  return `${message} It is defined so in ${origin.file} of the config repo '${origin.repo}'.`;
}

/** Undefined: the problem is reported at another entity. */
function messageFor(
  { kind, id }: Finding,
  message: string,
  { placeholders, scmClashes }: Omit<AppliedPublication, 'problems'>,
): string | undefined {
  const isClash = kind.name === 'scms' && scmClashes.ruleMessages.has(message);
  return isClash ? scmClashes.all.get(id)?.text : placeholders.withOriginalNames(message);
}

function correctionLocation(
  { kind, id, because }: Finding,
  at: Path,
  own: Definitions,
  { config, locate }: { readonly config: Config; readonly locate: Locate },
): Pick<MergeProblem, 'definedAt' | 'hint'> {
  const definition = own.get(nameOf(kind.name, id));
  if (definition) return { definedAt: locationOf(definition, at, locate) };
  if (!because) return { definedAt: undefined };
  // Another entity needs the one that this repo has changed or removed.
  const cause = own.get(nameOf(because.kind.name, because.id));
  const origin = repoOriginOf(config.of(because.kind.name).find(because.id)?.value ?? {});
  const entity = named(because.kind.name, because.id, config);
  const location = cause ? locationOf(cause, [], locate) : origin && { file: origin.file, entity };
  return { definedAt: location, hint: neededHint(entity, entityText(kind.name, id, config)) };
}

function neededHint(entity: string, needing: string): string {
  return `Let ${needing} do without it first, or leave ${entity} as it was.`;
}

/** Names the entity, with its repo and file if it is defined in one. */
function entityText(kind: KindName, id: string, config: Config): string {
  const origin = repoOriginOf(config.of(kind).find(id)?.value ?? {});
  return `${named(kind, id, config)}${origin ? ` in ${origin.file} of the config repo '${origin.repo}'` : ''}`;
}

function named(kind: KindName, id: string, config: Config): string {
  const entity: Entity | undefined = config.of(kind).find(id)?.value;
  const name = kind === 'environmentParts' ? id.split('/', 2)[1] : entity?.name;
  return `${NOUNS[kind] ?? 'the entity'} '${String(name ?? id)}'`;
}

function locationOf({ defined, type, at: brought }: Definition, at: Path, locate: Locate): MergeProblem['definedAt'] {
  const written = at[0] === UNKNOWN_TEMPLATE ? ['template'] : at;
  return { file: defined.file, ...locate(defined, [...(brought ?? []), ...written]), entity: `${type} '${defined.name}'` };
}

/** Later entries overrule earlier ones: a group is where its first pipeline stands, and free names win over others. */
function definitionsByName(
  publication: Publication,
  { placeholders, scms, scmClashes }: Omit<AppliedPublication, 'problems'>,
): Definitions {
  const { repo, pipelines, environments } = publication;
  const ofPipelines = pipelines.toReversed();
  const pipeline = (defined: DefinedPipeline, at?: Path) => ({ defined, type: 'pipeline', ...(at && { at }) }) as const;
  const environment = (defined: DefinedEnvironment, at?: Path) => ({ defined, type: 'environment', ...(at && { at }) }) as const;
  return new Map<string, Definition>([
    ...ofPipelines.map((defined) => [nameOf('pipelineGroups', defined.group), pipeline(defined, ['group'])] as const),
    ...Array.from(scms, ([id, [declared]]) => [nameOf('scms', id), pipeline(declared!.defined, declared!.at)] as const),
    ...Array.from(scmClashes.all, ([id, { at }]) => [nameOf('scms', id), pipeline(at.defined, at.at)] as const),
    ...environments.map((defined) => [nameOf('environments', defined.name), environment(defined, ['name'])] as const),
    ...Array.from(placeholders.all, ([name, defined]) => [nameOf('pipelines', name), pipeline(defined)] as const),
    ...pipelines.map((defined) => [nameOf('pipelines', defined.name), pipeline(defined)] as const),
    ...environments.map((defined) => [nameOf('environmentParts', partId(repo, defined)), environment(defined)] as const),
  ]);
}

function nameOf(kind: KindName, id: string): string {
  // The path of a file is part of it, and letter case distinguishes paths.
  return `${kind}\n${kind === 'environmentParts' ? id : id.toLowerCase()}`;
}
