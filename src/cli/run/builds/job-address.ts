// The job that a command line names, and which one `latest` is at present.
import { fetchJson } from '../../terminal/ask-server.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import type { RemoteServer } from '../../terminal/target.ts';
import type { HistoryAnswer, RunAnswer } from './answers.ts';
import { historyPath, type JobAddress, runPath } from './paths.ts';

const LATEST = 'latest';

/** Reads an address, whose counters may be `latest`. */
export function readJobAddress(text: string): JobAddress {
  const steps = text.split('/');
  const [pipeline, counter, stage, stageCounter, job] = steps;
  if (steps.length !== 5 || !pipeline || !counter || !stage || !stageCounter || !job)
    throw new UsageError(`JOB must be PIPELINE/COUNTER/STAGE/COUNTER/JOB, such as up42/latest/build/latest/compile, not '${text}'.`);
  for (const one of [counter, stageCounter])
    if (one !== LATEST && !/^[1-9]\d{0,14}$/.test(one)) throw new UsageError(`A counter must be a number above 0 or latest, not '${one}'.`);
  return { pipeline, counter, stage, stageCounter, job };
}

/** With numbers, so that it stays the same job when others are run meanwhile. */
export async function resolveJobAddress(server: RemoteServer, address: JobAddress): Promise<JobAddress> {
  const { pipeline, counter, stage, stageCounter } = address;
  if (counter !== LATEST && stageCounter !== LATEST) return address;
  const run = counter === LATEST ? await latestRun(server, pipeline) : await fetchJson<RunAnswer>(server, runPath(pipeline, counter));
  return {
    ...address,
    counter: String(run.counter),
    stageCounter: stageCounter === LATEST ? latestOfStage(run, stage) : stageCounter,
  };
}

async function latestRun(server: RemoteServer, pipeline: string): Promise<RunAnswer> {
  const [run] = (await fetchJson<HistoryAnswer>(server, historyPath(pipeline))).pipelines;
  if (!run) throw new CommandFailed(`The pipeline ${pipeline} has not been run yet.`);
  return run;
}

function latestOfStage({ name, counter, stages }: RunAnswer, wanted: string): string {
  const stage = stages.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
  if (!stage)
    throw new CommandFailed(`The run ${name}/${counter} has no stage ${wanted}. It has: ${stages.map((one) => one.name).join(', ')}.`);
  if (!stage.scheduled) throw new CommandFailed(`The stage ${stage.name} has not been run in ${name}/${counter} yet.`);
  return stage.counter;
}
