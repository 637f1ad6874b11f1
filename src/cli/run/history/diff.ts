// The command that compares one entity at two times, or a file with the entity on the server.
import { fieldChanges } from '../../../history/difference/difference.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { readBody } from '../../files/given-file.ts';
import { jsonText, outputIn, withoutLinks, yamlText } from '../../output/output.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import { type Context, painter } from '../../terminal/context.ts';
import { CommandFailed, UsageError } from '../../terminal/failures.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import type { PlannedChange } from '../plan-text.ts';
import { creationBody, nameOf, type Subject, subjectNamed } from '../resources/forms.ts';
import { type DryRunPlan, previewText } from '../resources/preview.ts';
import { findEntity, previewChange } from '../resources/requests.ts';

const DIFFERENT = 1;

interface DiffValues extends ServerValues {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly file: string | undefined;
  readonly output: string | undefined;
  readonly 'exit-code': boolean;
}

export async function runDiff({ values, positionals: [word = '', id] }: ParsedArguments<DiffValues>, context: Context): Promise<number> {
  const { from, file } = values;
  if ((from === undefined) === (file === undefined))
    throw new UsageError('Give --from with a revision or a time, or --file, and not both.');
  if (file !== undefined && values.to !== undefined) throw new UsageError('--file is compared with what is there now: leave --to out.');
  const server = serverOf(values, context);
  const subject = await subjectNamed(server, word, id);
  const plan = from === undefined ? await ofFile(server, subject, values, context) : await ofTimes(server, subject, values);
  const json = plan as unknown as JsonObject;
  const output = outputIn(values, 'table');
  if (output === 'json') context.out.write(jsonText(json));
  else if (output === 'yaml') context.out.write(yamlText(json));
  else context.out.write(plan.changes.length === 0 ? 'No differences.\n' : previewText(plan, painter(context, context.out)));
  return plan.changes.length > 0 && values['exit-code'] ? DIFFERENT : 0;
}

/** The changes that the file would make, as the server previews them. */
async function ofFile(server: RemoteServer, subject: Subject, values: DiffValues, context: Context): Promise<DryRunPlan> {
  const body = await readBody(values.file, context);
  const present = await findEntity(server, subject);
  if (!present) return previewChange(server, { method: 'POST', subject, body: creationBody(subject.form, body) });
  return previewChange(server, { method: 'PUT', subject, body, etag: present.etag });
}

async function ofTimes(server: RemoteServer, subject: Subject, { from, to }: DiffValues): Promise<DryRunPlan> {
  const before = await findEntity(server, subject, from);
  const after = await findEntity(server, subject, to);
  if (!before && !after) throw new CommandFailed(`There was no ${nameOf(subject)} at either time.`, { kind: 'notFound' });
  const change = changeBetween(before && plainBody(before.value), after && plainBody(after.value));
  return { changes: change ? [{ resource: subject.form.resource, id: subject.id ?? '', ...change }] : [], affected: [] };
}

function plainBody(value: JsonObject): JsonObject {
  return withoutLinks(value);
}

type Between = Pick<PlannedChange, 'operation' | 'differences'>;

function changeBetween(before: JsonObject | undefined, after: JsonObject | undefined): Between | undefined {
  if (!before) return after && { operation: 'create', differences: [{ words: 'created', after }] };
  if (!after) return { operation: 'delete', differences: [{ words: 'deleted' }] };
  const differences = fieldChanges(before, after);
  return differences.length === 0 ? undefined : { operation: 'update', differences };
}
