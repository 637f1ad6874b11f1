// The obstacles to a run, regardless of changes in materials.
import type { PipelineDefinition } from '../configured.ts';
import type { TriggerKind } from './decide-trigger.ts';

/** The current state of a pipeline. */
export interface PipelineNow {
  readonly isInMaintenance: boolean;
  readonly isDiskFull: boolean;
  readonly pause: { readonly by: string; readonly cause: string } | undefined;
  /** The counter of the run that holds the lock. */
  readonly lockedBy: number | undefined;
  readonly isFirstStageActive: boolean;
}

export interface Obstacle {
  readonly rule: 'maintenance' | 'disk_full' | 'paused' | 'locked' | 'stage_active' | 'manual_first_stage';
  /** For people: the obstacle, and how it would end. */
  readonly message: string;
  /** The answer of GoCD to a request for a run. */
  readonly refusal: string;
}

/** In the order in which they are reported. */
export function obstaclesTo(
  kind: TriggerKind,
  { name, stages }: Pick<PipelineDefinition, 'name' | 'stages'>,
  now: PipelineNow,
): Obstacle[] {
  const first = stages[0];
  const found: (Obstacle | false | undefined)[] = [
    now.isInMaintenance && {
      rule: 'maintenance',
      message: 'The server is in maintenance mode: nothing new starts until it is switched off.',
      refusal: `Failed to trigger pipeline [${name}] { Server is in maintenance mode }`,
    },
    now.isDiskFull && {
      rule: 'disk_full',
      message: 'There is not enough space on the disk of the server: nothing new is scheduled until there is.',
      refusal: `Failed to trigger pipeline [${name}] { The server has run out of disk space }`,
    },
    now.pause && {
      rule: 'paused',
      message: `The pipeline was paused by ${now.pause.by}${now.pause.cause === '' ? '' : ` (${now.pause.cause})`}. Unpause it.`,
      refusal: `Failed to trigger pipeline [${name}] { Pipeline ${name} is paused }`,
    },
    now.lockedBy !== undefined && {
      rule: 'locked',
      message: `The run ${name}/${now.lockedBy} holds the lock of the pipeline. It is released when that run has ended, or by hand.`,
      refusal: `Pipeline ${name} cannot be scheduled { Pipeline ${name} is locked as another instance of this pipeline is running. }`,
    },
    now.isFirstStageActive && {
      rule: 'stage_active',
      message: `The first stage '${first?.name}' is still in progress in another run. ${kind === 'auto' ? 'It is looked at again' : 'Trigger it again'} when that has ended.`,
      refusal: `Failed to trigger pipeline [${name}] { Stage [${first?.name}] in pipeline [${name}] is still in progress }`,
    },
    kind === 'auto' &&
      first?.approval.type === 'manual' && {
        rule: 'manual_first_stage',
        message: `The first stage '${first.name}' is started by hand only. Trigger the pipeline.`,
        refusal: '',
      },
  ];
  return found.filter((one) => typeof one === 'object');
}
