// Value stream maps as JSON: column by column, made in slices of time.
import { levelsOf } from '../../../builds/maps/levels.ts';
import type { MapNode, MaterialNode, PipelineNode } from '../../../builds/maps/map-graph.ts';
import { type RunStage, stagesOfRuns } from '../../../builds/maps/run-stages.ts';
import type { FoundMap } from '../../../builds/maps/value-stream-map.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Run } from '../../../store/builds/runs.ts';
import type { Modification } from '../../../store/materials/modifications.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import type { MapVisibility } from './visibility.ts';

const NO_PERMISSION = 'You are not authorized to view this pipeline';
const GONE = 'Pipeline has been deleted.';
/** Of each repository, the newest. */
const MAX_MODIFICATIONS = 10;
/** Words of GoCD for types. */
const NODE_TYPES: Readonly<Record<string, string>> = { plugin: 'SCM' };

type Parts = Pick<BuildRouteParts, 'tables' | 'config'>;

/** `head`: the run or the revision of the map. */
export async function mapText(parts: Parts, { graph, start }: FoundMap, visibility: MapVisibility, head: JsonOut): Promise<string> {
  const runs = [...graph.nodes.values()].flatMap((node) =>
    node.kind === 'pipeline' && visibility.isVisible(node) ? [...node.runs.values()] : [],
  );
  const stages = await stagesOfRuns(parts, runs);
  const configured = (name: string) => (parts.config.stagesOf(name) ?? []).map((stage) => stage.name);
  const levels: string[] = [];
  for (const level of levelsOf(graph.nodes, start)) {
    const texts: string[] = [];
    for (const [index, node] of level.entries()) {
      texts.push(JSON.stringify({ ...positionJson(node, visibility, index + 1), ...contentJson(node, visibility, stages, configured) }));
      await pause();
    }
    levels.push(`{"nodes":[${texts.join(',')}]}`);
  }
  const members = JSON.stringify({ ...head, is_truncated: graph.isTruncated });
  return `${members.slice(0, -1)},"levels":[${levels.join(',')}]}`;
}

function positionJson(node: MapNode, visibility: MapVisibility, depth: number): JsonOut {
  return {
    id: visibility.idOf(node.key),
    depth,
    parents: [...node.parents].map((key) => visibility.idOf(key)),
    dependents: [...node.dependents].map((key) => visibility.idOf(key)),
  };
}

type StagesOf = ReadonlyMap<number, readonly RunStage[]>;

function contentJson(node: MapNode, visibility: MapVisibility, stages: StagesOf, configured: (name: string) => readonly string[]): JsonOut {
  if (!visibility.isVisible(node)) return hiddenJson(node);
  return node.kind === 'material' ? materialJson(node) : pipelineJson(node, visibility.isGone(node), stages, configured);
}

function hiddenJson({ kind }: MapNode): JsonOut {
  const common = { name: '', can_view: false, view_type: 'NO_PERMISSION', locator: '', instances: [] };
  return { ...common, node_type: kind === 'pipeline' ? 'PIPELINE' : 'MATERIAL', message: NO_PERMISSION };
}

function materialJson({ material: { fingerprint, type, description }, names, modifications }: MaterialNode): JsonOut {
  const newest = [...modifications.values()].toSorted((one, other) => other.id - one.id).slice(0, MAX_MODIFICATIONS);
  return {
    name: description,
    node_type: NODE_TYPES[type] ?? type.toUpperCase(),
    can_view: true,
    view_type: null,
    locator: '',
    instances: [],
    material_names: [...names],
    modifications: newest.map((modification) => modificationJson(fingerprint, modification)),
  };
}

function modificationJson(fingerprint: string, { revision, userName, email, comment, modifiedTime }: Modification): JsonOut {
  return {
    revision,
    user: userName,
    email_address: email,
    comment,
    modified_time: modifiedTime.getTime(),
    locator: `/materials/value_stream_map/${addressOf(fingerprint, revision)}`,
  };
}

function pipelineJson(node: PipelineNode, isGone: boolean, stages: StagesOf, configured: (name: string) => readonly string[]): JsonOut {
  const { name, hasMoreRuns } = node;
  const runs = [...node.runs.values()].toSorted((one, other) => other.counter - one.counter);
  return {
    name,
    node_type: 'PIPELINE',
    can_view: true,
    view_type: isGone ? 'DELETED' : null,
    ...(isGone && { message: GONE }),
    locator: isGone ? '' : `/pipeline/activity/${addressOf(name)}`,
    has_more_instances: hasMoreRuns,
    instances: runs.length === 0 ? [toComeJson(configured(name))] : runs.map((run) => instanceJson(run, stages.get(run.id) ?? [])),
  };
}

/** A run that has not begun yet. */
function toComeJson(stages: readonly string[]): JsonOut {
  return { counter: 0, label: '', locator: '', stages: stages.map((name) => ({ name, status: 'Unknown', duration: null, locator: '' })) };
}

function instanceJson(run: Run, stages: readonly RunStage[]): JsonOut {
  return {
    counter: run.counter,
    label: run.label,
    locator: `/pipelines/value_stream_map/${addressOf(run.pipeline, run.counter)}`,
    scheduled_date: run.scheduled_at,
    stages: stages.map(({ name, state, stageRun }) => ({
      name,
      status: state,
      duration: durationOf(stageRun),
      locator: stageRun ? `/pipelines/${addressOf(run.pipeline, run.counter, stageRun.stage, stageRun.counter)}` : '',
    })),
  };
}

/** In seconds, as GoCD has it. */
function durationOf(stageRun: RunStage['stageRun']): number | null {
  if (!stageRun || stageRun.completed_at === null) return null;
  return Math.round((stageRun.completed_at - stageRun.scheduled_at) / 1000);
}

function addressOf(...parts: readonly (string | number)[]): string {
  return parts.map((part) => encodeURIComponent(part)).join('/');
}
