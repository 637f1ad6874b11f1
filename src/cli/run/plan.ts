// The commands that plan the changes to reach the state in files, and apply them.
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { STANDARD_INPUT } from '../files/given-file.ts';
import type { ParsedArguments } from '../terminal/command.ts';
import { type Context, painter } from '../terminal/context.ts';
import { CommandFailed, UsageError } from '../terminal/failures.ts';
import { type ServerValues, serverOf } from '../terminal/target.ts';
import { desiredIn } from './desired-files.ts';
import { applyRemotely, PlanRefused, planRemotely } from './plan-remote.ts';
import { errorsText, planText } from './plan-text.ts';

const NOTHING_TO_DO = 0;
const CHANGES = 2;

interface PlanValues extends ServerValues {
  readonly file: readonly string[];
  readonly prune: boolean;
  readonly reason: string | undefined;
}

export function runPlan(given: ParsedArguments<PlanValues>, context: Context): Promise<number> {
  return planOrApply(given, context, false);
}

export function runApply(given: ParsedArguments<PlanValues>, context: Context): Promise<number> {
  return planOrApply(given, context, true);
}

async function planOrApply({ values, positionals }: ParsedArguments<PlanValues>, context: Context, isApplied: boolean): Promise<number> {
  const files = [...positionals, ...values.file];
  if (files.length === 0) throw new UsageError('FILE is missing: say what is wanted, or give - for standard input.');
  const { prune, reason = `apply of ${files.map((file) => basename(file)).join(', ')}` } = values;
  const server = serverOf(values, context);
  try {
    const plan = await planRemotely(
      server,
      desiredIn(files, context.directory, prune, files.includes(STANDARD_INPUT) ? await buffer(context.input) : undefined),
    );
    context.out.write(planText(plan, painter(context, context.out)));
    if (plan.id === null) return NOTHING_TO_DO;
    if (isApplied) context.out.write(`Done, as revision ${await applyRemotely(server, plan.id, reason)}.\n`);
    return CHANGES;
  } catch (failure) {
    if (!(failure instanceof PlanRefused)) throw failure;
    throw new CommandFailed(errorsText(failure.message, failure.errors, painter(context, context.err)).trimEnd(), { cause: failure });
  }
}
