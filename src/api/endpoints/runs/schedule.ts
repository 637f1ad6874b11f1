// Triggers a pipeline, and lists the options of a trigger.
import type { ConfiguredMaterial, PipelineDefinition } from '../../../builds/configured.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { shownType } from '../../../materials/catalogue/classic-form.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { isSecret } from '../../../shape/secrets/secret.ts';
import type { Modification } from '../../../store/materials/modifications.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { dateOf } from '../common/date-of.ts';
import { alreadyTriggered, noPipelineToTrigger, RUNS_CHAPTER, SCHEDULE, scheduled, TRIGGER_OPTIONS } from './docs.ts';
import { knownRevisions } from './known-revisions.ts';
import type { BuildRouteParts } from './parts.ts';
import { readScheduleOrder } from './schedule-order.ts';
import { requireOperableStage } from './visibility.ts';

/** Seconds. */
export const RETRY_WHEN_FULL = 60;

export function scheduleRoute(parts: BuildRouteParts): Route {
  const { engine, cipher } = parts;
  return {
    method: 'POST',
    path: '/api/pipelines/:pipeline_name/schedule',
    version: 1,
    permission: 'user',
    description: { chapter: RUNS_CHAPTER, ...SCHEDULE },
    handle: async ({ params: { pipeline_name: given = '' }, identity, body, isDryRun }) => {
      const pipeline = await requireOperableStage(parts, { pipeline: given }, identity, NOT_THIS_ACTION, noPipelineToTrigger);
      const { name } = pipeline;
      const order = readScheduleOrder(body, pipeline, cipher);
      engine.mustBeStarted();
      const pinned = await knownRevisions(parts, pipeline, order);
      await mustBeFree(parts, pipeline);
      // No two requests of one pipeline wait: nothing may come between this and the next one that is added.
      if (engine.requests.isWaiting(name)) throw new Refusal('conflict', alreadyTriggered(name));
      const request = { kind: 'manual', onlyOnChanges: false, by: identity.loginName, ...order, pinned } as const;
      if (!isDryRun) await engine.requests.add(name, request);
      return jsonAnswer({ message: scheduled(name) }, { status: 202 });
    },
  };
}

export function triggerOptionsRoute(parts: BuildRouteParts): Route {
  return {
    method: 'GET',
    path: '/api/pipelines/:pipeline_name/trigger_options',
    version: 1,
    permission: 'user',
    description: { chapter: RUNS_CHAPTER, ...TRIGGER_OPTIONS },
    handle: async ({ params: { pipeline_name: name = '' }, identity }) =>
      jsonAnswer(await optionsJson(parts, await requireOperableStage(parts, { pipeline: name }, identity, NOT_THIS_ACTION))),
  };
}

async function mustBeFree({ engine }: BuildRouteParts, pipeline: PipelineDefinition): Promise<void> {
  const { name } = pipeline;
  const obstacle = await engine.triggers.obstacleTo('manual', pipeline);
  if (obstacle?.rule === 'disk_full') throw new Refusal('insufficientStorage', obstacle.refusal, { retryAfter: RETRY_WHEN_FULL });
  if (obstacle) throw new Refusal('conflict', obstacle.refusal);
  if (pipeline.stages.length === 0)
    throw new Refusal('conflict', `Failed to trigger pipeline [${name}] { Pipeline ${name} has no stages }`);
}

async function optionsJson({ tables, modifications }: BuildRouteParts, pipeline: PipelineDefinition): Promise<JsonOut> {
  const newest = await modifications.newest(pipeline.materials.map(({ fingerprint }) => fingerprint));
  const last = await tables.runs.last(pipeline.key);
  const used = last ? await tables.runs.revisionsOf([last.id]) : [];
  const lastUsed = new Map((await modifications.byIds(used.map((one) => one.last))).map((one) => [one.id, one]));
  const lastOf = ({ fingerprint }: ConfiguredMaterial) => {
    const revision = used.find((one) => one.fingerprint === fingerprint);
    return revision && lastUsed.get(revision.last);
  };
  return {
    variables: pipeline.variables.map(({ name, value }) => ({ name, secure: isSecret(value), ...(!isSecret(value) && { value }) })),
    materials: pipeline.materials.map((material) => materialJson(material, newest.get(material.fingerprint), lastOf(material))),
  };
}

function materialJson(
  { type, name, description, fingerprint, folder, upstream }: Omit<ConfiguredMaterial, 'found'>,
  newest: Pick<Modification, 'modifiedTime' | 'userName' | 'comment' | 'revision'> | undefined,
  last: Pick<Modification, 'revision'> | undefined,
): JsonOut {
  return {
    type: shownType(type),
    name: name ?? upstream?.pipeline ?? description,
    fingerprint,
    ...(folder !== null && { folder }),
    revision: {
      date: newest ? dateOf(newest.modifiedTime) : null,
      user: newest?.userName ?? null,
      comment: newest?.comment ?? null,
      last_run_revision: last?.revision ?? null,
      latest_revision: newest?.revision ?? null,
    },
  };
}
