// The materials of the configuration as it is now, worked out anew only when something has changed that they depend on.
import type { Config } from '../config/current.ts';
import type { ConfiguredPackage, ConfiguredPipeline, ConfiguredRepository, ConfiguredScm, WrittenMaterial } from './configured.ts';
import { type Material, type MaterialSource, type MaterialTools, materialsOf } from './of-config.ts';

const KINDS = ['pipelineGroups', 'pipelines', 'configRepos', 'scms', 'packages', 'packageRepositories'] as const;
type KindName = (typeof KINDS)[number];

export class MaterialCatalogue {
  readonly #config: Config;
  readonly #tools: MaterialTools;
  #current: ReadonlyMap<string, Material> = new Map();
  #generation = -1;

  constructor(config: Config, tools: MaterialTools) {
    this.#config = config;
    this.#tools = tools;
  }

  /** Grows when anything changes that materials depend on. */
  get generation(): number {
    return KINDS.reduce((sum, kind) => sum + this.#config.of(kind).generation, 0);
  }

  /** By fingerprint; the same map until something changes. */
  get current(): ReadonlyMap<string, Material> {
    const { generation } = this;
    if (generation !== this.#generation) {
      this.#current = materialsOf(this.#source(), this.#tools);
      this.#generation = generation;
    }
    return this.#current;
  }

  #source(): MaterialSource {
    const all = <T>(kind: KindName) => [...this.#config.of(kind).all()].map(({ value }) => value as T);
    const one = <T>(kind: KindName, id: string) => this.#config.of(kind).find(id)?.value as T | undefined;
    return {
      groups: all<{ name: string }>('pipelineGroups').map(({ name }) => name),
      pipelines: all<ConfiguredPipeline>('pipelines'),
      configRepos: all<{ id: string; material: WrittenMaterial }>('configRepos'),
      scm: (id) => one<ConfiguredScm>('scms', id),
      package: (id) => one<ConfiguredPackage>('packages', id),
      repository: (id) => one<ConfiguredRepository>('packageRepositories', id),
    };
  }
}
