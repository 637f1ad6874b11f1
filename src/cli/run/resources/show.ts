// The commands that list the things of a resource, and show one of them.
import type { JsonObject } from '../../../shape/json/json.ts';
import { writeListing } from '../../output/listing.ts';
import { jsonText, outputIn, withoutLinks, yamlText } from '../../output/output.ts';
import { tableText } from '../../output/table.ts';
import type { ParsedArguments } from '../../terminal/command.ts';
import type { Context } from '../../terminal/context.ts';
import { UsageError } from '../../terminal/failures.ts';
import type { OutputFormat } from '../../terminal/outputs.ts';
import { type RemoteServer, type ServerValues, serverOf } from '../../terminal/target.ts';
import { addressOf, factText, listTable } from './columns.ts';
import { describeForm, type Form, formNamed, readForms, type Subject } from './forms.ts';
import { type ListedItem, listEntities, readEntity } from './requests.ts';

export interface ShowValues extends ServerValues {
  readonly output: string | undefined;
  readonly at: string | undefined;
}

export async function runList({ values, positionals: [word] }: ParsedArguments<ShowValues>, context: Context): Promise<number> {
  const server = serverOf(values, context);
  if (word === undefined) return listForms(server, values, context);
  const form = await formNamed(server, word);
  return form.is_singleton ? listOnly(server, form, values, context) : listAll(server, form, values, context);
}

export async function runGet({ values, positionals: [word = '', id] }: ParsedArguments<ShowValues>, context: Context): Promise<number> {
  const server = serverOf(values, context);
  const form = await formNamed(server, word);
  if (form.is_singleton && id !== undefined) throw new UsageError(`There is only one ${form.singular}: leave '${id}' out.`);
  if (!form.is_singleton && id === undefined) return listAll(server, form, values, context);
  return showOne(server, { form, id }, values, context);
}

/** All resources. */
async function listForms(server: RemoteServer, values: ShowValues, context: Context): Promise<number> {
  const forms = await readForms(server);
  const listing = {
    key: 'resources',
    members: forms.map(({ resource, title, about, is_singleton }) => ({ resource, title, about, is_singleton })),
    names: forms.map(({ resource }) => resource),
    table: () => ({
      head: ['resource', 'there are', 'about'],
      rows: forms.map(({ resource, is_singleton: isSingle, about }) => [resource, isSingle ? 'one' : 'many', about]),
    }),
    none: 'There are no resources.',
  };
  return writeListing(listing, values, context);
}

/** What there is only one of. Asked for as YAML it is in the form that plan and apply read, other than what `get` shows. */
async function listOnly(server: RemoteServer, form: Form, values: ShowValues, context: Context): Promise<number> {
  if (values.output !== 'yaml') return showOne(server, { form, id: undefined }, values, context);
  const { value } = await readEntity(server, { form, id: undefined }, values.at);
  context.out.write(yamlText({ [form.resource]: withoutLinks(value) }));
  return 0;
}

/** As YAML it is in the form that plan and apply read. */
async function listAll(server: RemoteServer, form: Form, values: ShowValues, context: Context): Promise<number> {
  const listed = await listEntities(server, form, values.at);
  const shown = outputIn(values, 'table') === 'yaml' ? await wholeEntities(server, form, listed, values.at) : listed;
  const listing = {
    key: form.resource,
    members: shown.map(({ value }) => withoutLinks(value)),
    names: listed.map(({ value }) => addressOf(form, value)),
    table: async () => listTable(await describeForm(server, form), listed),
    none: `There are no ${form.title.toLowerCase()}.`,
  };
  return writeListing(listing, values, context);
}

/** Some lists have less of each entity than it has, such as that of pipelines: then each one is read by itself. */
async function wholeEntities(
  server: RemoteServer,
  form: Form,
  listed: readonly ListedItem[],
  at: string | undefined,
): Promise<readonly Pick<ListedItem, 'value'>[]> {
  const read = ({ value }: ListedItem) => readEntity(server, { form, id: addressOf(form, value) }, at);
  const [first] = listed;
  if (!first) return listed;
  const { value: whole } = await read(first);
  if (Object.keys(whole).every((name) => Object.hasOwn(first.value, name))) return listed;
  const entities = [];
  for (const one of listed) entities.push(await read(one));
  return entities;
}

async function showOne(server: RemoteServer, subject: Subject, values: ShowValues, context: Context): Promise<number> {
  const { value } = await readEntity(server, subject, values.at);
  writeOne(subject.form, value, outputIn(values, 'yaml'), context);
  return 0;
}

/** One thing, in any format. */
export function writeOne(form: Form, value: JsonObject, output: OutputFormat, { out }: Pick<Context, 'out'>): void {
  const body = withoutLinks(value);
  if (output === 'json') out.write(jsonText(body));
  else if (output === 'yaml') out.write(yamlText(body));
  else if (output === 'name') out.write(`${form.is_singleton ? form.resource : addressOf(form, value)}\n`);
  else out.write(tableText({ head: ['field', 'value'], rows: Object.entries(body).map(([name, member]) => [name, factText(member)]) }));
}
