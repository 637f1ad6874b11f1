// Environments as the API gives them, with where each of their parts is defined.
import type { Variable } from '../forms/variables/variable.ts';

export const ENVIRONMENTS_ADDRESS = '/api/admin/environments';
export const ENVIRONMENTS_VERSION = 3;
export const MERGED_ADDRESS = '/api/admin/internal/environments/merged';
export const MERGED_VERSION = 1;

export interface Origin {
  readonly type: 'gocd' | 'config_repo';
  readonly id?: string;
}

export interface MergedEnvironment {
  readonly name: string;
  readonly origins: readonly Origin[];
  readonly pipelines: readonly { readonly name: string; readonly origin: Origin }[];
  readonly agents: readonly { readonly uuid: string; readonly origin: Origin }[];
  readonly environment_variables: readonly (Variable & { readonly origin: Origin })[];
}

export interface MergedList {
  readonly _embedded: { readonly environments: readonly MergedEnvironment[] };
}

/** What is sent: the server's own part of it. */
export interface EnvironmentBody {
  readonly name: string;
  readonly pipelines: readonly { readonly name: string }[];
  readonly environment_variables: readonly Variable[];
}

/** The part that can be changed here. The rest is defined by files, as the merged environment tells. */
export function ownPart(
  { name, pipelines, environment_variables: variables }: EnvironmentBody,
  merged: MergedEnvironment,
): EnvironmentBody {
  const fromFiles = (parts: readonly Part[]) => new Set(parts.filter((part) => !isOwn(part)).map((part) => part.name.toLowerCase()));
  const otherPipelines = fromFiles(merged.pipelines);
  const otherVariables = fromFiles(merged.environment_variables);
  return {
    name,
    pipelines: pipelines.filter((one) => !otherPipelines.has(one.name.toLowerCase())).map((one) => ({ name: one.name })),
    environment_variables: variables.filter((one) => !otherVariables.has(one.name.toLowerCase())),
  };
}

type Part = MergedEnvironment['pipelines'][number];

export function isOwn({ origin }: { readonly origin: Origin }): boolean {
  return origin.type === 'gocd';
}

export function shownEnvironments(environments: readonly MergedEnvironment[], search: string): MergedEnvironment[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ name, pipelines }: MergedEnvironment) => [name, ...pipelines.map((pipeline) => pipeline.name)].join('\n').toLowerCase();
  return environments.filter((environment) => words.every((word) => textOf(environment).includes(word)));
}
