// Repos that need each other's definitions: none of them can come into force alone, but all of them can at once.
import type { Config } from '../../config/current.ts';
import type { Material } from '../../materials/of-config.ts';
import { shownPlace } from '../../materials/words.ts';
import type { ConfigRepoFiles } from '../../store/config-repo-files.ts';
import type { RepoState } from '../../store/config-repo-states.ts';
import type { Outline } from '../parsing/packed.ts';
import { inDisplayOrder, type Publication, sourceName } from '../publication.ts';
import { type DefinitionParts, definitionsOf, KeptInVain } from './definitions-of-files.ts';
import { holdersNeeded, isIncomplete } from './needs.ts';
import { type Plugins, repoNow } from './repo-now.ts';

export interface JointParts extends DefinitionParts {
  readonly config: Config;
  readonly plugins: Plugins;
  readonly files: Pick<ConfigRepoFiles, 'all' | 'versions' | 'parsed'>;
  readonly materials: { ofConfigRepo(id: string): Promise<Material | undefined> };
  /** Those that the rest of the configuration did not allow. */
  refused(): readonly RepoState[];
}

/** Whoever needs one of more than this is not helped. */
const MOST_LOOKED_AT = 50;
/** A state is another one when something else was read. */
const NAMES = new WeakMap<RepoState, readonly string[]>();

/** What other repos wait with, as far as this one cannot be without it; empty: that would not help. */
export async function publicationsNeeded(own: Publication, parts: JointParts): Promise<readonly Publication[]> {
  const isThere = (name: string) => parts.config.of('pipelines').find(name) !== undefined;
  if (!isIncomplete(own, isThere)) return [];
  const holders = new Map<string, RepoState>();
  const others = parts.refused().filter(({ repo, revision }) => repo !== own.repo && revision !== null);
  for (const state of others.slice(0, MOST_LOOKED_AT)) {
    const names = NAMES.get(state) ?? (await definedNames(state.repo, parts));
    NAMES.set(state, names);
    for (const name of names) holders.set(name, state);
  }
  return (await holdersNeeded(own, isThere, holders, (state) => publicationOf(state, parts))) ?? [];
}

async function definedNames(repo: string, { files }: JointParts): Promise<readonly string[]> {
  const outlines = (await files.all(repo)).map(({ outline }) => JSON.parse(outline) as Outline);
  return outlines.flatMap(({ pipelines }) => pipelines.map(({ name }) => name.toLowerCase()));
}

/** What was read of a repo and refused. */
async function publicationOf({ repo, revision, settings }: RepoState, parts: JointParts): Promise<Publication | undefined> {
  const { config, plugins, files, materials } = parts;
  const now = repoNow(repo, config, plugins);
  const material = await materials.ofConfigRepo(repo);
  if (!now?.plugin || !material || revision === null || settings !== now.settings) return undefined;
  try {
    const [all, versions] = [await files.all(repo), await files.versions(repo)];
    const { pipelines, environments, problems } = await definitionsOf(repo, now.plugin, all, versions, new Map(), parts);
    if (problems.length > 0) return undefined;
    const { etag, rules, material: itself } = now;
    const source = sourceName(shownPlace(material), revision);
    return {
      repo,
      etag,
      revision,
      source,
      pipelines: inDisplayOrder(pipelines),
      environments,
      isInForce: () => false,
      material: itself,
      rules,
    };
  } catch (failure) {
    // It reads its files anew by itself.
    if (failure instanceof KeptInVain) return undefined;
    throw failure;
  }
}
