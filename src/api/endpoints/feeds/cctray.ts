// Stages and jobs as monitors of builds know them: one project each. The text of a pipeline is made when something has happened to it.
import { randomUUID } from 'node:crypto';
import type { DashboardRow } from '../../../builds/dashboard/dashboard-index.ts';
import type { BuildTables } from '../../../builds/runs/build-tables.ts';
import { chunksOf } from '../../../kit/chunks.ts';
import { nextSlice } from '../../../kit/concurrency/time-slices.ts';
import type { DashboardReader } from '../../../store/builds/dashboard-rows.ts';
import type { Job } from '../../../store/builds/jobs.ts';
import type { Run } from '../../../store/builds/runs.ts';
import type { StageRun } from '../../../store/builds/stage-runs.ts';
import { jobPage, stagePage } from './addresses.ts';
import { type Attributes, element, type Lines, timeText } from './xml.ts';

export interface CctrayParts {
  readonly reader: Pick<DashboardReader, 'lastOfStages'>;
  readonly tables: Pick<BuildTables, 'jobs' | 'runs' | 'modificationsOf'>;
}

/** Stands for the address of the server. It is random, so that no configured name contains it. */
const BASE = randomUUID();
const AT_ONCE = 50;

/** The records that some rows need. */
interface Facts {
  readonly stageRuns: ReadonlyMap<string, readonly StageRun[]>;
  readonly jobs: ReadonlyMap<number, readonly Job[]>;
  readonly runs: ReadonlyMap<number, Run>;
  /** The authors of the modifications in runs that failed, by the id of the run. */
  readonly breakers: ReadonlyMap<number, string>;
}

interface Project {
  readonly name: string;
  readonly page: string;
  readonly isBuilding: boolean;
  /** Undefined: it has not ended yet. */
  readonly last: { readonly run: Run; readonly stageCounter: number; readonly isPassed: boolean; readonly at: number } | undefined;
  readonly began: { readonly run: Run; readonly stageCounter: number; readonly at: number };
  readonly breakers: string;
}

export class Cctray {
  readonly #parts: CctrayParts;
  readonly #known = new WeakMap<DashboardRow, readonly string[]>();

  constructor(parts: CctrayParts) {
    this.#parts = parts;
  }

  /** The projects of these rows, in their order. */
  async projects(rows: readonly DashboardRow[], base: string): Promise<Lines> {
    const texts: string[] = [];
    for (const some of chunksOf(rows, AT_ONCE)) {
      const rendered = await this.#make(some.filter((row) => !this.#known.has(row)));
      for (const row of some) texts.push((this.#known.get(row) ?? rendered.get(row)!).join(escaped(base)));
      await nextSlice();
    }
    return texts.join('');
  }

  async #make(rows: readonly DashboardRow[]): Promise<ReadonlyMap<DashboardRow, readonly string[]>> {
    const rendered = new Map<DashboardRow, readonly string[]>();
    if (rows.length === 0) return rendered;
    const facts = await this.#read(rows);
    for (const row of rows) {
      const text = projectsOf(row, facts).map(projectText).join('').split(BASE);
      rendered.set(row, text);
      // Jobs of a run under way end without the row becoming another one.
      if (!isUnderWay(row)) this.#known.set(row, text);
    }
    return rendered;
  }

  async #read(rows: readonly DashboardRow[]): Promise<Facts> {
    const { reader, tables } = this.#parts;
    const named = rows.flatMap(({ facts: { pipeline } }) =>
      pipeline.stages.map(({ name }) => ({ pipelineKey: pipeline.key, stageKey: name.toLowerCase() })),
    );
    const stageRuns = await reader.lastOfStages(named);
    const jobs = await tables.jobs.ofStageRuns(stageRuns.map(({ id }) => id));
    const runs = await tables.runs.byIds([...new Set(stageRuns.map(({ run_id: id }) => id))]);
    const failed = new Set(stageRuns.filter(({ result }) => result === 'Failed').map(({ run_id: id }) => id));
    const modifications = Map.groupBy(await tables.modificationsOf([...failed]), ({ run }) => run);
    const names = [...modifications].map(([run, own]): [number, string] => {
      return [run, [...new Set(own.flatMap(({ userName }) => userName ?? []))].join(', ')];
    });
    return {
      stageRuns: Map.groupBy(stageRuns, ({ pipeline_key: pipeline, stage_key: stage }) => `${pipeline}/${stage}`),
      jobs: Map.groupBy(
        jobs.filter(({ state }) => state !== 'Rescheduled'),
        ({ stage_run_id: id }) => id,
      ),
      runs: new Map(runs.map((run) => [run.id, run])),
      breakers: new Map(names),
    };
  }
}

function isUnderWay({ facts }: DashboardRow): boolean {
  return facts.runs.some(({ stages }) => stages.some(({ status }) => status === 'Building' || status === 'Failing'));
}

function projectsOf({ facts: { pipeline } }: DashboardRow, facts: Facts): Project[] {
  return pipeline.stages.flatMap(({ name }) => {
    const own = (facts.stageRuns.get(`${pipeline.key}/${name.toLowerCase()}`) ?? []).toSorted((one, other) => other.id - one.id);
    const newest = own[0];
    if (!newest) return [];
    const completed = own.find(({ completed_at: at }) => at !== null);
    const stage = stageProject(`${pipeline.name} :: ${name}`, newest, completed, facts);
    return [stage, ...jobProjects(stage, newest, completed, facts)];
  });
}

function stageProject(name: string, newest: StageRun, completed: StageRun | undefined, { runs, breakers }: Facts): Project {
  const run = runs.get(newest.run_id)!;
  return {
    name,
    page: stagePage(run.pipeline, run.counter, newest.stage, newest.counter),
    isBuilding: newest.completed_at === null,
    began: { run, stageCounter: newest.counter, at: newest.scheduled_at },
    last: completed && {
      run: runs.get(completed.run_id)!,
      stageCounter: completed.counter,
      isPassed: completed.result === 'Passed',
      at: completed.completed_at!,
    },
    breakers: completed?.result === 'Failed' ? (breakers.get(completed.run_id) ?? '') : '',
  };
}

/** The jobs of the newest run of the stage; the last result of a job that is under way is that of the run before. */
function jobProjects(stage: Project, newest: StageRun, completed: StageRun | undefined, { jobs, runs }: Facts): Project[] {
  const before = completed && completed.id !== newest.id ? (jobs.get(completed.id) ?? []) : [];
  return (jobs.get(newest.id) ?? []).map((job) => {
    const isBuilding = job.completed_at === null;
    const ended = isBuilding ? before.find(({ job_key: key }) => key === job.job_key) : job;
    const of = isBuilding ? completed : newest;
    const { run } = stage.began;
    return {
      name: `${stage.name} :: ${job.name}`,
      page: jobPage(run.pipeline, run.counter, newest.stage, newest.counter, job.name),
      isBuilding,
      began: stage.began,
      last: ended &&
        of && {
          run: runs.get(of.run_id)!,
          stageCounter: of.counter,
          isPassed: ended.result === 'Passed',
          at: ended.completed_at ?? of.scheduled_at,
        },
      breakers: ended?.result === 'Failed' ? stage.breakers : '',
    };
  });
}

function projectText({ name, page, isBuilding, last, began, breakers }: Project): Lines {
  const { run, stageCounter, at } = last ?? began;
  const attributes: Attributes = {
    name,
    activity: isBuilding ? 'Building' : 'Sleeping',
    // A project that has never ended counts as a success.
    lastBuildStatus: (last?.isPassed ?? true) ? 'Success' : 'Failure',
    lastBuildLabel: stageCounter > 1 ? `${run.label} :: ${stageCounter}` : run.label,
    lastBuildTime: timeText(at),
    webUrl: BASE + page,
  };
  if (breakers === '') return element('Project', attributes);
  return element('Project', attributes, element('messages', {}, element('message', { text: breakers, kind: 'Breakers' })));
}

function escaped(base: string): string {
  return base.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
