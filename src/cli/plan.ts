// The commands that plan what files want, and apply it.
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { desiredIn, UnreadableFile } from './desired-files.ts';
import type { Paint } from './import-text.ts';
import { errorsText, planText } from './plan-text.ts';
import { applyThere, PlanRefused, planThere } from './plan-there.ts';
import { type Environment, REMOTE_USAGE, type RemoteServer, TARGET_OPTIONS, targetOf } from './target.ts';

const NOTHING_TO_DO = 0;
const FAILED = 1;
const CHANGES = 2;

export const PLAN_USAGE = `Usage: npm run slipway -- plan FILE… [options]
       npm run slipway -- apply FILE… [options]

Shows what a server that runs would have to change to become as the files want it; \`apply\` does it, as one revision, all or nothing.
The files are YAML or JSON: a map of resources, as the API shows them (environments: [{ name: … }, …]), and delete_absent with the names
of those of which nothing else may stay. Or one configuration file in XML.

  --delete-absent     delete what is not in the files, in all lists that they have
  --reason TEXT       why, for the change log
${REMOTE_USAGE}  --help              this text

Ends with 0 when there is nothing to do, 2 when there are changes (or they were applied), 1 when something is wrong.
`;

export interface Streams {
  readonly out: (text: string) => unknown;
  readonly err: (text: string) => unknown;
  readonly paint: Paint;
}

interface Command {
  readonly files: readonly string[];
  readonly isWhole: boolean;
  readonly reason: string;
  readonly server: RemoteServer;
}

/** Returns the status to end with. */
export async function runPlan(
  verb: 'plan' | 'apply',
  args: readonly string[],
  environment: Environment,
  { out, err, paint }: Streams,
): Promise<number> {
  const command = readCommand(args, environment);
  if ('help' in command) {
    out(command.help);
    return NOTHING_TO_DO;
  }
  if ('problem' in command) {
    err(`${command.problem}\n\n${PLAN_USAGE}`);
    return FAILED;
  }
  try {
    const { id, changes } = await planThere(command.server, desiredIn(command.files, command.isWhole));
    out(planText(changes, paint));
    if (id === null) return NOTHING_TO_DO;
    if (verb === 'apply') out(`Done, as revision ${await applyThere(command.server, id, command.reason)}.\n`);
    return CHANGES;
  } catch (failure) {
    if (failure instanceof UnreadableFile) err(`${failure.message}\n`);
    else if (failure instanceof PlanRefused) err(errorsText(failure.message, failure.errors, paint));
    else throw failure;
    return FAILED;
  }
}

function readCommand(
  args: readonly string[],
  environment: Environment,
): Command | { readonly help: string } | { readonly problem: string } {
  try {
    const { values, positionals: files } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...TARGET_OPTIONS,
        'delete-absent': { type: 'boolean', default: false },
        reason: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: PLAN_USAGE };
    if (files.length === 0) return { problem: 'Say which files.' };
    const server = targetOf(values, environment);
    if ('problem' in server) return server;
    if (!('url' in server)) return { problem: 'Say which server, with --url: only one that runs can plan.' };
    const reason = values.reason ?? `apply of ${files.map((file) => basename(file)).join(', ')}`;
    return { files, isWhole: values['delete-absent'], reason, server };
  } catch (failure) {
    if (!String((failure as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw failure;
    return { problem: (failure as Error).message };
  }
}
