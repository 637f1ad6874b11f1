// What a config repo defines, as far as it is in force.
import type { Config } from '../config/current.ts';
import { Draft } from '../config/draft.ts';
import { definitionsOf } from './withdraw.ts';

export interface DefinitionsInForce {
  /** By name. */
  readonly environments: readonly string[];
  readonly groups: readonly { readonly name: string; readonly pipelines: readonly string[] }[];
}

export function definitionsInForce(config: Config, repo: string): DefinitionsInForce {
  const draft = new Draft(config);
  const all = definitionsOf(draft, repo).map(({ kind, id }) => ({ kind: kind.name, value: draft.find(kind, id)!.value }));
  const ofKind = (name: string) => all.filter(({ kind }) => kind === name).map(({ value }) => value);
  const groups = Map.groupBy(ofKind('pipelines'), ({ group }) => String(group));
  return {
    environments: ofKind('environmentParts').map(({ environment }) => String(environment)),
    groups: Array.from(groups, ([name, pipelines]) => ({ name, pipelines: pipelines.map((pipeline) => String(pipeline.name)) })),
  };
}
