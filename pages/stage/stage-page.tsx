// One run of a stage: its jobs, how long they take, and its actions.
import { useState } from 'preact/hooks';
import { NewerStageRun } from '../actions/newer-stage-run.tsx';
import type { ReadState } from '../api/queries.ts';
import { isSame, type RunAnswer, type StageLocator, type StageRunAnswer } from '../api/run-answers.ts';
import { useRun, useStageRun } from '../api/use-runs.ts';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { Revisions } from '../kit/revisions.tsx';
import { pageOf } from '../kit/routing.ts';
import { Loaded, pipelineAdvice } from '../kit/states.tsx';
import { Status } from '../kit/status.tsx';
import { useTitle } from '../kit/title.ts';
import { JobTable } from './job-table.tsx';
import { isUnderWay, stageStatus } from './stage.ts';
import { StageActions } from './stage-actions.tsx';
import { StageFacts } from './stage-facts.tsx';
import { StageHistory } from './stage-history.tsx';
import { StagesOfRun } from './stages-of-run.tsx';
import { WithoutAgent } from './without-agent.tsx';

type StageAddress = { readonly pipeline: string; readonly counter: string; readonly stage: string; readonly stageCounter: string };

export function StagePage({ params: { pipeline, counter, stage, stageCounter } }: PageProps<StageAddress>) {
  const at = { pipeline, counter: Number(counter), stage, stageCounter: Number(stageCounter) };
  const read = useStageRun(at);
  const run = useRun(pipeline, at.counter);
  useTitle(`${read.data === undefined ? '' : `${stageStatus(read.data)}: `}${stage} · ${pipeline} ${counter}`);
  return (
    <>
      <Breadcrumb
        crumbs={[
          { label: pipeline, href: pageOf.activity(pipeline) },
          { label: run.data?.label ?? counter, href: pageOf.map(pipeline, at.counter), title: `Value stream map of run ${counter}` },
        ]}
      />
      {read.data === undefined && <h1>{stage}</h1>}
      <Loaded read={read} advice={pipelineAdvice}>
        {(found) => <StageView key={`${counter}/${stage}/${stageCounter}`} at={at} stage={found} run={run} />}
      </Loaded>
    </>
  );
}

interface StageViewProps {
  readonly at: StageLocator;
  readonly stage: StageRunAnswer;
  readonly run: ReadState<RunAnswer>;
}

function StageView({ at, stage, run }: StageViewProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayOperate = run.data?.stages.find(({ name }) => isSame(name, at.stage))?.operate_permission ?? false;
  return (
    <>
      <header class="page-header">
        <h1>{stage.name}</h1>
        <Status word={stageStatus(stage)} />
        <span class="grow" />
        <StageActions at={at} stage={stage} run={run.data} chosen={chosen} onDone={() => setChosen(new Set())} />
      </header>
      <NewerStageRun run={run.data} at={at} />
      <StageFacts at={at} stage={stage} run={run.data} />
      {run.data !== undefined && <StagesOfRun run={run.data} at={at} />}
      {isUnderWay(stage) && <WithoutAgent at={at} jobs={stage.jobs} />}
      <h2>Jobs</h2>
      <JobTable at={at} jobs={stage.jobs} chosen={chosen} onChoose={mayOperate ? setChosen : undefined} />
      <h2>Last runs of this stage</h2>
      <StageHistory at={at} />
      <h2>Made from</h2>
      <Loaded read={run}>{({ build_cause: cause }) => <Revisions revisions={cause.material_revisions} />}</Loaded>
    </>
  );
}
