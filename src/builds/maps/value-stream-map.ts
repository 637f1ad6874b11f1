// Finds the value stream map of a run or of a revision: all it came from, as it really was, and all that came from it or will.
import { pause } from '../../kit/concurrency/time-slices.ts';
import { MAX_RUNS } from '../../store/builds/run-links.ts';
import type { Run, RunRevision } from '../../store/builds/runs.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';
import type { BuildConfig } from '../configured.ts';
import type { BuildTables } from '../runs/build-tables.ts';
import { MapGraph, type MapMaterial, type MapNode, type PipelineNode } from './map-graph.ts';

export interface MapParts {
  readonly tables: Pick<BuildTables, 'runs' | 'links'>;
  readonly modifications: Pick<Modifications, 'byIds'>;
  readonly config: Pick<BuildConfig, 'dependentsOf' | 'usersOf'>;
}

export interface FoundMap {
  readonly graph: MapGraph;
  readonly start: MapNode;
}

/** More are left out. */
export const MAX_NODES = 2000;
const DEPENDENCY = 'dependency';

export async function mapOfRun(parts: MapParts, run: Run): Promise<FoundMap> {
  const graph = new MapGraph(MAX_NODES);
  const start = graph.pipeline(run.pipeline)!;
  start.runs.set(run.id, run);
  await addAbove(parts, graph, start, run);
  // Upstream nodes are not below it, also where a pipeline stood on both sides at different times.
  await addBelow(parts, graph, [start], new Set(graph.nodes.keys()));
  return { graph, start };
}

export async function mapOfModification(parts: MapParts, material: MapMaterial, modification: Modification): Promise<FoundMap> {
  const graph = new MapGraph(MAX_NODES);
  const start = graph.material(material)!;
  start.modifications.set(modification.id, modification);
  const users = await parts.config.usersOf(material.fingerprint);
  const ids = await parts.tables.links.withModification(material.fingerprint, modification.id, users);
  const first: PipelineNode[] = [];
  for (const run of newestFirst(await parts.tables.runs.byIds(ids))) addRun(graph, start, run);
  for (const user of users) {
    const node = graph.pipeline(user);
    if (!node) break;
    graph.link(start, node);
    first.push(node);
  }
  await addBelow(parts, graph, first, new Set([start.key]));
  return { graph, start };
}

/** The materials and upstream runs of a run, and theirs in turn. */
async function addAbove({ tables, modifications }: MapParts, graph: MapGraph, start: PipelineNode, run: Run): Promise<void> {
  const nodes = new Map<number, PipelineNode>([[run.id, start]]);
  for (let level = [run.id]; level.length > 0; ) {
    const revisions = await tables.runs.revisionsOf(level);
    const used = byId(await modifications.byIds([...new Set(revisions.map(({ last }) => last))]));
    const upstream = byId(await tables.runs.byIds([...new Set([...used.values()].flatMap(({ pipelineId: id }) => id ?? []))]));
    const next: number[] = [];
    for (const revision of revisions) {
      const modification = used.get(revision.last);
      const below = nodes.get(revision.run_id)!;
      if (!modification) continue;
      if (revision.type !== DEPENDENCY) addMaterial(graph, below, revision, modification);
      else {
        const above = modification.pipelineId === undefined ? undefined : upstream.get(modification.pipelineId);
        const node = above && graph.pipeline(above.pipeline);
        if (!node) continue;
        graph.link(node, below);
        if (nodes.has(above.id)) continue;
        node.runs.set(above.id, above);
        nodes.set(above.id, node);
        next.push(above.id);
      }
      await pause();
    }
    level = next;
  }
}

function addMaterial(graph: MapGraph, below: PipelineNode, revision: RunRevision, modification: Modification): void {
  const { fingerprint, type, description, name } = revision;
  const node = graph.material({ fingerprint, type, description });
  if (!node) return;
  if (name !== null) node.names.add(name);
  node.modifications.set(modification.id, modification);
  graph.link(node, below);
}

/** Runs that were made from those of the first, and pipelines that will run when these have passed. */
async function addBelow(parts: MapParts, graph: MapGraph, first: readonly PipelineNode[], above: ReadonlySet<string>): Promise<void> {
  const asked = { runs: new Set<number>(), pipelines: new Set<string>() };
  for (let level: readonly PipelineNode[] = first; level.length > 0; ) {
    const next = new Set<PipelineNode>();
    const fresh = level.flatMap((node) => [...node.runs.values()].filter(({ id }) => !asked.runs.has(id)).map((run) => ({ node, run })));
    for (const { run } of fresh) asked.runs.add(run.id);
    const nodes = new Map(fresh.map(({ node, run }) => [run.id, node]));
    const below = await parts.tables.links.below([...nodes.keys()]);
    const runs = newestFirst(await parts.tables.runs.byIds([...new Set(below.map(({ run }) => run))]));
    const upstream = Map.groupBy(below, ({ run }) => run);
    for (const run of runs) {
      for (const { upstream: id } of upstream.get(run.id) ?? []) {
        if (above.has(`p:${run.pipeline_key}`)) continue;
        const node = addRun(graph, nodes.get(id)!, run);
        if (node) next.add(node);
      }
      await pause();
    }
    for (const node of level) {
      if (asked.pipelines.has(node.key)) continue;
      asked.pipelines.add(node.key);
      for (const added of addConfigured(parts, graph, node, above)) next.add(added);
      await pause();
    }
    level = [...next];
  }
}

/** Undefined: there is no room for it, or it is there with enough others. */
function addRun(graph: MapGraph, above: MapNode, run: Run): PipelineNode | undefined {
  const node = graph.pipeline(run.pipeline);
  if (!node) return undefined;
  graph.link(above, node);
  if (node.runs.size >= MAX_RUNS && !node.runs.has(run.id)) {
    node.hasMoreRuns = true;
    return undefined;
  }
  node.runs.set(run.id, run);
  return node;
}

/** The pipelines that the configuration has below a pipeline, whether they have run or not. Returns the new nodes. */
function addConfigured({ config }: MapParts, graph: MapGraph, node: PipelineNode, above: ReadonlySet<string>): PipelineNode[] {
  const added: PipelineNode[] = [];
  for (const name of config.dependentsOf(node.name)) {
    const isNew = !graph.has(name);
    const dependent = graph.pipeline(name);
    if (!dependent || above.has(dependent.key) || dependent === node) continue;
    graph.link(node, dependent);
    if (isNew) added.push(dependent);
  }
  return added;
}

function newestFirst(runs: readonly Run[]): Run[] {
  return runs.toSorted((one, other) => other.id - one.id);
}

function byId<T extends { readonly id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]));
}
