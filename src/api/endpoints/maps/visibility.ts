// Which nodes of a value stream map the user may see. Hidden ones keep their place, without their names.
import type { Identity } from '../../../access/identity.ts';
import type { MapGraph, MapNode } from '../../../builds/maps/map-graph.ts';
import type { BuildRouteParts } from '../runs/parts.ts';

export interface MapVisibility {
  /** The id of a node in the answer. */
  idOf(key: string): string;
  isVisible(node: MapNode): boolean;
  /** A pipeline that is gone from the configuration. */
  isGone(node: MapNode): boolean;
}

export function visibilityOf(
  { access, config }: Pick<BuildRouteParts, 'access' | 'config'>,
  graph: MapGraph,
  identity: Identity,
): MapVisibility {
  const isAdmin = access.passes(identity, 'admin');
  const groups = new Map<string, string | undefined>();
  const groupOf = (name: string) => groups.getOrInsertComputed(name, () => config.groupOf(name));
  const seesPipeline = (name: string) => {
    const group = groupOf(name);
    return group === undefined ? isAdmin : access.mayView(identity, { group, pipeline: name });
  };
  const visible = new Set<string>();
  for (const node of graph.nodes.values()) if (node.kind === 'pipeline' && seesPipeline(node.name)) visible.add(node.key);
  // A repository is seen with the pipelines that are built from it; which others use it is not shown.
  for (const node of graph.nodes.values())
    if (node.kind === 'material' && [...node.dependents].some((key) => visible.has(key))) visible.add(node.key);
  const ids = new Map<string, string>();
  let hidden = 0;
  for (const node of graph.nodes.values()) {
    const own = node.kind === 'pipeline' ? node.name : node.material.fingerprint;
    // No name has a colon.
    ids.set(node.key, visible.has(node.key) ? own : `hidden:${++hidden}`);
  }
  return {
    idOf: (key) => ids.get(key)!,
    isVisible: ({ key }) => visible.has(key),
    isGone: (node) => node.kind === 'pipeline' && groupOf(node.name) === undefined,
  };
}
