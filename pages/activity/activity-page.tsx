// One pipeline: its runs, and why it does not run now.
import { useCallback, useState } from 'preact/hooks';
import { PauseDialog } from '../actions/pause-dialog.tsx';
import { RunDialog } from '../actions/run-dialog.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { Loaded, pipelineAdvice } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { CommentDialog } from './comment-dialog.tsx';
import { type ComparedRuns, toggleRun } from './compared-runs.ts';
import { PipelineHeader } from './pipeline-header.tsx';
import type { RunAction } from './run-block.tsx';
import { useRunKeys } from './run-keys.ts';
import { RunListView } from './run-list-view.tsx';
import { StageActionDialog } from './stage-dialog.tsx';
import { StatisticsStrip } from './statistics-strip.tsx';
import { type PipelineStatus, useStatus } from './status.ts';
import { useRuns } from './use-runs.ts';
import { WhyBanner } from './why-banner.tsx';

export function ActivityPage({ params: { name } }: PageProps<{ readonly name: string }>) {
  useTitle(name);
  // The key gives each pipeline a component of its own, so that no state of one pipeline is shown for the next.
  return <OnePipeline key={name.toLowerCase()} name={name} />;
}

function OnePipeline({ name }: { readonly name: string }) {
  const read = useStatus(name);
  return (
    <>
      {read.data === undefined && <h1>{name}</h1>}
      <Loaded read={read} advice={pipelineAdvice}>
        {(status) => <Activity status={status} />}
      </Loaded>
    </>
  );
}

function Activity({ status }: { readonly status: PipelineStatus }) {
  const { name } = status;
  const runs = useRuns(name);
  const [asked, setAsked] = useState<'run' | 'pause'>();
  const [action, setAction] = useState<RunAction>();
  const [chosen, setChosen] = useState<ComparedRuns>([]);
  const choose = useCallback((counter: number): void => setChosen((before) => toggleRun(before, counter)), []);
  const onRun = (): void => setAsked('run');
  const onPause = (): void => setAsked('pause');
  const selected = useRunKeys({ status, runs: runs.runs, chosen, onChoose: choose, onRun, onPause });
  return (
    <>
      <PipelineHeader status={status} onRun={onRun} onPause={onPause} />
      <WhyBanner pipeline={name} />
      <StatisticsStrip pipeline={name} />
      <RunListView status={status} runs={runs} selected={selected} chosen={chosen} onChoose={choose} onAction={setAction} />
      {asked === 'run' && <RunDialog pipeline={name} onClose={() => setAsked(undefined)} />}
      {asked === 'pause' && <PauseDialog pipeline={name} onClose={() => setAsked(undefined)} />}
      {action?.is === 'comment' && <CommentDialog run={action.run} onClose={() => setAction(undefined)} />}
      {action !== undefined && action.is !== 'comment' && <StageActionDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}
