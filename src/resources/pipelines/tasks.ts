// Tasks: the steps of a job, one after the other.

import { describedBy } from '../../shape/described.ts';
import type { Field } from '../../shape/field.ts';
import { checkedText, flag, group, optionalText } from '../../shape/fields.ts';
import type { JsonSchema } from '../../shape/json/json.ts';
import { readFlag, readObject, readText, readTexts, readWhole, report } from '../../shape/json/reading.ts';
import { namedItems } from '../../shape/named-items.ts';
import { type Property, properties, type SettingsOf } from '../../shape/properties.ts';
import type { MemberText } from '../../shape/secrets/destination.ts';
import { variantCodec, variantList } from '../../shape/variant.ts';

const text = (description: string) => optionalText({ description });

/** The results of the job so far after which the task runs; none means passed. */
const runIf: Field<readonly string[]> = {
  read: (cursor, name) => {
    const given = cursor.holder[name];
    const states = typeof given === 'string' ? [given] : (readTexts(cursor, name) ?? []);
    return [...new Set(states.map((state) => state.toLowerCase()))];
  },
  write: (states, name, out) => {
    out[name] = states;
  },
  describe: (name) => {
    const description = 'The results of the job so far after which it runs; without any: passed.';
    const schema = { type: 'array', items: { enum: ['passed', 'failed', 'any'] }, description };
    return { request: { [name]: schema }, response: { [name]: schema } };
  },
};

/** Either a list of arguments or one line of them; the one that was sent comes back. */
const args: Field<readonly string[] | string | null> = {
  read: (cursor) => {
    const list = readTexts(cursor, 'arguments');
    const line = readText(cursor, 'args');
    if (list && list.length > 0 && line) {
      cursor.reading.problems.push({
        at: [...cursor.path, 'args'],
        message: "Can not use both 'args' attribute and 'arg' sub element in 'exec' element!",
      });
    }
    return list && list.length > 0 ? list : (line ?? list ?? null);
  },
  write: (value, _, out) => {
    if (typeof value === 'string') out.args = value;
    else if (value !== null) out.arguments = value;
  },
  describe: () => {
    const members = {
      arguments: { type: 'array', items: { type: 'string' }, description: 'Its arguments, one by one.' },
      args: { type: 'string', description: 'Instead of `arguments`: all arguments in one line.' },
    };
    return { request: members, response: members };
  },
};

/** Blanks at its ends mean nothing, and documents cannot hold them. */
const command: Field<string> = {
  ...checkedText({ description: 'The program.' }),
  read: (cursor, name) => (readText(cursor, name) ?? '').trim(),
};

/** The timeout of a task. Only documents of GoCD have one; an absent one is not shown. */
const timeout: Field<number | undefined> = {
  read: (cursor, name) => {
    const given = cursor.holder[name] === null ? undefined : readWhole(cursor, name);
    if (given !== undefined && given < 1) report(cursor, name, 'Timeout must be a positive number.');
    return given;
  },
  write: (value, name, out) => {
    if (value !== undefined) out[name] = value;
  },
  describe: (name) => {
    const schema = {
      type: 'integer',
      minimum: 1,
      'x-format': 'minutes',
      description: 'After how many minutes it is stopped and fails; shown only if there is one.',
    };
    return { request: { [name]: schema }, response: { [name]: schema } };
  },
};

const settings = (sentTo: (member: MemberText) => string, plugin?: SettingsOf): Field<readonly Property[]> =>
  properties({ owner: 'Task', plugin, sentTo, valueErrorKey: 'value' });
const buildTool = { buildFile: text('Build file.'), target: text('Targets.'), workingDirectory: text('Directory to run in.') };

const OWN_FIELDS = {
  exec: { command, args, workingDirectory: text('Directory to run in.'), timeout },
  ant: buildTool,
  rake: buildTool,
  nant: { ...buildTool, nantPath: text('Where nant is.') },
  fetch: {
    artifactOrigin: artifactOrigin(),
    pipeline: text('The pipeline to fetch from; an ancestor as a path such as `a/b`. None: this one.'),
    stage: checkedText({ description: 'The stage to fetch from.' }),
    job: checkedText({ description: 'The job to fetch from.' }),
    isSourceAFile: flag(false, { description: 'Whether the source is a file.' }),
    source: text('What to fetch.'),
    destination: text('Where to put it.'),
    artifactId: text('The external artifact to fetch.'),
    configuration: settings((member) => member('artifactId'), { kind: 'artifact', block: 'fetch_artifact' }),
  },
  script: {
    script: checkedText({ format: 'multiline', description: 'Lines for the shell on the agent.' }),
    shell: text('The shell.'),
    workingDirectory: text('Directory to run in.'),
  },
  pluggable_task: {
    pluginConfiguration: group(
      { id: checkedText({ description: 'The plugin.' }), version: checkedText({ description: 'Its version.' }) },
      { description: 'The plugin that runs the task.' },
    ),
    configuration: settings((member) => member('pluginConfiguration')),
  },
} as const;

const labels = { exec: 'Program', nant: 'NAnt', fetch: 'Fetch an artifact', pluggable_task: 'Task of a plugin' };
const unsupported = (type: string) => `Invalid task type '${type}'. It has to be one of '${Object.keys(OWN_FIELDS).join(', ')}'.`;

/** A task to run when the job is cancelled has none of its own. */
const cancelCodec = variantCodec(OWN_FIELDS, { unsupported, labels });
export type CancelTask = ReturnType<typeof cancelCodec.read>;

/** The process goes on; without this, and without a task, it is stopped. */
const NOTHING = 'nothing';

const onCancel: Field<CancelTask | typeof NOTHING | null> = {
  read: (cursor, name) => {
    const holder = readObject(cursor, name);
    if (!holder) return readFlag(cursor, `${NOTHING}_${name}`) ? NOTHING : null;
    const inner = readObject({ ...cursor, holder }, 'attributes');
    if (inner && (inner[name] ?? null) !== null) {
      cursor.reading.problems.push({ at: [...cursor.path, name], message: "Cannot nest 'oncancel' within a cancel task" });
    }
    return cancelCodec.read(holder, [...cursor.path, name], cursor.reading);
  },
  write: (task, name, out, writing) => {
    out[name] = task === NOTHING ? null : task && cancelCodec.write(task, writing);
    if (task === NOTHING) out[`${NOTHING}_${name}`] = true;
  },
  describe: (name) => {
    const [request, response] = [cancelCodec.schema('request'), cancelCodec.schema('response')];
    const orNone = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }], description: 'A task to run when the job is cancelled.' });
    const nothing = {
      type: 'boolean',
      default: false,
      description: 'Without such a task: whether the process keeps running instead of being stopped.',
    };
    return {
      request: { [name]: orNone({ title: 'Cancel task request', ...request }), [`${NOTHING}_${name}`]: nothing },
      response: { [name]: orNone({ title: 'Cancel task', ...response }), [`${NOTHING}_${name}`]: nothing },
    };
  },
};

const common = { runIf, onCancel };

const taskCodec = variantCodec(
  {
    exec: { ...common, ...OWN_FIELDS.exec },
    ant: { ...common, ...OWN_FIELDS.ant },
    rake: { ...common, ...OWN_FIELDS.rake },
    nant: { ...common, ...OWN_FIELDS.nant },
    fetch: { ...common, ...OWN_FIELDS.fetch },
    script: { ...common, ...OWN_FIELDS.script },
    pluggable_task: { ...common, ...OWN_FIELDS.pluggable_task },
  },
  { unsupported, labels },
);

export type Task = ReturnType<typeof taskCodec.read>;
export type TaskOf<T extends Task['type']> = Extract<Task, { type: T }>;

export const tasks = namedItems(variantList(taskCodec, { description: 'The tasks of the job, in the order in which they run.' }), 'Task');

/** `gocd` is the word of GoCD for the server's own artifacts. */
function artifactOrigin(): Field<string> {
  const description = '`gocd`: an artifact of this server; `external`: one in an artifact store.';
  const choices = { gocd: 'This server', external: 'An artifact store' };
  const schema = { enum: Object.keys(choices), default: 'gocd', ...describedBy({ label: 'From', choices, description }) };
  return {
    read: (cursor, name) => readText(cursor, name)?.toLowerCase() || 'gocd',
    write: (value, name, out) => {
      out[name] = value;
    },
    describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema } }),
  };
}
