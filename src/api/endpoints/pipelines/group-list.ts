// The oldest list of pipelines, by group, with their materials and stages: clients without versions still read it.
import { Draft } from '../../../config/draft.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { classicForm } from '../../../materials/catalogue/classic-form.ts';
import { shownUrl } from '../../../materials/catalogue/configured-types.ts';
import { fingerprintOf } from '../../../materials/catalogue/fingerprint.ts';
import type { MaterialUse } from '../../../materials/catalogue/material.ts';
import { inOrder } from '../../../materials/catalogue/material-index.ts';
import type { EntityNamed } from '../../../shape/configuration.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { exampleOf } from '../../engine/answer-example.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import type { MaterialRouteParts } from '../materials/routes.ts';
import type { PipelineKinds } from './list.ts';

interface Parts extends ResourceParts, Pick<MaterialRouteParts, 'materials'> {
  /** Undefined for a pipeline that does not exist. */
  stagesOf(draft: Draft, pipeline: string): readonly string[] | undefined;
}

/** A material where a pipeline uses it. */
interface UsedMaterial {
  readonly fingerprint: string;
  readonly use: MaterialUse;
}

const listOf = (items: JsonSchema) => ({ type: 'array', items });
const SCHEMA = listOf(
  objectSchema({
    name: described(TEXT, 'The name of the group.'),
    pipelines: described(
      listOf(
        objectSchema({
          name: described(TEXT, 'The name of the pipeline.'),
          label: { ...TEXT, description: 'How runs are labelled.' },
          materials: described(
            listOf(
              objectSchema({
                description: described(TEXT, 'The material in words.'),
                fingerprint: described(TEXT, 'Its fingerprint.'),
                type: described(TEXT, 'Its type, such as Git.'),
              }),
            ),
            'What its runs are made from.',
          ),
          stages: described(listOf(objectSchema({ name: described(TEXT, 'The name of the stage.') })), 'Its stages, in order.'),
        }),
      ),
      'The pipelines of the group.',
    ),
  }),
);

export function pipelineGroupListRoute({ pipelines, groups }: PipelineKinds, parts: Parts): Route {
  const { access, config } = parts;
  return {
    method: 'GET',
    path: '/api/config/pipeline_groups',
    version: null,
    permission: 'user',
    description: {
      chapter: groups.doc,
      summary: 'List of pipeline groups with their pipelines, materials and stages',
      details: 'For clients that ask for no version. Others take the list of pipelines.',
      callers: 'every user; each sees the groups they may see',
      response: SCHEMA,
      example: () => exampleList(exampleOf(pipelines, parts)),
    },
    handle: async ({ identity }) => {
      const used = await usedBy((use) => access.mayView(identity, use));
      const draft = new Draft(config);
      const listed: JsonOut[] = [];
      for (const { key, value } of [...config.of(groups.name).all()]) {
        const inGroup = draft.referrers(groups.name, key).filter(({ kind }) => kind === pipelines.name);
        const shown: JsonOut[] = [];
        for (const { id } of inGroup) {
          const pipeline = config.of(pipelines.name).find(id)?.value;
          if (pipeline && access.mayView(identity, { group: key, pipeline: id }))
            shown.push(pipelineJson(pipeline, used.get(id) ?? [], parts.stagesOf(draft, id) ?? []));
          const wait = pause();
          if (wait) await wait;
        }
        if (shown.length > 0 || access.mayViewGroup(identity, key)) listed.push({ name: value.name, pipelines: shown });
      }
      return jsonAnswer(listed, { type: 'application/json; charset=utf-8' });
    },
  };

  /** The materials of each pipeline that the user may see. */
  async function usedBy(isVisible: (use: MaterialUse) => boolean): Promise<ReadonlyMap<string, readonly UsedMaterial[]>> {
    const byPipeline = new Map<string, UsedMaterial[]>();
    for (const { fingerprint, uses } of [...(await parts.materials()).values()]) {
      for (const use of uses) if (isVisible(use)) byPipeline.getOrInsertComputed(use.pipeline, () => []).push({ fingerprint, use });
      const wait = pause();
      if (wait) await wait;
    }
    return byPipeline;
  }
}

function pipelineJson(
  { name, labelTemplate }: EntityNamed<'pipelines'>,
  used: readonly UsedMaterial[],
  stages: readonly string[],
): JsonOut {
  const sorted = used.toSorted((one, other) => inOrder(one.use, other.use));
  return {
    name,
    label: labelTemplate,
    materials: sorted.map(materialJson),
    stages: stages.map((stage) => ({ name: stage })),
  };
}

function materialJson({ fingerprint, use: { written, definition } }: UsedMaterial): JsonOut {
  const { type, description } = classicForm({ type: written.type, written, definition });
  return { description, fingerprint, type };
}

function exampleList(pipeline: EntityNamed<'pipelines'>): JsonOut[] {
  const { name, group } = pipeline;
  const written = pipeline.materials.find((one) => one.type === 'git')!;
  const { url, branch } = written.attributes;
  const use = { group, pipeline: name, written, order: [] };
  const stages = (pipeline.stages ?? []).map((stage) => stage.name);
  return [
    {
      name: group,
      pipelines: [pipelineJson(pipeline, [{ fingerprint: fingerprintOf({ type: 'git', url: shownUrl(url), branch }), use }], stages)],
    },
  ];
}
