// The definitions of a config repo that are in force.
import type { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import { repoOriginOf } from '../../config/repo-origin.ts';
import type { Entity } from '../../shape/resource.ts';
import { definitionsOfKind } from './withdraw.ts';

export interface DefinitionsInForce {
  /** The environments, sorted by name. */
  readonly environments: readonly string[];
  readonly groups: readonly { readonly name: string; readonly pipelines: readonly string[] }[];
}

/** In the order of the paths of their files. */
export function definitionsInForce(config: Config, repo: string): DefinitionsInForce {
  const draft = new Draft(config);
  const parts = definitionsOfKind(draft, repo, 'environmentParts').sort(byFile);
  const groups = Map.groupBy(definitionsOfKind(draft, repo, 'pipelines').sort(byFile), ({ group }) => group);
  return {
    environments: eachOnce(parts.map(({ environment }) => environment)),
    groups: Array.from(groups, ([name, pipelines]) => ({ name, pipelines: pipelines.map((pipeline) => pipeline.name) })),
  };
}

/** Entities of the same file stay in the order in which they came into force. */
function byFile(one: Entity, other: Entity): number {
  const [path, otherPath] = [repoOriginOf(one)?.file ?? '', repoOriginOf(other)?.file ?? ''];
  return path === otherPath ? 0 : path < otherPath ? -1 : 1;
}

/** Several files may define parts of the same environment, in any letter case. */
function eachOnce(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names) first.getOrInsert(name.toLowerCase(), name);
  return [...first.values()];
}
