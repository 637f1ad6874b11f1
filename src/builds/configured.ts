// A pipeline as the engine sees it: with its template and its parameters, and with its materials found.
import type { FoundMaterial } from '../materials/catalogue/material.ts';
import type { EntityNamed } from '../shape/configuration.ts';

type Pipeline = EntityNamed<'pipelines'>;
export type ConfiguredStage = NonNullable<Pipeline['stages']>[number];
export type ConfiguredJob = ConfiguredStage['jobs'][number];
export type ConfiguredVariable = Pipeline['environmentVariables'][number];

export interface ConfiguredMaterial {
  readonly found: FoundMaterial;
  readonly fingerprint: string;
  readonly type: string;
  readonly name: string | null;
  readonly folder: string | null;
  /** For people, without secrets. */
  readonly description: string;
  readonly filter: readonly string[];
  readonly isFilterInverted: boolean;
  readonly isIgnoredForScheduling: boolean;
  /** The stage that has to pass, for a dependency. */
  readonly upstream: { readonly pipeline: string; readonly stage: string } | undefined;
}

export interface ConfiguredPipeline {
  /** The name in lower case. */
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly labelTemplate: string;
  readonly lockBehavior: string;
  readonly timer: Pipeline['timer'];
  readonly variables: readonly ConfiguredVariable[];
  readonly stages: readonly ConfiguredStage[];
  readonly materials: readonly ConfiguredMaterial[];
  /** The config repo that defines it, and the revision it was read from. */
  readonly definedBy: { readonly repo: string; readonly revision: string | null } | undefined;
}

export interface PipelineEnvironment {
  readonly name: string;
  readonly variables: readonly ConfiguredVariable[];
}

/** What the engine asks of the configuration. */
export interface BuildConfig {
  /** The revision of the configuration. */
  readonly revision: number;
  find(name: string): Promise<ConfiguredPipeline | undefined>;
  /** Without its materials, which may have to be found first. */
  stagesOf(name: string): readonly ConfiguredStage[] | undefined;
  groupOf(name: string): string | undefined;
  /** The keys of all pipelines. */
  keys(): readonly string[];
  /** The keys of those that are built from a material. */
  usersOf(fingerprint: string): Promise<readonly string[]>;
  /** The environment that a pipeline is in. */
  environmentOf(name: string): PipelineEnvironment | undefined;
  /** Minutes; 0: never. */
  readonly jobTimeout: number;
}

export function keyOfName(name: string): string {
  return name.toLowerCase();
}
