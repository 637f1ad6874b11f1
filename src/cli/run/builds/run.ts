// The command that triggers a pipeline, waits for the run, and follows it.
import { setTimeout as pause } from 'node:timers/promises';
import { acceptedBy, fetchJson, sending } from '../../terminal/ask-server.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { CommandFailed } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import type { HistoryAnswer, PipelineWhy, RunAnswer } from './answers.ts';
import { fetchWithRetries } from './ask-with-retries.ts';
import { followRun } from './follow-run.ts';
import { FollowScreen } from './follow-screen.ts';
import { historyPath, pipelinePath, runPagePath } from './paths.ts';
import { pinnedMaterials, readRevisions, readVariables } from './schedule-order.ts';

interface RunValues extends ServerValues {
  readonly follow: boolean;
  readonly variable: readonly string[];
  readonly revision: readonly string[];
  readonly 'no-update': boolean;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

export async function runRun({ values, positionals: [pipeline = ''] }: ParsedArguments<RunValues>, context: Context): Promise<number> {
  const [variables, revisions] = [readVariables(values.variable), readRevisions(values.revision)];
  const server = serverOf(values, context);
  const screen = new FollowScreen(context);
  try {
    const { login_name: user } = await fetchJson<{ readonly login_name: string }>(server, '/api/current_user');
    const before = await newestOf(server, pipeline);
    const order = {
      update_materials_before_scheduling: !values['no-update'],
      environment_variables: variables,
      materials: await pinnedMaterials(server, pipeline, revisions),
    };
    await acceptedBy(server, pipelinePath(pipeline, 'schedule'), sending('POST', order));
    screen.show(`${pipeline}: ${values['no-update'] ? 'the run is being scheduled' : 'polling its materials'}`);
    const run = await untilScheduled(server, { pipeline, user, before }, screen);
    screen.end();
    const name = `${run.name}/${run.counter}`;
    context.out.write(`Run ${name}: ${server.url}${runPagePath(run.name, run.counter)}\n`);
    return values.follow ? await followRun(server, run, screen, context) : 0;
  } finally {
    screen.end();
  }
}

/** The counter of the last run; 0: there is none. */
async function newestOf(server: RemoteServer, pipeline: string): Promise<number> {
  return (await fetchJson<HistoryAnswer>(server, historyPath(pipeline))).pipelines[0]?.counter ?? 0;
}

interface ScheduleRequest {
  readonly pipeline: string;
  readonly user: string;
  /** The last run before. */
  readonly before: number;
}

async function untilScheduled(server: RemoteServer, { pipeline, user, before }: ScheduleRequest, screen: FollowScreen): Promise<RunAnswer> {
  const look = async () => {
    const { pipelines } = await fetchWithRetries<HistoryAnswer>(server, historyPath(pipeline), screen.unavailable);
    // Changes and timers may have made others meanwhile.
    return pipelines.findLast(
      ({ counter, build_cause: { trigger_forced: isForced, approver } }) => counter > before && isForced && approver === user,
    );
  };
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
    const run = await look();
    if (run) return run;
    const { is_requested: isRequested } = await fetchWithRetries<PipelineWhy>(server, pipelinePath(pipeline, 'why'), screen.unavailable);
    const late = isRequested ? undefined : await look();
    if (late) return late;
    if (!isRequested) throw await notScheduled(server, pipeline);
    await pause(wait);
  }
}

/** The server gives the reason in its health messages. */
async function notScheduled(server: RemoteServer, pipeline: string): Promise<CommandFailed> {
  const messages = await fetchJson<readonly { readonly message: string; readonly detail: string }[]>(server, '/api/server_health_messages');
  const quoted = `'${pipeline.toLowerCase()}'`;
  const report = messages.find(({ message }) => message.startsWith('Could not trigger') && message.toLowerCase().includes(quoted));
  return new CommandFailed(`${pipeline} could not be run${report ? `: ${report.detail}` : '. See the messages of server health.'}`);
}
