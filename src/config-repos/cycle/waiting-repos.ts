// Waiting definitions: they were read, and the rest of the configuration did not allow them.
import type { Config } from '../../config/current.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { Material } from '../../materials/catalogue/material.ts';
import { shortDescription } from '../../materials/catalogue/messages.ts';
import type { ConfigRepoFiles } from '../../store/config-repos/files.ts';
import type { RepoState } from '../../store/config-repos/states.ts';
import type { Outline } from '../parsing/packed.ts';
import { inDisplayOrder, type Publication, sourceName } from '../publish/publication.ts';
import { type DefinitionParts, definitionsFromFiles, UndecryptableDefinitions } from './files/join-definitions.ts';
import { type Plugins, repoNow } from './repo-config.ts';

export interface WaitingParts extends DefinitionParts {
  readonly cipher: Cipher;
  readonly config: Config;
  readonly plugins: Plugins;
  readonly files: Pick<ConfigRepoFiles, 'all' | 'versions' | 'parsed'>;
  readonly materials: { ofConfigRepo(id: string): Promise<Material | undefined> };
  /** The states of the repos that the rest of the configuration did not allow, the last one at the end. */
  refused(): readonly RepoState[];
}

/** Maximum number of repos whose files one search for pipelines reads for the first time; the next search reads those of other repos. */
const MAX_READ_REPOS = 50;

export class WaitingRepos {
  readonly #parts: WaitingParts;
  /** The names of the pipelines that waiting repos define. A repo has a new state when something else was read. */
  readonly #names = new WeakMap<RepoState, ReadonlySet<string>>();

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  /** The states of the waiting repos, by repo. A repo that is being read at the moment is tried when that has ended. */
  get all(): ReadonlyMap<string, RepoState> {
    return new Map(this.#parts.refused().flatMap((state) => (state.revision === null ? [] : [[state.repo, state] as const])));
  }

  /** The waiting repo that defines each of these pipelines, if there is one; of several, the last one counts. */
  async definersOf(pipelines: ReadonlySet<string>): Promise<ReadonlyMap<string, RepoState>> {
    const definers = new Map<string, RepoState>();
    let left = pipelines.size === 0 ? 0 : MAX_READ_REPOS;
    for (const state of [...this.all.values()].reverse()) {
      if (!this.#names.has(state) && left-- > 0) this.#names.set(state, await this.#pipelinesDefinedBy(state.repo));
      for (const name of this.#names.get(state)?.intersection(pipelines) ?? []) definers.getOrInsert(name, state);
    }
    return definers;
  }

  /** The publication of a waiting repo; undefined: its definitions cannot be used any more. */
  async publicationOf(state: RepoState): Promise<Publication | undefined> {
    const { repo, revision, settings } = state;
    const { config, plugins, cipher, files, materials } = this.#parts;
    const now = repoNow(repo, config, plugins, cipher);
    const material = await materials.ofConfigRepo(repo);
    if (!now?.plugin || !material || revision === null || settings !== now.settings) return undefined;
    try {
      const [all, versions] = [await files.all(repo), await files.versions(repo)];
      const { pipelines, environments, problems } = await definitionsFromFiles(repo, now.plugin, all, versions, new Map(), this.#parts);
      // Meanwhile something else may have been read.
      if (problems.length > 0 || this.all.get(repo) !== state) return undefined;
      const source = sourceName(shortDescription(material), revision);
      const { etag, rules, material: itself } = now;
      const ordered = inDisplayOrder(pipelines);
      return { repo, etag, revision, source, pipelines: ordered, environments, isInForce: () => false, material: itself, rules };
    } catch (failure) {
      // It reads its files anew by itself.
      if (failure instanceof UndecryptableDefinitions) return undefined;
      throw failure;
    }
  }

  async #pipelinesDefinedBy(repo: string): Promise<ReadonlySet<string>> {
    const outlines = (await this.#parts.files.all(repo)).map(({ outline }) => JSON.parse(outline) as Outline);
    return new Set(outlines.flatMap(({ pipelines }) => pipelines.map(({ name }) => name.toLowerCase())));
  }
}
