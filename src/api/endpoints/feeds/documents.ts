// Runs, stage runs and jobs as XML.
import type { ShownRun } from '../../../builds/runs/shown-runs.ts';
import type { ShownJob, ShownStage } from '../../../builds/runs/shown-stages.ts';
import { shownType } from '../../../materials/catalogue/classic-form.ts';
import type { Run } from '../../../store/builds/runs.ts';
import type { StageRun } from '../../../store/builds/stage-runs.ts';
import { jobFeed, jobFiles, jobPage, runFeed, runPage, stageFeed, stagePage, stagesFeed } from './addresses.ts';
import { element, type Lines, leaf, link, timeText } from './xml.ts';

/** A stage that has ended, with the run it was in. */
export interface EndedStage {
  readonly run: Run;
  readonly stageRun: StageRun;
}

/** `older`: where those are that came before; undefined: there are none. */
export function stagesDocument(pipeline: string, ended: readonly EndedStage[], older: string | undefined, base: string): Lines {
  const own = base + stagesFeed(pipeline);
  const [newest] = ended;
  return element(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom' },
    leaf('title', pipeline),
    leaf('id', own),
    element('author', {}, leaf('name', 'Slipway')),
    leaf('updated', timeText(newest?.stageRun.completed_at ?? 0)),
    link(own),
    ...(older === undefined ? [] : [link(base + older, { rel: 'next' })]),
    ...ended.map((one) => entryText(one, base)),
  );
}

function entryText({ run, stageRun }: EndedStage, base: string): Lines {
  const { stage, counter, result } = stageRun;
  const at = [run.pipeline, run.counter, stage, counter] as const;
  return element(
    'entry',
    {},
    leaf('title', `${run.pipeline}(${run.label}) stage ${stage}(${counter}) ${result}`),
    leaf('updated', timeText(stageRun.completed_at ?? stageRun.scheduled_at)),
    leaf('id', base + stagePage(...at)),
    element('author', {}, leaf('name', stageRun.approved_by)),
    link(base + stageFeed(...at), { rel: 'alternate', type: 'application/xml', title: `${stage} Stage Detail` }),
    link(base + stagePage(...at), { rel: 'alternate', type: 'text/html', title: `${stage} Stage Detail` }),
    link(base + runFeed(run.pipeline, run.counter), { rel: 'related', type: 'application/xml', title: `${run.pipeline} Pipeline Detail` }),
    ...['stage', 'completed', result.toLowerCase()].map((term) => element('category', { term })),
  );
}

export function runDocument({ run, revisions, stages }: ShownRun, base: string): Lines {
  const { pipeline, counter, label } = run;
  const ran = stages.flatMap(({ stageRun }) => stageRun ?? []);
  return element(
    'pipeline',
    { name: pipeline, counter, label },
    link(base + runFeed(pipeline, counter)),
    leaf('id', base + runPage(pipeline, counter)),
    leaf('scheduleTime', timeText(run.scheduled_at)),
    element('stages', {}, ...ran.map((one) => element('stage', { href: base + stageFeed(pipeline, counter, one.stage, one.counter) }))),
    element(
      'materials',
      {},
      ...revisions.map(({ revision, modifications }) =>
        element(
          'material',
          { type: shownType(revision.type), description: revision.description, changed: String(revision.is_changed === 1) },
          element(
            'modifications',
            {},
            ...modifications.map((one) =>
              element(
                'changeset',
                {},
                leaf('user', one.userName ?? ''),
                leaf('checkinTime', timeText(one.modifiedTime)),
                leaf('revision', one.revision),
                leaf('message', one.comment ?? ''),
              ),
            ),
          ),
        ),
      ),
    ),
    leaf('approvedBy', run.approver),
  );
}

export function stageDocument({ run, stageRun, jobs }: ShownStage, state: string, base: string): Lines {
  const { stage, counter } = stageRun;
  const at = [run.pipeline, run.counter, stage, counter] as const;
  return element(
    'stage',
    { name: stage, counter },
    link(base + stageFeed(...at)),
    leaf('id', base + stagePage(...at)),
    element('pipeline', { name: run.pipeline, counter: run.counter, label: run.label, href: base + runFeed(run.pipeline, run.counter) }),
    leaf('updated', timeText(stageRun.completed_at ?? stageRun.scheduled_at)),
    leaf('result', stageRun.result),
    leaf('state', state),
    leaf('approvedBy', stageRun.approved_by),
    element('jobs', {}, ...jobs.map(({ job }) => element('job', { href: base + jobFeed(...at, job.name) }))),
  );
}

export function jobDocument({ run, stageRun, job }: ShownJob, base: string): Lines {
  const { stage, counter } = stageRun;
  const at = [run.pipeline, run.counter, stage, counter] as const;
  return element(
    'job',
    { name: job.name },
    link(base + jobFeed(...at, job.name)),
    leaf('id', base + jobPage(...at, job.name)),
    element('pipeline', { name: run.pipeline, counter: run.counter, label: run.label }),
    element('stage', { name: stage, counter, href: base + stageFeed(...at) }),
    leaf('updated', timeText(job.completed_at ?? job.scheduled_at)),
    leaf('result', job.result),
    leaf('state', job.state),
    ...(job.agent_uuid === null ? [] : [element('agent', { uuid: job.agent_uuid })]),
    element('artifacts', { baseUri: base + jobFiles(...at, job.name) }),
  );
}
