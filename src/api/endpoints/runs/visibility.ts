// Which pipeline a request is about, and whether the user may see it or operate it.
import type { Identity } from '../../../access/identity.ts';
import type { PipelineInGroup } from '../../../access/may.ts';
import { type ConfiguredStage, keyOfName, type PipelineDefinition } from '../../../builds/configured.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import type { Failure } from '../../engine/route.ts';
import type { BuildRouteParts } from './parts.ts';

type Parts = Pick<BuildRouteParts, 'access' | 'config'>;

export function pipelineNotFound(name: string): string {
  return `Pipeline with name '${name}' was not found!`;
}

/** The pipeline, for users who may see it; others are refused. */
export function requireViewable(parts: Parts, name: string, identity: Identity): Promise<PipelineDefinition> {
  const group = groupOf(parts, name, identity);
  if (group === undefined || !parts.access.mayView(identity, { group, pipeline: name })) throw new Refusal('forbidden', NOT_THIS_ACTION);
  return found(parts, name);
}

/** A material is seen with the pipelines that are built from it. */
export async function seesMaterial({ access, config }: Parts, fingerprint: string, identity: Identity): Promise<boolean> {
  const users = await config.usersOf(fingerprint);
  return users.some((pipeline) => {
    const group = config.groupOf(pipeline);
    return group !== undefined && access.mayView(identity, { group, pipeline });
  });
}

/** The pipeline, for users who may operate it as a whole; others are refused. */
export function requireOperable(parts: Parts, name: string, identity: Identity): Promise<PipelineDefinition> {
  const group = groupOf(parts, name, identity);
  if (group === undefined || !parts.access.mayOperate(identity, { group, pipeline: name })) throw new Refusal('forbidden', NOT_THIS_ACTION);
  return found(parts, name);
}

/**
 * The pipeline, for users who may operate one of its stages; `stage` undefined: the first. `refusal`: the message to all others.
 * `missing`: the message when there is no such pipeline.
 */
export function requireOperableStage(
  parts: Parts,
  { pipeline, stage }: { readonly pipeline: string; readonly stage?: string },
  identity: Identity,
  refusal: string,
  missing = pipelineNotFound,
): Promise<PipelineDefinition> {
  const group = groupOf(parts, pipeline, identity, missing);
  const stages = parts.config.stagesOf(pipeline) ?? [];
  const wanted = stage === undefined ? stages[0] : stages.find(({ name }) => keyOfName(name) === keyOfName(stage));
  if (group === undefined || !mayOperateStage(parts, { group, pipeline }, wanted, identity)) throw new Refusal('forbidden', refusal);
  return found(parts, pipeline, missing);
}

/** A stage that is gone from the configuration has no approvers of its own any more. */
export function mayOperateStage(
  { access }: Pick<Parts, 'access'>,
  pipeline: PipelineInGroup,
  stage: ConfiguredStage | undefined,
  identity: Identity,
): boolean {
  return access.mayOperate(identity, pipeline, stage?.approval.authorization);
}

/** Users who may create pipelines can find out by trying which names are taken; others must not learn whether the pipeline exists. */
function groupOf({ access, config }: Parts, name: string, identity: Identity, missing = pipelineNotFound): string | undefined {
  const group = config.groupOf(name);
  if (group === undefined && access.passes(identity, 'groupAdmin')) throw new Refusal('notFound', missing(name));
  return group;
}

async function found({ config }: Parts, name: string, missing = pipelineNotFound): Promise<PipelineDefinition> {
  const pipeline = await config.find(name);
  if (!pipeline) throw new Refusal('notFound', missing(name));
  return pipeline;
}

export const PIPELINE_PARAMETER = { description: 'The name of the pipeline, case-insensitive.', example: 'web' };
export const VIEWERS = 'users who may see its pipeline group';
export const OPERATORS = 'users who may operate its pipeline group';

export const ACCESS_FAILURES: Readonly<Record<number, Partial<Failure>>> = {
  403: { when: 'Not allowed.', example: { message: NOT_THIS_ACTION } },
  404: { example: { message: pipelineNotFound('unknown') } },
};
