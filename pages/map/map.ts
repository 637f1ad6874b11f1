// A value stream map as the API gives it.

export interface MapStage {
  readonly name: string;
  readonly status: string;
  /** In seconds. */
  readonly duration: number | null;
  /** The page of the stage; empty: the stage has not been run. */
  readonly locator: string;
}

export interface MapInstance {
  /** 0: it has not run yet. */
  readonly counter: number;
  readonly label: string;
  readonly locator: string;
  readonly stages: readonly MapStage[];
}

export interface MapModification {
  readonly revision: string;
  readonly user: string | null;
  readonly comment: string | null;
  readonly modified_time: number;
  readonly locator: string;
}

export interface MapNode {
  readonly id: string;
  readonly name: string;
  readonly node_type: string;
  readonly parents: readonly string[];
  readonly dependents: readonly string[];
  readonly can_view: boolean;
  readonly view_type: null | 'NO_PERMISSION' | 'DELETED';
  readonly message?: string;
  readonly locator: string;
  readonly instances: readonly MapInstance[];
  readonly has_more_instances?: boolean;
  readonly material_names?: readonly string[];
  readonly modifications?: readonly MapModification[];
}

export interface ValueStreamMap {
  readonly current_pipeline?: string;
  readonly current_counter?: number;
  readonly current_material?: string;
  readonly current_revision?: string;
  readonly is_truncated: boolean;
  readonly levels: readonly { readonly nodes: readonly MapNode[] }[];
}

/** Of a node the newest runs or revisions are drawn; the others are counted. */
export const MAX_LINES = 3;

export function linesOf({ instances, modifications = [] }: MapNode): number {
  return Math.min(MAX_LINES, instances.length + modifications.length);
}

export function moreThanShown({ instances, modifications = [], has_more_instances }: MapNode): string | undefined {
  const more = instances.length + modifications.length - MAX_LINES;
  if (more > 0) return has_more_instances ? `more than ${more} older` : `${more} older`;
  return has_more_instances ? 'older ones' : undefined;
}

/** The name for people: of a pipeline its name; of a material the name it has in pipelines, or the end of its address. */
export function titleOf({ name, can_view, node_type, material_names: [given] = [] }: MapNode): string {
  if (!can_view) return 'Hidden: you may not view it';
  if (node_type === 'PIPELINE') return name;
  return given ?? name.replace(/\/+$/, '').split('/').slice(-2).join('/');
}
