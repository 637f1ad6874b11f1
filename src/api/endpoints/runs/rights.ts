// The rights of the user to a pipeline now, as its runs and its status include them: worked out from the tables, on every server.
import type { Identity } from '../../../access/identity.ts';
import { keyOfName, type PipelineDefinition } from '../../../builds/configured.ts';
import { obstaclesTo } from '../../../builds/trigger/obstacles.ts';
import type { Rights } from './json.ts';
import type { BuildRouteParts } from './parts.ts';
import { mayOperateStage } from './visibility.ts';

type Parts = Pick<BuildRouteParts, 'access' | 'tables' | 'pauses' | 'isInMaintenance' | 'isDiskFull'>;

export interface Schedulability {
  /** The id of the run that holds the lock. */
  readonly lockedBy: number | undefined;
  /** Whether nothing prevents a run that a user triggers. */
  readonly isSchedulable: boolean;
}

export async function schedulability(parts: Parts, pipeline: PipelineDefinition): Promise<Schedulability> {
  const { tables, pauses, isInMaintenance, isDiskFull } = parts;
  const { key, name, stages } = pipeline;
  const lockedBy = await tables.pipelines.lockOf(key);
  const active = await tables.stageRuns.activeOf(key);
  const first = keyOfName(stages[0]?.name ?? '');
  const obstacles = obstaclesTo('manual', pipeline, {
    isInMaintenance: isInMaintenance(),
    isDiskFull: isDiskFull(),
    pause: pauses.find(name),
    lockedBy,
    isFirstStageActive: active.some(({ stage_key: stage }) => stage === first),
  });
  const isRequested = await tables.pipelines.isRequested(key);
  return { lockedBy, isSchedulable: obstacles.length === 0 && !isRequested && stages.length > 0 };
}

export async function rightsOf(parts: Parts, pipeline: PipelineDefinition, identity: Identity): Promise<Rights> {
  const inGroup = { group: pipeline.group, pipeline: pipeline.name };
  const mayOperate: Rights['mayOperate'] = ({ configured }) => mayOperateStage(parts, inGroup, configured, identity);
  const mayTrigger = mayOperateStage(parts, inGroup, pipeline.stages[0], identity);
  return { mayOperate, canRun: mayTrigger && (await schedulability(parts, pipeline)).isSchedulable };
}
