// Jobs.
import { attributeText } from '../../../kit/xml/write-xml.ts';
import { flag, optional, required } from '../form/attributes.ts';
import { list, wrap } from '../form/children.ts';
import { element } from '../form/element.ts';
import type { Part } from '../form/part.ts';
import { texts } from '../form/texts.ts';
import { DECIMAL_TEXT, isDecimal, JOB_NAME, orParameters, type ValueType } from '../form/values.ts';
import { artifacts } from './artifacts.ts';
import { tasks } from './tasks.ts';
import { variables } from './variables.ts';

/** A number, or a text that becomes one with parameters. Whether it makes sense is asked where the JSON is read. */
const NUMBER: ValueType = orParameters({
  ...DECIMAL_TEXT,
  toJson: (text) => (isDecimal(text) ? Number(text) : text),
  toText: String,
});

const NEVER = '0';
/** The word of the API for zero, however that is written. */
const TIMEOUT: ValueType = {
  ...NUMBER,
  toJson: (text) => {
    const minutes = NUMBER.toJson!(text);
    return minutes === 0 ? 'never' : minutes;
  },
  toText: (value) => (value === 'never' ? NEVER : String(value)),
};

const onAll = flag('runOnAllAgents', 'onAll', false);
const count = optional('runInstanceCount', 'count', { type: NUMBER, absent: null });

const instances: Part = {
  attributes: ['runOnAllAgents', 'runInstanceCount'],
  writeAttributes: ({ run_instance_count: value = null }) => {
    if (value === 'all') return attributeText('runOnAllAgents', 'true');
    return value === null ? '' : attributeText('runInstanceCount', String(value));
  },
  read: (xml, json, reading, path) => {
    const given: { onAll?: boolean; count?: number | string | null } = {};
    onAll.read(xml, given, reading, path);
    count.read(xml, given, reading, path);
    if (given.onAll && given.count !== null)
      reading.problem(xml, "Job cannot be 'run on all agents' type and 'run multiple instance' type together.");
    json.run_instance_count = given.onAll ? 'all' : (given.count ?? null);
  },
};

const tab = element('tab', [required('name', 'name'), required('path', 'path')]);

export const job = element('job', [
  required('name', 'name', JOB_NAME),
  instances,
  optional('timeout', 'timeout', { type: TIMEOUT, absent: null }),
  optional('elasticProfileId', 'elastic_profile_id', { absent: null }),
  variables,
  tasks,
  wrap('tabs', [list('tabs', tab)]),
  wrap('resources', [texts('resources', 'resource', { isTrimmed: true })]),
  artifacts,
]);
