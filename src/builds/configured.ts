// A pipeline as the engine sees it: with its template and its parameters, and with its materials found.
import type { FoundMaterial } from '../materials/catalogue/material.ts';
import type { EntityNamed } from '../shape/configuration.ts';

type Pipeline = EntityNamed<'pipelines'>;
export type ConfiguredStage = NonNullable<Pipeline['stages']>[number];
export type ConfiguredVariable = Pipeline['environmentVariables'][number];

export interface Upstream {
  readonly pipeline: string;
  readonly stage: string;
  /** That pipeline and the one below it are defined by the same config repo. */
  readonly isOfSameRepo: boolean;
}

export interface ConfiguredMaterial {
  readonly found: FoundMaterial;
  readonly fingerprint: string;
  readonly type: FoundMaterial['type'];
  readonly name: string | null;
  readonly folder: string | null;
  /** For people, without secrets. */
  readonly description: string;
  readonly filter: readonly string[];
  readonly isFilterInverted: boolean;
  readonly isIgnoredForScheduling: boolean;
  /** The stage that has to pass, for a dependency. */
  readonly upstream: Upstream | undefined;
}

export interface PipelineDefinition {
  /** The name in lower case. */
  readonly key: string;
  readonly name: string;
  readonly group: string;
  readonly labelTemplate: string;
  readonly lockBehavior: string;
  readonly timer: Pipeline['timer'];
  readonly parameters: Pipeline['parameters'];
  readonly variables: readonly ConfiguredVariable[];
  readonly stages: readonly ConfiguredStage[];
  readonly materials: readonly ConfiguredMaterial[];
  /** The config repo whose files define it, its repository, and the revision they were read from. */
  readonly definedBy: { readonly repo: string; readonly fingerprint: string; readonly revision: string | null } | undefined;
}

export interface PipelineEnvironment {
  readonly name: string;
  readonly variables: readonly ConfiguredVariable[];
}

/** The queries of the engine to the configuration. */
export interface BuildConfig {
  /** The revision of the configuration. */
  readonly revision: number;
  find(name: string): Promise<PipelineDefinition | undefined>;
  /** The pipeline as it was at another revision; undefined: that is not known any more. */
  at(revision: number, name: string): Promise<PipelineDefinition | undefined>;
  /** Without its materials, which may have to be found first. */
  stagesOf(name: string): readonly ConfiguredStage[] | undefined;
  groupOf(name: string): string | undefined;
  /** The keys of all pipelines. */
  keys(): readonly string[];
  /** The fingerprints of all materials. */
  materials(): Promise<Iterable<string>>;
  /** The keys of those that are built from a material. */
  usersOf(fingerprint: string): Promise<readonly string[]>;
  /** The materials that a stage provides to the pipelines that depend on it, each once: they may write its name in other letters. */
  below(pipeline: string, stage: string): Promise<readonly ConfiguredMaterial[]>;
  /** The names of the pipelines that are built from runs of this one. */
  dependentsOf(pipeline: string): readonly string[];
  /** The environment that a pipeline is in. */
  environmentOf(name: string): PipelineEnvironment | undefined;
  /** The plugin of the cluster of an elastic profile. */
  pluginOfProfile(profile: string): string | null;
  /** Minutes; 0: never. */
  readonly jobTimeout: number;
}

export function keyOfName(name: string): string {
  return name.toLowerCase();
}
