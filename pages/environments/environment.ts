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

/** The body of a request: the part that the server itself defines. */
export interface EnvironmentBody {
  readonly name: string;
  readonly pipelines: readonly { readonly name: string }[];
  readonly environment_variables: readonly Variable[];
}

export const NEW_ENVIRONMENT: EnvironmentBody = { name: '', pipelines: [], environment_variables: [] };

/** The part that can be changed here. The rest is defined by files, as the merged environment shows. */
export function ownPart(
  { name, pipelines, environment_variables: variables }: EnvironmentBody,
  merged: MergedEnvironment,
): EnvironmentBody {
  const otherPipelines = namesFromFiles(merged.pipelines);
  const otherVariables = namesFromFiles(merged.environment_variables);
  return {
    name,
    pipelines: pipelines.filter((one) => !otherPipelines.has(one.name.toLowerCase())).map((one) => ({ name: one.name })),
    environment_variables: variables.filter((one) => !otherVariables.has(one.name.toLowerCase())),
  };
}

/** Differs when `ownPart` would leave out other parts. */
export function repoPartsKey({ pipelines, environment_variables: variables }: MergedEnvironment): string {
  return JSON.stringify([pipelines, variables].map((parts) => [...namesFromFiles(parts)]));
}

type Part = MergedEnvironment['pipelines'][number];

/** The names of pipelines that config repos put into the environment, in lower case. */
export function namesFromFiles(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(parts.filter((part) => !isOwn(part)).map((part) => part.name.toLowerCase()));
}

export function isOwn({ origin }: { readonly origin: Origin }): boolean {
  return origin.type === 'gocd';
}

export function shownEnvironments(environments: readonly MergedEnvironment[], search: string): MergedEnvironment[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ name, pipelines }: MergedEnvironment) => [name, ...pipelines.map((pipeline) => pipeline.name)].join('\n').toLowerCase();
  return environments.filter((environment) => words.every((word) => textOf(environment).includes(word)));
}

/** The list with one more name, unless nothing is typed or the list has it. */
export function withPipeline(pipelines: EnvironmentBody['pipelines'], typed: string): EnvironmentBody['pipelines'] {
  const name = typed.trim();
  if (name === '' || pipelines.some((one) => one.name.toLowerCase() === name.toLowerCase())) return pipelines;
  return [...pipelines, { name }];
}

/** The part of a config repo file that adds a pipeline to an environment. Names are quoted: one may look like a number. */
export function environmentYaml(environment: string, pipeline: string): string {
  return `environments:\n  "${environment}":\n    pipelines: ["${pipeline}"]`;
}
