// The commands that plan what files want, and apply it.
import { basename } from 'node:path';
import { COMMAND_VARIABLES } from '../settings.ts';
import { ServerRefused } from './ask-server.ts';
import { type Problem, readCommand, runCommand, type Streams } from './command-line.ts';
import { desiredIn, UnreadableFile } from './desired-files.ts';
import type { Paint } from './import-text.ts';
import { errorsText, planText } from './plan-text.ts';
import { applyThere, PlanRefused, planThere } from './plan-there.ts';
import { type Environment, LOGIN_USAGE, type RemoteServer, serverOf, TARGET_OPTIONS } from './target.ts';

const NOTHING_TO_DO = 0;
const FAILED = 1;
const CHANGES = 2;
const OPTIONS = { ...TARGET_OPTIONS, prune: { type: 'boolean', default: false }, reason: { type: 'string' } } as const;

const PLAN_USAGE = `Usage: npm run slipway -- plan FILE… [options]
       npm run slipway -- apply FILE… [options]

\`plan\` shows what would have to change on a server that runs for its configuration to become what the files say. \`apply\` shows the
same and does it, as one revision, all or nothing. What the files do not mention stays as it is.

Files are YAML or JSON: the resources by name, with what is wanted of each as the API shows it. With prune, the lists are all there
shall be of their kinds:

  environments: [{ name: staging }]
  default_job_timeout: { default_job_timeout: "30" }
  prune: true

Several files are read as one. Or it is one configuration file in XML (cruise-config.xml).

  --prune             delete what is not in the files: of every resource whose list they have; of an XML file, all that it does not hold
  --reason TEXT       why, for the change log
  --url URL           the address of the server (${COMMAND_VARIABLES.url})
${LOGIN_USAGE}  --help              this text

Ends with 0 when there is nothing to do, 2 when there are changes (\`apply\`: they were made), 1 when something is wrong.
`;

/** With colours, where readers can see them. */
export interface PaintedStreams extends Streams {
  readonly paint: Paint;
  readonly paintError: Paint;
}

interface PlanCommand {
  readonly files: readonly string[];
  readonly isPruned: boolean;
  readonly reason: string;
  readonly server: RemoteServer;
}

/** Returns the status to end with. */
export function runPlan(
  verb: 'plan' | 'apply',
  args: readonly string[],
  environment: Environment,
  streams: PaintedStreams,
): Promise<number> {
  const command = readCommand(args, OPTIONS, (values, files): PlanCommand | Problem => {
    if (files.length === 0) return { problem: 'Say which files.' };
    const server = serverOf(values, environment);
    if ('problem' in server) return server;
    const reason = values.reason ?? `apply of ${files.map((file) => basename(file)).join(', ')}`;
    return { files, isPruned: values.prune, reason, server };
  });
  return runCommand(command, { usage: PLAN_USAGE, wrongUse: FAILED }, streams, (understood) => planOrApply(verb, understood, streams));
}

async function planOrApply(
  verb: 'plan' | 'apply',
  { server, files, isPruned, reason }: PlanCommand,
  { out, err, paint, paintError }: PaintedStreams,
): Promise<number> {
  try {
    const plan = await planThere(server, desiredIn(files, isPruned));
    out(planText(plan, paint));
    if (plan.id === null) return NOTHING_TO_DO;
    if (verb === 'apply') out(`Done, as revision ${await applyThere(server, plan.id, reason)}.\n`);
    return CHANGES;
  } catch (failure) {
    if (failure instanceof UnreadableFile) err(`${failure.message}\n`);
    else if (failure instanceof PlanRefused) err(errorsText(failure.message, failure.errors, paintError));
    else if (failure instanceof ServerRefused) err(`${failure.message}\n`);
    else throw failure;
    return FAILED;
  }
}
