// The commands that create, set and delete things of a resource.
import { readBody } from '../../files/given-file.ts';
import { outputIn } from '../../output/output.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, painter } from '../../terminal/context.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { confirm } from '../../terminal/prompt.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { addressOf } from './columns.ts';
import { creationBody, formNamed, nameOf, subjectNamed } from './forms.ts';
import { previewText } from './preview.ts';
import { type Change, type ChangeResult, findEntity, makeChange, previewChange, readEntity } from './requests.ts';
import { writeOne } from './show.ts';

interface WriteValues extends ServerValues {
  readonly 'dry-run': boolean;
  readonly reason: string | undefined;
}

interface BodyValues extends WriteValues {
  readonly file: string | undefined;
  readonly output: string | undefined;
}

interface SetValues extends BodyValues {
  readonly patch: boolean;
}

interface DeleteValues extends WriteValues {
  readonly yes: boolean;
}

export async function runCreate({ values, positionals: [word = ''] }: ParsedArguments<BodyValues>, context: Context): Promise<number> {
  const server = serverOf(values, context);
  const form = await formNamed(server, word);
  const body = creationBody(form, await readBody(values.file, context));
  const change: Change = { method: 'POST', subject: { form, id: undefined }, body, reason: values.reason };
  if (values['dry-run']) return preview(server, change, context);
  const changed = await makeChange(server, change);
  const id = form.is_singleton ? undefined : addressOf(form, changed.value);
  printResult(`Created ${nameOf({ form, id })}`, change, changed, values, context);
  return 0;
}

export async function runSet({ values, positionals: [word = '', id] }: ParsedArguments<SetValues>, context: Context): Promise<number> {
  const server = serverOf(values, context);
  const subject = await subjectNamed(server, word, id);
  const body = await readBody(values.file, context);
  const present = subject.form.is_singleton ? await findEntity(server, subject) : await readEntity(server, subject);
  if (!present && values.patch) throw new CommandFailed(`The ${nameOf(subject)} is not set: leave --patch out.`, { kind: 'notFound' });
  const change: Change = {
    // A singleton that was never set cannot be replaced: it is created.
    method: present ? (values.patch ? 'PATCH' : 'PUT') : 'POST',
    subject,
    body,
    etag: present?.etag,
    reason: values.reason,
  };
  if (values['dry-run']) return preview(server, change, context);
  printResult(`Set ${nameOf(subject)}`, change, await makeChange(server, change), values, context);
  return 0;
}

export async function runDelete(
  { values, positionals: [word = '', id] }: ParsedArguments<DeleteValues>,
  context: Context,
): Promise<number> {
  const server = serverOf(values, context);
  const subject = await subjectNamed(server, word, id);
  const { etag } = await readEntity(server, subject);
  if (!subject.form.can_delete) throw new CommandFailed(`The ${nameOf(subject)} cannot be deleted, only set.`);
  const change: Change = { method: 'DELETE', subject, etag, reason: values.reason };
  if (values['dry-run']) return preview(server, change, context);
  if (!values.yes) {
    if (!context.input.isTTY) throw new UsageError('There is no terminal to ask for consent: give --yes.');
    context.err.write(previewText(await previewChange(server, change), painter(context, context.err)));
    if (!(await confirm(`Delete ${nameOf(subject)}?`, context))) throw new CommandFailed('Nothing was changed.');
  }
  const { revision } = await makeChange(server, change);
  context.out.write(`Deleted ${nameOf(subject)}, as revision ${revision}.\n`);
  return 0;
}

async function preview(server: RemoteServer, change: Change, context: Context): Promise<number> {
  context.out.write(previewText(await previewChange(server, change), painter(context, context.out)));
  return 0;
}

function printResult(
  outcome: string,
  { subject }: Change,
  { value, revision }: ChangeResult,
  { output }: BodyValues,
  context: Context,
): void {
  if (output !== undefined) writeOne(subject.form, value, outputIn({ output }, 'yaml'), context);
  else context.out.write(revision === undefined ? 'Nothing changed.\n' : `${outcome}, as revision ${revision}.\n`);
}
