// Runs of stages: one, and all of one name, a page at a time.
import { keyOfName } from '../../../builds/configured.ts';
import { shownStages } from '../../../builds/runs/shown-stages.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { pageLinks, wantedPage } from '../runs/pages.ts';
import type { BuildRouteParts } from '../runs/parts.ts';
import { requireViewable } from '../runs/visibility.ts';
import { HISTORY, INSTANCE, STAGES_CHAPTER } from './docs.ts';
import { stageJson } from './json.ts';
import { STAGE_RUN_PATH, stageRunNamed } from './operations.ts';

const common = { method: 'GET', version: 3, permission: 'user' } as const;

/** Any server answers. */
export function stageReadingRoutes(parts: BuildRouteParts): Route[] {
  const { tables } = parts;
  return [
    {
      ...common,
      path: STAGE_RUN_PATH,
      description: { chapter: STAGES_CHAPTER, ...INSTANCE },
      handle: async (request) => {
        await requireViewable(parts, request.params.pipeline_name ?? '', request.identity);
        const { stageRun } = await stageRunNamed(parts, request);
        const [shown] = await shownStages(tables, [stageRun]);
        const uuids = shown!.jobs.flatMap(({ job }) => job.agent_uuid ?? []);
        return jsonAnswer(stageJson(shown!, await tables.jobs.agentNames([...new Set(uuids)])));
      },
    },
    {
      ...common,
      path: '/api/stages/:pipeline_name/:stage_name/history',
      description: { chapter: STAGES_CHAPTER, ...HISTORY },
      handle: async ({ params: { pipeline_name: name = '', stage_name: stage = '' }, identity, query, base }) => {
        const pipeline = await requireViewable(parts, name, identity);
        const { cursor, size } = wantedPage(query);
        const page = await tables.stageRuns.page(pipeline.key, keyOfName(stage), cursor, size);
        const path = `/api/stages/${encodeURIComponent(pipeline.name)}/${encodeURIComponent(stage)}/history`;
        const shown = await shownStages(tables, page.items);
        return jsonAnswer({ _links: pageLinks(base, path, page, size, ({ id }) => id), stages: shown.map((stage) => stageJson(stage)) });
      },
    },
  ];
}
