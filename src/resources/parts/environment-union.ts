// One environment from several sources: what the server's own configuration says of it, and what config repos do.
import type { Problem } from '../../shape/problem.ts';
import type { Lookup, SeesReferrers } from '../../shape/resource.ts';
import { isSecret } from '../../shape/secret.ts';
import type { Variable } from './environment-variables.ts';
import type { Origin } from './origin.ts';

interface Content {
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

export interface SeesParts {
  readonly environments: Lookup<OwnEnvironment>;
  readonly environmentParts: Lookup<EnvironmentPart>;
}

type Seen = SeesParts & SeesReferrers;

/** The parts that config repos define of an environment. */
export function partsOf(name: string, { environmentParts, referrers }: Seen): EnvironmentPart[] {
  return [...referrers('environments', name)].flatMap(({ kind, id }) =>
    kind === 'environmentParts' ? (environmentParts.get(id) ?? []) : [],
  );
}

/** The environment in which a pipeline is, other than this one; undefined: none. */
export function otherEnvironmentOf(pipeline: string, name: string, { environmentParts, referrers }: Seen): string | undefined {
  return [...referrers('pipelines', pipeline)]
    .flatMap(({ kind, id }) => {
      if (kind === 'environments') return id;
      return kind === 'environmentParts' ? (environmentParts.get(id)?.environment ?? []) : [];
    })
    .find((other) => other.toLowerCase() !== name.toLowerCase());
}

/** What a part has that another source of the same environment has, too, or another environment. */
export function unionProblems(part: EnvironmentPart, seen: Seen): Problem[] {
  const own = seen.environments.get(part.environment);
  const others = partsOf(part.environment, seen).filter(({ id }) => id !== part.id);
  return [
    ...overlapProblems(part, [...(own ? [own] : []), ...others]),
    ...part.agents.flatMap((agent, index) =>
      others.some(({ agents }) => agents.includes(agent))
        ? [{ at: ['agents', index], message: `Environment agent '${agent}' is defined more than once.` }]
        : [],
    ),
    ...elsewhereProblems(part.environment, part.pipelines, seen),
  ];
}

export function overlapProblems({ pipelines, environmentVariables }: Content, others: readonly Content[]): Problem[] {
  const pipelinesOfOthers = new Set(others.flatMap((other) => other.pipelines.map(lowerCase)));
  const variablesOfOthers = new Set(others.flatMap((other) => other.environmentVariables.map(({ name }) => lowerCase(name))));
  return [
    ...pipelines.flatMap((pipeline, index) =>
      pipelinesOfOthers.has(lowerCase(pipeline))
        ? [{ at: ['pipelines', index, 'name'], message: `Environment pipeline '${pipeline}' is defined more than once.` }]
        : [],
    ),
    ...environmentVariables.flatMap(({ name }, index) =>
      variablesOfOthers.has(lowerCase(name))
        ? [
            {
              at: ['environment_variables', index, 'name'],
              message: `Environment variable '${name}' is defined more than once with different values`,
            },
          ]
        : [],
    ),
  ];
}

export function elsewhereProblems(name: string, pipelines: readonly string[], seen: Seen): Problem[] {
  return pipelines.flatMap((pipeline, index) => {
    const other = otherEnvironmentOf(pipeline, name, seen);
    if (other === undefined) return [];
    return [{ at: ['pipelines', index, 'name'], message: `Associating pipeline(s) which is already part of ${other} environment` }];
  });
}

/** The whole, as everybody sees it. */
export function united({ pipelines, environmentVariables: own }: OwnEnvironment, parts: readonly EnvironmentPart[]) {
  return {
    pipelines: [...pipelines, ...parts.flatMap((part) => part.pipelines)],
    environmentVariables: [...own, ...parts.flatMap((part) => part.environmentVariables)],
  };
}

/** What of the whole is not said by config repos. */
export function withoutParts(environment: OwnEnvironment, parts: readonly EnvironmentPart[]): OwnEnvironment {
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
