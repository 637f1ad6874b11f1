// The commands that switch maintenance mode on, waiting until nothing runs any more, and off.
import { acceptedBy, answerOf, askServer, CONFIRMED, refusalOf, sending } from '../terminal/ask-server.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import type { Context } from '../terminal/context.ts';
import { UsageError } from '../terminal/failures.ts';
import { Progress } from '../terminal/progress.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../terminal/target.ts';

const MODE = '/api/admin/maintenance_mode';
const POLL_SECONDS = 2;
const STILL_BUSY = 503;

interface OnValues extends ServerValues {
  readonly reason: string | undefined;
  readonly minutes: string | undefined;
  readonly 'survive-restart': boolean;
  readonly 'no-wait': boolean;
}

export async function runMaintenanceOn({ values }: ParsedArguments<OnValues>, context: Context): Promise<number> {
  const { reason, 'survive-restart': survives, 'no-wait': isImpatient } = values;
  const minutes = minutesIn(values);
  const server = serverOf(values, context);
  const order = {
    ...(reason !== undefined && { reason }),
    ...(minutes !== undefined && { minutes }),
    survive_restart: survives,
  };
  await acceptedBy(server, `${MODE}/enable`, sending('POST', order));
  context.out.write('Maintenance mode is on.\n');
  if (isImpatient) return 0;
  await untilNothingRuns(server, new Progress(context.err));
  context.out.write('Nothing runs any more.\n');
  return 0;
}

export async function runMaintenanceOff({ values }: ParsedArguments<ServerValues>, context: Context): Promise<number> {
  await acceptedBy(serverOf(values, context), `${MODE}/disable`, CONFIRMED);
  context.out.write('Maintenance mode is off.\n');
  return 0;
}

function minutesIn({ minutes }: OnValues): number | undefined {
  if (minutes === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(minutes) && Number(minutes) > 0) return Number(minutes);
  throw new UsageError(`--minutes must be a number above 0, not '${minutes}'.`);
}

async function untilNothingRuns(server: RemoteServer, progress: Progress): Promise<void> {
  try {
    for (;;) {
      const response = await askServer(server, `${MODE}/wait?timeout=${POLL_SECONDS}`);
      const answer = await answerOf(response, server);
      if (response.ok) return;
      if (response.status !== STILL_BUSY || answer.drained !== false) throw refusalOf(response, answer, server);
      progress.show(`Still running: ${runningText(answer.running_systems as RunningSystems)}`);
    }
  } finally {
    progress.end();
  }
}

/** The running work in the API, with only the fields that are shown here. */
interface RunningSystems {
  readonly material_update_in_progress: readonly unknown[];
  readonly building_jobs: readonly unknown[];
  readonly other_work: readonly { readonly name: string }[];
}

function runningText({ material_update_in_progress: materials, building_jobs: jobs, other_work: others }: RunningSystems): string {
  return [
    ...(materials.length > 0 ? [`material updates (${materials.length})`] : []),
    ...(jobs.length > 0 ? [`jobs (${jobs.length})`] : []),
    ...others.map(({ name }) => name),
  ].join(', ');
}
