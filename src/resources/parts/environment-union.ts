// One environment from several sources: the server's own configuration, and config repos.
import type { Problem } from '../../shape/problems/problem.ts';
import type { Lookup, ReferrersView } from '../../shape/resource.ts';
import { isSecret } from '../../shape/secrets/secret.ts';
import type { Variable } from './environment-variables.ts';
import { type Origin, type SourcesView, sourceOf } from './origin.ts';

interface Content {
  /** Absent: the server's own configuration. */
  readonly origin?: Origin | null;
  readonly pipelines: readonly string[];
  readonly environmentVariables: readonly Variable[];
}

export interface EnvironmentPart extends Content {
  readonly id: string;
  readonly environment: string;
  readonly origin: Origin | null;
  readonly agents: readonly string[];
}

export interface OwnEnvironment extends Content {
  readonly name: string;
}

export interface PartsView {
  readonly environments: Lookup<OwnEnvironment>;
  readonly environmentParts: Lookup<EnvironmentPart>;
}

type View = PartsView & ReferrersView & SourcesView;

/** The parts that files of config repos define of an environment, in the order of repos and paths: the whole must not depend on which came first. */
export function partsOf(name: string, { environmentParts, referrers }: View): EnvironmentPart[] {
  return [...referrers('environments', name)]
    .flatMap(({ kind, id }) => (kind === 'environmentParts' ? (environmentParts.get(id) ?? []) : []))
    .sort(({ id: one }, { id: other }) => (one < other ? -1 : 1));
}

/** The source that has a pipeline in another environment than this one; undefined: there is none. */
function otherHolderOf(
  pipeline: string,
  name: string,
  { environmentParts, referrers }: View,
): Pick<EnvironmentPart, 'environment' | 'origin'> | undefined {
  return [...referrers('pipelines', pipeline)]
    .flatMap(({ kind, id }) => {
      if (kind === 'environments') return { environment: id, origin: null };
      return kind === 'environmentParts' ? (environmentParts.get(id) ?? []) : [];
    })
    .find(({ environment }) => environment.toLowerCase() !== name.toLowerCase());
}

/** The entries of a part that another source of the same environment has, too, and pipelines of another environment. */
export function unionProblems(part: EnvironmentPart, view: View): Problem[] {
  const own = view.environments.get(part.environment);
  const others = partsOf(part.environment, view).filter(({ id }) => id !== part.id);
  return [
    ...overlapProblems(part, [...(own ? [own] : []), ...others], view),
    ...part.agents.flatMap((agent, index) => {
      const other = others.find(({ agents }) => agents.includes(agent));
      if (!other) return [];
      return [{ at: ['agents', index], message: `Environment agent '${agent}' is defined more than once. ${sources(other, part, view)}` }];
    }),
    ...otherEnvironmentProblems(part.environment, part, view),
  ];
}

export function overlapProblems(content: Content, others: readonly Content[], view: SourcesView): Problem[] {
  if (others.length === 0) return [];
  const [byPipeline, byVariable] = [new Map<string, Content>(), new Map<string, Content>()];
  for (const other of others) {
    for (const pipeline of other.pipelines) byPipeline.set(lowerCase(pipeline), other);
    for (const { name } of other.environmentVariables) byVariable.set(lowerCase(name), other);
  }
  return [
    ...content.pipelines.flatMap((pipeline, index) => {
      const other = byPipeline.get(lowerCase(pipeline));
      const message = `Environment pipeline '${pipeline}' is defined more than once.`;
      return other ? [{ at: ['pipelines', index, 'name'], message: `${message} ${sources(other, content, view)}` }] : [];
    }),
    ...content.environmentVariables.flatMap(({ name }, index) => {
      const other = byVariable.get(lowerCase(name));
      const message = `Environment variable '${name}' is defined more than once with different values.`;
      return other ? [{ at: ['environment_variables', index, 'name'], message: `${message} ${sources(other, content, view)}` }] : [];
    }),
  ];
}

export function otherEnvironmentProblems(name: string, content: Content, view: View): Problem[] {
  return content.pipelines.flatMap((pipeline, index) => {
    const other = otherHolderOf(pipeline, name, view);
    if (other === undefined) return [];
    const message = `Associating pipeline(s) which is already part of ${other.environment} environment`;
    // Within the server's own configuration there is only one place to look.
    const isRemote = other.origin !== null || (content.origin ?? null) !== null;
    return [{ at: ['pipelines', index, 'name'], message: isRemote ? `${message}. ${sources(other, content, view)}` : message }];
  });
}

function sources(one: Pick<Content, 'origin'>, other: Pick<Content, 'origin'>, view: SourcesView): string {
  // Within a repo only the files distinguish them.
  const areInDifferentFiles = one.origin?.repo === other.origin?.repo && one.origin?.file !== other.origin?.file;
  const names = [one, other].map(({ origin }) => `${sourceOf(origin ?? null, view)}${areInDifferentFiles ? ` (${origin?.file})` : ''}`);
  return `Source(s): [${names.join(', ')}]`;
}

/** The whole environment, with the parts that config repos define. */
export function unionOf({ pipelines, environmentVariables: own }: OwnEnvironment, parts: readonly EnvironmentPart[]) {
  return {
    pipelines: [...pipelines, ...parts.flatMap((part) => part.pipelines)],
    environmentVariables: [...own, ...parts.flatMap((part) => part.environmentVariables)],
  };
}

/** The environment without the entries that config repos define. */
export function withoutParts(environment: OwnEnvironment, parts: readonly EnvironmentPart[]): OwnEnvironment {
  if (parts.length === 0) return environment;
  const pipelines = new Set(parts.flatMap((part) => part.pipelines.map((name) => name.toLowerCase())));
  const variables = new Set(parts.flatMap((part) => part.environmentVariables.map(identityOf)));
  return {
    ...environment,
    pipelines: environment.pipelines.filter((name) => !pipelines.has(name.toLowerCase())),
    environmentVariables: environment.environmentVariables.filter((variable) => !variables.has(identityOf(variable))),
  };
}

function identityOf({ name, value }: Variable): string {
  return JSON.stringify([name, isSecret(value) ? value.digest : value]);
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}
