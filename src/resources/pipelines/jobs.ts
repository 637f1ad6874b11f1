// Jobs: tasks that run on one agent, with the artifacts they leave.
import { decimalIn } from '../../kit/text/exact-numbers.ts';
import type { EntityOf, Field } from '../../shape/field.ts';
import { checkedText, listOf, optionalText, texts } from '../../shape/fields.ts';
import { namedItems } from '../../shape/named-items.ts';
import { properties } from '../../shape/properties.ts';
import { variantCodec, variantList } from '../../shape/variant.ts';
import { environmentVariables } from '../parts/environment-variables.ts';
import { tasks } from './tasks.ts';

/** A number, a word that stands for a special one, or null for none. */
function numberOr(keyword: string, description: string): Field<number | string | null> {
  const schema = { type: ['number', 'string', 'null'], description };
  return {
    read: (cursor, name) => {
      const value = cursor.holder[name] ?? null;
      return numberOrKeyword(value === null || typeof value === 'number' ? value : String(value), keyword);
    },
    write: (value, name, out) => {
      out[name] = value;
    },
    describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema } }),
  };
}

/** A text that is neither the word nor a number stays as it is: with parameters it may still become one. */
export function numberOrKeyword(value: number | string | null, keyword: string): number | string | null {
  if (value === null || (typeof value === 'string' && value.toLowerCase() === keyword)) return value && keyword;
  const number = typeof value === 'number' ? value : decimalIn(value);
  // A larger number would lose digits: as a text it is refused.
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : String(value);
}

const minutes = numberOr(
  'never',
  'After how many minutes without console output it is cancelled; null: the default of the server; `never` or 0: it is never cancelled.',
);
/** One form for one meaning: 0 is `never`, also in jobs that were stored with 0. */
const timeout: Field<number | string | null> = {
  ...minutes,
  read: (cursor, name) => zeroAsNever(minutes.read(cursor, name)),
  write: (value, name, out, context, holder) => minutes.write(zeroAsNever(value), name, out, context, holder),
};

function zeroAsNever(value: number | string | null): number | string | null {
  return value === 0 ? 'never' : value;
}

/** Names of the resources of an agent; blanks around them do not count. */
const resourceNames = texts({ description: 'The resources that an agent needs to run it.' });
const resources: Field<readonly string[]> = {
  ...resourceNames,
  read: (cursor, name) => resourceNames.read(cursor, name).map((resource) => resource.trim()),
};

const artifactFields = {
  source: checkedText({ description: 'What to keep.' }),
  destination: optionalText({ description: 'The folder in which to store it.' }),
};

const artifactCodec = variantCodec(
  {
    build: artifactFields,
    test: artifactFields,
    external: {
      artifactId: checkedText({ label: 'Name', description: 'The name of the artifact.' }),
      storeId: checkedText({ label: 'Artifact store', description: 'The artifact store.' }),
      configuration: properties({
        owner: 'Artifact',
        plugin: { kind: 'artifact', block: 'artifact_config', namedIn: ['store_id'], through: 'artifact_stores' },
        sentTo: (member) => member('storeId'),
        valueErrorKey: 'value',
      }),
    },
  },
  {
    isFlat: true,
    labels: { build: 'File', test: 'Test report', external: 'In an artifact store' },
    unsupported: (type) => `Invalid Artifact type: '${type}'. It has to be one of 'build, test, external'.`,
  },
);

export type Artifact = ReturnType<typeof artifactCodec.read>;

const jobFields = {
  name: checkedText({ description: 'Unique in the stage, case-insensitive.' }),
  runInstanceCount: numberOr('all', 'How many agents run it at once; `all`: every agent that fits.'),
  timeout,
  elasticProfileId: optionalText({
    label: 'Elastic agent profile',
    refersTo: 'profiles',
    description: 'The elastic agent profile to run it on.',
  }),
  environmentVariables: environmentVariables(),
  resources,
  tasks,
  tabs: listOf(
    { name: checkedText({ description: 'Title.' }), path: checkedText({ description: 'Artifact to show.' }) },
    { description: 'Artifacts shown as tabs.' },
  ),
  artifacts: variantList(artifactCodec, { description: 'The results to keep.' }),
};

export type Job = EntityOf<typeof jobFields>;

export const jobs: Field<readonly Job[]> = namedItems(listOf(jobFields, { description: 'At least one.' }), 'Job');
