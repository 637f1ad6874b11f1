// The materials of the current configuration. Only pipelines and config repos affected by a change are read again, in slices, on demand.
import type { Config } from '../../config/current.ts';
import type { Edit } from '../../config/edit.ts';
import { kindAndKeyIn, nameOf } from '../../config/references.ts';
import { pause } from '../../kit/concurrency/time-slices.ts';
import type { KindName } from '../../shape/configuration.ts';
import { keyOf } from '../../shape/resource.ts';
import type { Definitions, MaterialTools } from './identity.ts';
import { type FoundMaterial, foundMaterial, type Material } from './material.ts';
import { type MaterialConsumer, MaterialIndex } from './material-index.ts';

const PIPELINES = 'pipelines';
const CONFIG_REPOS = 'configRepos';
const PACKAGES = 'packages';
const GROUPS = 'pipelineGroups';
/** A material changes with the entities that it names. */
const NAMED: ReadonlySet<KindName> = new Set(['scms', PACKAGES, 'packageRepositories']);
/** Config repos come after all pipelines. */
const LAST = Number.POSITIVE_INFINITY;

export class MaterialCatalogue {
  readonly #config: Config;
  readonly #tools: MaterialTools;
  readonly #definitions: Definitions;
  readonly #index = new MaterialIndex();
  /** The pipelines and config repos to look at again. */
  readonly #stale = new Set<string>();
  #changed = new Set<string>();
  #catchingUp: Promise<void> | undefined;
  /** Grows when anything changes that materials depend on. */
  generation = 0;

  constructor(config: Config, tools: MaterialTools) {
    this.#config = config;
    this.#tools = tools;
    this.#definitions = {
      scm: (id) => config.of('scms').find(id)?.value,
      package: (id) => config.of(PACKAGES).find(id)?.value,
      repository: (id) => config.of('packageRepositories').find(id)?.value,
    };
    for (const name of [PIPELINES, CONFIG_REPOS] as const) {
      const { kind } = config.of(name);
      for (const { key } of config.of(name).all()) this.#stale.add(nameOf(kind, key));
    }
  }

  /** To be called with every change of the configuration. */
  note(edits: readonly Pick<Edit, 'kind' | 'key' | 'before' | 'after'>[]): void {
    for (const { kind, key, before, after } of edits) {
      const name = nameOf(kind, key);
      const isMoved = kind.name === GROUPS && before?.created !== after?.created;
      if (kind.name === PIPELINES || kind.name === CONFIG_REPOS) this.#stale.add(name);
      else if (isMoved || NAMED.has(kind.name)) this.#noteUsersOf(name);
    }
  }

  /** By fingerprint, as of now: a caller that continues later must ask again. */
  async current(): Promise<ReadonlyMap<string, Material>> {
    while (this.#isBehind) {
      this.#catchingUp ??= this.#catchUp().finally(() => {
        this.#catchingUp = undefined;
      });
      await this.#catchingUp;
    }
    return this.#index.materials;
  }

  /** The groups of all pipelines, as of the last call of `current`. */
  get groups(): readonly string[] {
    return this.#index.groups;
  }

  async ofConfigRepo(id: string): Promise<Material | undefined> {
    await this.current();
    const { kind } = this.#config.of(CONFIG_REPOS);
    return this.#index.usedBy(nameOf(kind, keyOf(kind, id)))[0];
  }

  /** The materials of a pipeline, in its order. */
  async ofPipeline(name: string): Promise<readonly FoundMaterial[]> {
    await this.current();
    const { kind } = this.#config.of(PIPELINES);
    return this.#index.foundIn(nameOf(kind, keyOf(kind, name)));
  }

  /** Whether something has changed since `takeChanged` was called. */
  get hasChanged(): boolean {
    return this.#isBehind || this.#changed.size > 0;
  }

  /** The fingerprints of all that may be different since the last time, those that are gone included. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  get #isBehind(): boolean {
    return this.#stale.size > 0 || this.#catchingUp !== undefined;
  }

  #noteUsersOf(name: string): void {
    for (const user of this.#config.references.of(name)) {
      const { kind } = kindAndKeyIn(user);
      if (kind === PIPELINES) this.#stale.add(user);
      else if (kind === PACKAGES) this.#noteUsersOf(user);
    }
  }

  async #catchUp(): Promise<void> {
    for (const name of this.#stale) {
      this.#stale.delete(name);
      for (const fingerprint of this.#index.set(name, this.#consumerNamed(name))) this.#changed.add(fingerprint);
      this.generation++;
      const wait = pause();
      if (wait) await wait;
    }
  }

  #consumerNamed(name: string): MaterialConsumer | undefined {
    const { kind, key } = kindAndKeyIn(name);
    if (kind === CONFIG_REPOS) return this.#configRepoAt(key);
    return kind === PIPELINES ? this.#pipelineAt(key) : undefined;
  }

  #configRepoAt(key: string): MaterialConsumer | undefined {
    const entry = this.#config.of(CONFIG_REPOS).find(key);
    if (!entry) return undefined;
    const { id, material } = entry.value;
    return { order: [LAST, entry.created], configRepo: id, found: [foundMaterial(material, this.#definitions, this.#tools)] };
  }

  #pipelineAt(key: string): MaterialConsumer | undefined {
    const entry = this.#config.of(PIPELINES).find(key);
    if (!entry) return undefined;
    const pipeline = entry.value;
    const group = this.#config.of(GROUPS).find(pipeline.group);
    return {
      order: [group?.created ?? LAST, entry.created],
      pipeline,
      found: this.#tools.resolved(pipeline).materials.map((written) => foundMaterial(written, this.#definitions, this.#tools, pipeline)),
    };
  }
}
