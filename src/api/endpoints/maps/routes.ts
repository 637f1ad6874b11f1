// Value stream maps over HTTP: of a run, and of a revision of a material. Any server answers.
import { type FoundMap, mapOfModification, mapOfRun } from '../../../builds/maps/value-stream-map.ts';
import { sha512of256 } from '../../../kit/bytes/hash.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import type { Answer, ApiRequest, Route } from '../../engine/route.ts';
import { MATERIAL_NOT_VISIBLE, UNKNOWN } from '../materials/modifications.ts';
import { RUNS_CHAPTER } from '../runs/docs.ts';
import { runOf } from '../runs/history.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable, seesMaterial } from '../runs/visibility.ts';
import { compareRoute } from './compare.ts';
import { noRevision, OF_MATERIAL, OF_RUN, OF_RUN_FOR_CLIENTS } from './docs.ts';
import { mapText } from './json.ts';
import { visibilityOf } from './visibility.ts';

const common = { method: 'GET', version: 1, permission: 'user' } as const;

export function mapRoutes(parts: BuildRouteParts): Route[] {
  return [
    {
      ...common,
      path: '/api/pipelines/:pipeline_name/:pipeline_counter/value_stream_map',
      description: { chapter: RUNS_CHAPTER, ...OF_RUN },
      handle: async (request) => mapOfNamedRun(parts, request),
    },
    {
      ...common,
      version: null,
      path: '/pipelines/value_stream_map/:pipeline_name/:pipeline_counter.json',
      description: { chapter: RUNS_CHAPTER, ...OF_RUN_FOR_CLIENTS },
      handle: async (request) => ({ ...(await mapOfNamedRun(parts, request)), type: 'application/json; charset=utf-8' }),
    },
    {
      ...common,
      path: '/api/materials/:fingerprint/value_stream_map/:revision',
      description: { chapter: RUNS_CHAPTER, ...OF_MATERIAL },
      handle: async (request) => {
        const { fingerprint = '', revision = '' } = request.params;
        await mustSee(parts, fingerprint, request);
        const material = await parts.materials.find(fingerprint);
        const modification = material && (await parts.modifications.find(material.id, revision));
        if (!modification) throw new Refusal('notFound', noRevision(revision));
        const found = await mapOfModification(parts, material, modification);
        return answer(parts, found, request, { current_material: fingerprint, current_revision: revision });
      },
    },
    compareRoute(parts),
  ];
}

async function mapOfNamedRun(parts: BuildRouteParts, request: ApiRequest): Promise<Answer> {
  const { params, identity } = request;
  const pipeline = await requireViewable(parts, params.pipeline_name ?? '', identity);
  const run = await runOf(parts, pipeline.name, params.pipeline_counter ?? '');
  return answer(parts, await mapOfRun(parts, run), request, { current_pipeline: run.pipeline, current_counter: run.counter });
}

async function mustSee(parts: BuildRouteParts, fingerprint: string, { identity }: ApiRequest): Promise<void> {
  if (await seesMaterial(parts, fingerprint, identity)) return;
  throw parts.access.passes(identity, 'admin') ? new Refusal('notFound', UNKNOWN) : new Refusal('forbidden', MATERIAL_NOT_VISIBLE);
}

async function answer(parts: BuildRouteParts, found: FoundMap, { identity }: ApiRequest, head: JsonOut): Promise<Answer> {
  const text = await mapText(parts, found, visibilityOf(parts, found.graph, identity), head);
  return { status: 200, text, bytes: Buffer.byteLength(text), etag: sha512of256(text) };
}
