// A value stream map: pipelines and repositories as nodes, with the runs and revisions that belong together.
import type { Run } from '../../store/builds/runs.ts';
import type { Modification } from '../../store/materials/modifications.ts';
import { keyOfName } from '../configured.ts';

/** The type and the description of a material. */
export interface MapMaterial {
  readonly fingerprint: string;
  readonly type: string;
  readonly description: string;
}

interface Node {
  /** Its place in the map: no pipeline has that of a material. */
  readonly key: string;
  readonly parents: Set<string>;
  readonly dependents: Set<string>;
}

export interface PipelineNode extends Node {
  readonly kind: 'pipeline';
  readonly name: string;
  /** Empty: it has not run yet. */
  readonly runs: Map<number, Run>;
  /** There are older ones that are left out. */
  hasMoreRuns: boolean;
}

export interface MaterialNode extends Node {
  readonly kind: 'material';
  readonly material: MapMaterial;
  /** The names that pipelines give it. */
  readonly names: Set<string>;
  readonly modifications: Map<number, Modification>;
}

export type MapNode = PipelineNode | MaterialNode;

export class MapGraph {
  readonly nodes = new Map<string, MapNode>();
  readonly #maxNodes: number;
  /** There was no room for a node. */
  isTruncated = false;

  constructor(maxNodes: number) {
    this.#maxNodes = maxNodes;
  }

  /** Undefined: there are too many already. */
  pipeline(name: string): PipelineNode | undefined {
    const key = `p:${keyOfName(name)}`;
    const found = this.nodes.get(key);
    if (found?.kind === 'pipeline') return found;
    return this.#add({ ...emptyNode(key), kind: 'pipeline', name, runs: new Map(), hasMoreRuns: false });
  }

  material(material: MapMaterial): MaterialNode | undefined {
    const key = `m:${material.fingerprint}`;
    const found = this.nodes.get(key);
    if (found?.kind === 'material') return found;
    return this.#add({ ...emptyNode(key), kind: 'material', material, names: new Set(), modifications: new Map() });
  }

  has(pipeline: string): boolean {
    return this.nodes.has(`p:${keyOfName(pipeline)}`);
  }

  link(parent: Node, dependent: Node): void {
    parent.dependents.add(dependent.key);
    dependent.parents.add(parent.key);
  }

  #add<N extends MapNode>(node: N): N | undefined {
    if (this.nodes.size >= this.#maxNodes) {
      this.isTruncated = true;
      return undefined;
    }
    this.nodes.set(node.key, node);
    return node;
  }
}

function emptyNode(key: string): Node {
  return { key, parents: new Set(), dependents: new Set() };
}
