// Environment variables, parameters, and settings of plugins: names with values, of which some are cipher text.

import { isName, NAME_RULE } from '../../shape/fields.ts';
import type { Json } from '../../shape/json/json.ts';
import type { Part } from './part.ts';

export function copyVariables(owner: Part): void {
  const seen = new Set<string>();
  owner.copyParts('environment_variables', (part) => {
    const name = part.text('name') ?? '';
    const location = owner.location.within(() => `Environment variable (${name})`);
    part.need('name');
    if (seen.size === seen.add(name).size)
      owner.location.problem(part.offsetOf('name'), `Environment variable ${name} defined more than once`);
    const encrypted = part.text('encrypted_value');
    if (encrypted !== undefined && part.has('value')) location.problem(part.offsetOf('encrypted_value'), BOTH_VALUES, ONE_VALUE);
    const variable = part.begin();
    part.copyText('name');
    // Nothing encrypted stands for a secret that is empty.
    if (encrypted) part.copyText('encrypted_value');
    else variable.value = owner.location.body.value(part.offsetOf('value'), part.text('value') ?? '');
    variable.secure = owner.location.body.value(part.at, encrypted !== undefined);
    part.done();
    return variable;
  });
}

const BOTH_VALUES = "Environment variable must have 'value' or 'encrypted_value' set. Please only one";
const ONE_VALUE = 'Keep one of them: encrypted_value is the cipher text that this server made of a secret.';

export function copyParameters(pipeline: Part): void {
  const seen = new Set<string>();
  pipeline.copyParts('parameters', (part) => {
    const name = part.text('name') ?? '';
    const location = pipeline.location.within(() => `Parameter (${name})`);
    part.need('name');
    if (part.has('name') && !isName(name)) location.problem(part.offsetOf('name'), `Invalid parameter name '${name}'. ${NAME_RULE}`);
    if (seen.size === seen.add(name).size) pipeline.location.problem(part.offsetOf('name'), `Param name '${name}' is not unique.`);
    const parameter = part.begin();
    part.copyTexts('name', 'value');
    part.done();
    return parameter;
  });
}

/** The settings of a plugin, under `configuration`. */
export function copyProperties(owner: Part, repeated = repeatedProperty): void {
  const seen = new Set<string>();
  owner.copyParts('configuration', (part): Json => {
    const key = part.text('key') ?? '';
    const location = owner.location.within(() => `Configuration property (${key})`);
    part.need('key');
    if (seen.size === seen.add(key).size) owner.location.problem(part.offsetOf('key'), repeated(key));
    if (part.has('value') && part.has('encrypted_value')) location.problem(part.offsetOf('encrypted_value'), BOTH_FORMS, ONE_VALUE);
    const property = part.begin();
    part.copyTexts('key', 'value', 'encrypted_value');
    part.done();
    return property;
  });
}

const BOTH_FORMS = "Configuration property must have 'value' or 'encrypted_value' set. Please only one";

export function repeatedProperty(key: string): string {
  return `Configuration property ${key} is defined more than once`;
}
