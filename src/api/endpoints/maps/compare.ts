// Everything that changed between two runs of a pipeline, over HTTP.
import type { Identity } from '../../../access/identity.ts';
import { type ChangedMaterial, compareRuns } from '../../../builds/maps/compare.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { shownType } from '../../../materials/catalogue/classic-form.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Run } from '../../../store/builds/runs.ts';
import type { Modification } from '../../../store/materials/modifications.ts';
import { type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';
import { numberIn } from '../common/number-in.ts';
import { RUNS_CHAPTER } from '../runs/docs.ts';
import { runOf } from '../runs/history.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import { COMPARE, DEFAULT_PAGE, MAX_AT_ONCE, MAX_PAGE_SIZE, MIN_PAGE_SIZE } from './compare-docs.ts';

const PATH = '/api/pipelines/:pipeline_name/compare/:from_counter/:to_counter';

interface CompareQuery {
  /** Only of this material. */
  readonly fingerprint: string | null;
  readonly offset: number;
  /** Of each material. */
  readonly size: number;
}

export function compareRoute(parts: BuildRouteParts): Route {
  return {
    method: 'GET',
    path: PATH,
    version: 2,
    permission: 'user',
    description: { chapter: RUNS_CHAPTER, ...COMPARE },
    handle: (request) => comparison(parts, request),
  };
}

async function comparison(parts: BuildRouteParts, request: ApiRequest) {
  const { params, identity, query, base } = request;
  const { pipeline_name: name = '', from_counter: first = '', to_counter: second = '' } = params;
  const pipeline = await requireViewable(parts, name, identity);
  const wanted = wantedIn(query);
  const runs = [await runOf(parts, pipeline.name, first), await runOf(parts, pipeline.name, second)];
  // In either order, the earlier one is the base of the comparison.
  const [from, to] = runs.toSorted((one, other) => one.counter - other.counter) as [Run, Run];
  const compared = await compareRuns({ ...parts, isVisible: (one) => isVisible(parts, one, identity) }, from, to);
  const changes = await changesJson(parts, compared.changes, wanted, MAX_AT_ONCE);
  const self = `/api/pipelines/${encodeURIComponent(pipeline.name)}/compare/${from.counter}/${to.counter}`;
  return jsonAnswer({
    _links: links(base, { self, doc: docLink(RUNS_CHAPTER) }),
    pipeline_name: pipeline.name,
    from_counter: from.counter,
    to_counter: to.counter,
    is_bisect: false,
    is_complete: compared.isComplete,
    total: totalOf(compared.changes),
    changes: changes.found,
    removed_total: totalOf(compared.removed),
    removed: (await changesJson(parts, compared.removed, wanted, changes.room)).found,
  });
}

function isVisible({ access, config }: Pick<BuildRouteParts, 'access' | 'config'>, pipeline: string, identity: Identity): boolean {
  const group = config.groupOf(pipeline);
  return group === undefined ? access.passes(identity, 'admin') : access.mayView(identity, { group, pipeline });
}

function wantedIn(query: URLSearchParams): CompareQuery {
  return {
    fingerprint: query.get('fingerprint'),
    offset: numberIn(query, 'offset', { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? 0,
    size: numberIn(query, 'page_size', { min: MIN_PAGE_SIZE, max: MAX_PAGE_SIZE }) ?? DEFAULT_PAGE,
  };
}

function totalOf(changes: readonly ChangedMaterial[]): number {
  return changes.reduce((sum, { total }) => sum + total, 0);
}

/** `most`: for so many modifications; once they are there, the other materials only have their number. */
async function changesJson(parts: BuildRouteParts, changes: readonly ChangedMaterial[], wanted: CompareQuery, most: number) {
  const { fingerprint, offset, size } = wanted;
  const some = fingerprint === null ? changes : changes.filter(({ revision }) => revision.fingerprint === fingerprint);
  const found: JsonOut[] = [];
  let room = most;
  for (const change of some) {
    const modifications = await modificationsOf(parts, change, offset, Math.min(size, room));
    room -= modifications.length;
    found.push(changeJson(change, modifications, offset));
    await pause();
  }
  return { found, room };
}

async function modificationsOf(
  { materials, modifications }: BuildRouteParts,
  { revision, newest, above, total }: ChangedMaterial,
  offset: number,
  size: number,
): Promise<Modification[]> {
  const most = Math.min(size, total - offset);
  const material = most > 0 ? await materials.find(revision.fingerprint) : undefined;
  if (!material) return [];
  const found = await modifications.beside(material.id, { side: '<', id: newest.ordinal + 1 - offset, order: 'desc', limit: most });
  return found.filter(({ ordinal }) => ordinal > above);
}

function changeJson({ revision, newest, total }: ChangedMaterial, modifications: readonly Modification[], offset: number): JsonOut {
  const { fingerprint, type, name, description } = revision;
  const isDependency = type === 'dependency';
  const [pipeline = '', , stage = ''] = isDependency ? newest.revision.split('/') : [];
  return {
    material: {
      type,
      fingerprint,
      attributes: { name, display_type: shownType(type), description, ...(isDependency && { pipeline, stage }) },
    },
    total,
    offset,
    revision: modifications.map(isDependency ? runJson : revisionJson),
  };
}

function revisionJson({ revision, userName, modifiedTime, comment }: Modification): JsonOut {
  return { revision_sha: revision, modified_by: userName, modified_at: dateOf(modifiedTime), commit_message: comment };
}

function runJson({ revision, pipelineLabel, modifiedTime }: Modification): JsonOut {
  const [, counter = ''] = revision.split('/');
  return { revision, pipeline_counter: counter, pipeline_label: pipelineLabel ?? counter, completed_at: dateOf(modifiedTime) };
}
