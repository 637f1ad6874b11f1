// The members of a pipeline.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import { describedBy, type FieldDescription } from '../../shape/described.ts';
import { type EntityOf, type Field, plainField, required } from '../../shape/field.ts';
import { checkedText, identifier, listOf, NAME_RULE } from '../../shape/fields.ts';
import type { JsonSchema } from '../../shape/json/json.ts';
import { readFlag, readList, readObject, readText } from '../../shape/json/reading.ts';
import { described, FLAG, objectSchema, TEXT } from '../../shape/json/schemas.ts';
import { environmentVariables } from '../parts/environment-variables.ts';
import { origin } from '../parts/origin.ts';
import { withParameters } from '../parts/with-parameters.ts';
import { materials } from './materials.ts';
import type { Timer, TrackingTool } from './rules/pipeline.ts';
import { type Stage, stages as stageList } from './stages.ts';

/** The stages of the pipeline; null when it takes those of a template. */
const stages: Field<readonly Stage[] | null> = {
  ...stageList,
  read: (cursor, name) => (readList(cursor, name) === undefined ? null : stageList.read(cursor, name)),
  write: (value, name, out, writing, holder) => {
    if (value === null) out[name] = null;
    else stageList.write(value, name, out, writing, holder);
  },
  describe: (name) => {
    const { request, response, ...more } = stageList.describe(name);
    return { request: orNull(request), response: orNull(response), ...more };
  },
};

/** Schemas of lists that may be null. */
function orNull(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { ...schema, type: ['array', 'null'] }]));
}

const trackingToolSchema = {
  type: ['object', 'null'],
  description: 'The issue tracker to which numbers in commit messages link.',
  properties: {
    type: { const: 'generic', description: 'The only type there is.' },
    attributes: described(
      objectSchema({
        url_pattern: { ...TEXT, description: 'The address; `${ID}` stands for the number.' },
        regex: { ...TEXT, description: 'The pattern that finds the number in a message.' },
      }),
      'Where, and how.',
    ),
  },
};
const timerSchema = {
  type: ['object', 'null'],
  description: 'When it is triggered by a timer.',
  properties: {
    spec: { ...TEXT, ...describedBy({ label: 'When', format: 'cron', description: 'Quartz cron expression.' }) },
    only_on_changes: { ...FLAG, default: false, description: 'Whether it also needs new changes.' },
  },
};
const both = (name: string, schema: JsonSchema) => ({ request: { [name]: schema }, response: { [name]: schema } });

const trackingTool: Field<TrackingTool | null> = {
  read: (cursor, name) => {
    const holder = readObject(cursor, name);
    if (!holder) return null;
    const attributes = readObject({ ...cursor, holder }, 'attributes') ?? {};
    const inner = { ...cursor, holder: attributes, path: [...cursor.path, name, 'attributes'] };
    return { urlPattern: readText(inner, 'url_pattern') ?? '', regex: readText(inner, 'regex') ?? '' };
  },
  write: (tool, name, out) => {
    out[name] = tool && { type: 'generic', attributes: { url_pattern: tool.urlPattern, regex: tool.regex } };
  },
  describe: (name) => both(name, trackingToolSchema),
};

const timer: Field<Timer | null> = {
  read: (cursor, name) => {
    const holder = readObject(cursor, name);
    if (!holder) return null;
    const inner = { ...cursor, holder, path: [...cursor.path, name] };
    return { spec: readText(inner, 'spec') ?? '', onlyOnChanges: readFlag(inner, 'only_on_changes') ?? false };
  },
  write: (value, name, out) => {
    out[name] = value && { spec: value.spec, only_on_changes: value.onlyOnChanges };
  },
  describe: (name) => both(name, timerSchema),
};

const LOCK_CHOICES = {
  none: 'Any number',
  lockOnFailure: 'One; a failed one locks the pipeline',
  unlockWhenFinished: 'One; the next waits until it has ended',
};

export const fields = {
  labelTemplate: textOr('${COUNT}', 'How runs are labelled.'),
  lockBehavior: textOr('none', 'Whether several runs may be under way at once.', { label: 'Runs at the same time', choices: LOCK_CHOICES }),
  name: identifier((name) => `Invalid pipeline name '${name}'. ${NAME_RULE}`),
  template: plainField<string | null>(
    { type: ['string', 'null'], ...describedBy({ refersTo: 'templates', description: 'The template whose stages it uses.' }) },
    (cursor, name) => readText(cursor, name) || null,
    (value) => value,
  ),
  group: checkedText({ refersTo: 'pipeline_groups', description: 'The pipeline group it is in.' }),
  origin,
  parameters: listOf(
    { name: checkedText({ description: 'Name.' }), value: textOr('', 'Value.') },
    { description: 'Values for `#{name}` in its texts and its template.' },
  ),
  environmentVariables: environmentVariables(),
  materials: required(withParameters(materials)),
  stages: withParameters(stages),
  trackingTool,
  timer,
};

export type Pipeline = EntityOf<typeof fields>;

function textOr(absent: string, description: string, more: Omit<FieldDescription, 'description'> = {}): Field<string> {
  return plainField<string>(
    { type: 'string', default: absent, ...describedBy({ ...more, description }) },
    (cursor, name) => readText(cursor, name) ?? absent,
    (value) => value,
  );
}
