// The command that runs jobs of a pipeline in the present directory.
import type { JobConsole } from '../../../../agent/console/job-console.ts';
import { TAGS } from '../../../../agent/console/tags.ts';
import { inheritedEnvironment, jobEnvironment } from '../../../../agent/job/environment.ts';
import { Interruption } from '../../../../agent/job/interruption.ts';
import { mayRun, type ResultSoFar } from '../../../../agent/job/run-if.ts';
import { runTask } from '../../../../agent/job/task-runner.ts';
import { stopSignals } from '../../../../agent/stop-signals.ts';
import { INSTALLATION } from '../../../../kit/process/own-program.ts';
import { fetchJson } from '../../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../../terminal/command.ts';
import type { Context } from '../../../terminal/context.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../../terminal/target.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { type GivenVariable, readVariables } from '../schedule-order.ts';
import type { JobConfig, StageConfig } from './answers.ts';
import { chooseJobs } from './choose-jobs.ts';
import { withLocalConsole } from './local-console.ts';
import { localTask } from './local-tasks.ts';
import { type LocalRun, type LocalVariables, localMaterials, localVariables } from './local-variables.ts';
import { type ResolvedPipeline, readPipeline } from './read-pipeline.ts';

interface RunLocalValues extends ServerValues {
  readonly variable: readonly string[];
}

type LocalResult = ResultSoFar | 'Cancelled';

export async function runRunLocal({ values, positionals }: ParsedArguments<RunLocalValues>, context: Context): Promise<number> {
  const [name = '', stageName, jobName] = positionals;
  const given = readVariables(values.variable);
  const server = serverOf(values, context);
  const resolved = await readPipeline(server, name);
  const { stages, gate } = chooseJobs(resolved.stages, stageName, jobName);
  if (resolved.environment === undefined) context.err.write('You may not see environments: their variables are not set.\n');
  const local = await localRun(server, resolved, given, context);
  const signals = stopSignals();
  const interruption = new Interruption();
  signals.onStop(() => (interruption.reason === undefined ? interruption.interrupt('cancel') : interruption.kill()));
  try {
    let result: LocalResult = 'Passed';
    for (const { stage, jobs } of stages) {
      for (const job of jobs) result = worse(result, await new LocalJob(resolved, stage, job, local, context, interruption).run());
      if (result !== 'Passed') return exitCodeOf(result);
    }
    if (gate) context.err.write(`The stage ${gate.name} is started by hand, so it was not run. Name it to run it here.\n`);
    return exitCodeOf(result);
  } finally {
    signals.release();
  }
}

const FROM_GOOD_TO_BAD: readonly LocalResult[] = ['Passed', 'Failed', 'Cancelled'];

function worse(one: LocalResult, other: LocalResult): LocalResult {
  return FROM_GOOD_TO_BAD.indexOf(one) > FROM_GOOD_TO_BAD.indexOf(other) ? one : other;
}

async function localRun(
  server: RemoteServer,
  { pipeline }: ResolvedPipeline,
  given: readonly GivenVariable[],
  { directory }: Context,
): Promise<LocalRun> {
  const { login_name: user } = await fetchJson<{ readonly login_name: string }>(server, '/api/current_user');
  return { serverUrl: server.url, user, given, materials: await localMaterials(pipeline.materials, directory) };
}

class LocalJob {
  readonly #job: JobConfig;
  readonly #name: string;
  readonly #variables: LocalVariables;
  readonly #context: Context;
  readonly #interruption: Interruption;

  constructor(
    resolved: ResolvedPipeline,
    stage: StageConfig,
    job: JobConfig,
    local: LocalRun,
    context: Context,
    interruption: Interruption,
  ) {
    this.#job = job;
    this.#name = [resolved.pipeline.name, stage.name, job.name].join('/');
    this.#variables = localVariables(resolved, stage, job, local);
    this.#context = context;
    this.#interruption = interruption;
  }

  async run(): Promise<LocalResult> {
    const { signal } = this.#interruption;
    if (signal.aborted) return 'Cancelled';
    const { variables, missing } = this.#variables;
    if (missing.length > 0)
      this.#context.err.write(
        `${this.#name}: only agents get these variables: ${missing.join(', ')}. Give them with --variable NAME=VALUE.\n`,
      );
    return withLocalConsole(this.#context, variables, async (console) => {
      console.notice(TAGS.notice, `Start to build ${this.#name} in ${this.#context.directory}`);
      const built = await this.#runTasks(console);
      const result = signal.aborted ? 'Cancelled' : built;
      console.notice(TAGS.notice, `Current job status: ${result.toLowerCase()}`);
      return result;
    });
  }

  async #runTasks(console: JobConsole): Promise<ResultSoFar> {
    const inherited = inheritedEnvironment(this.#context.environment, INSTALLATION);
    const taskContext = {
      pipelineFolder: this.#context.directory,
      environment: jobEnvironment(inherited, this.#variables.variables).variables,
      marker: `run-local-${process.pid}`,
      console,
      interruption: this.#interruption,
    };
    let result: ResultSoFar = 'Passed';
    for (const local of this.#job.tasks.map(localTask)) {
      if (this.#interruption.signal.aborted) break;
      if ('skipped' in local) {
        if (mayRun(local.runIf, result)) console.notice(TAGS.notice, `Skipped: ${local.skipped}`);
      } else if (mayRun(local.task.run_if, result) && !(await runTask(local.task, taskContext))) result = 'Failed';
    }
    return result;
  }
}
