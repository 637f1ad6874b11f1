// Which jobs of a pipeline are run here.
import { CommandFailed } from '../../../terminal/failures.ts';
import type { JobConfig, StageConfig } from './answers.ts';

export interface ChosenStage {
  readonly stage: StageConfig;
  readonly jobs: readonly JobConfig[];
}

export interface Choice {
  readonly stages: readonly ChosenStage[];
  /** The first stage that is left out, as one that people start by hand. */
  readonly gate: StageConfig | undefined;
}

/** A stage behind a gate, which may do more than build, is run only where it is named. The first may need a person only to begin. */
export function chooseJobs(stages: readonly StageConfig[], stage: string | undefined, job: string | undefined): Choice {
  if (stage === undefined) {
    const at = stages.findIndex(({ approval }, index) => index > 0 && approval.type === 'manual');
    const chosen = at < 0 ? stages : stages.slice(0, at);
    return { stages: chosen.map((one) => ({ stage: one, jobs: one.jobs })), gate: stages[at] };
  }
  const found = named(stages, stage, 'stage');
  return { stages: [{ stage: found, jobs: job === undefined ? found.jobs : [named(found.jobs, job, 'job')] }], gate: undefined };
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string, kind: string): T {
  const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (!found) throw new CommandFailed(`There is no ${kind} ${name}. There are: ${all.map((one) => one.name).join(', ')}.`);
  return found;
}
