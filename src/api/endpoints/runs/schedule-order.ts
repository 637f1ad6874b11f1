// Reads the body of a request that triggers a pipeline: variables, revisions, and whether to poll the materials first.
import type { ConfiguredPipeline, ConfiguredVariable } from '../../../builds/configured.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { type Place, placesIn, type Reading, readFlag, readList, readNeeded, readText } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { isSecret, seal } from '../../../shape/secrets/secret.ts';
import { plainReading } from '../../engine/plain-reading.ts';

export interface ScheduleOrder {
  readonly updatesMaterials: boolean;
  /** Secure ones are closed. */
  readonly variables: readonly ConfiguredVariable[];
  readonly pegged: readonly (readonly [fingerprint: string, revision: string])[];
}

export function rejected(reason: string): string {
  return `Request to schedule pipeline rejected { ${reason} }`;
}

export function notConfigured(variable: string, pipeline: string): string {
  return `Variable '${variable}' has not been configured for pipeline '${pipeline}'`;
}

export function readScheduleOrder(body: JsonObject, pipeline: ConfiguredPipeline, cipher: Cipher): ScheduleOrder {
  const problems: Problem[] = [];
  const place: Place = { holder: body, path: [], reading: plainReading(problems) };
  const updatesMaterials = readFlag(place, 'update_materials_before_scheduling') ?? true;
  const variables = membersOf(place, 'environment_variables', place.reading).map(readVariable);
  const materials = membersOf(place, 'materials', place.reading).map(readMaterial);
  if (problems.length > 0) throw new Refusal('invalid', problems.map(({ message }) => message).join(' '));
  return { updatesMaterials, variables: checkedVariables(variables, pipeline, cipher), pegged: checkedMaterials(materials, pipeline) };
}

interface GivenVariable {
  readonly name: string;
  readonly value: string;
  readonly isSecure: boolean;
}

function membersOf(place: Place, name: string, reading: Reading): Place[] {
  return placesIn(readList(place, name) ?? [], [name], reading);
}

function readVariable(place: Place): GivenVariable {
  return {
    name: readNeeded(place, 'name', readText) ?? '',
    value: readNeeded(place, 'value', readText) ?? '',
    isSecure: readFlag(place, 'secure') ?? false,
  };
}

function readMaterial(place: Place): readonly [fingerprint: string, revision: string] {
  return [readNeeded(place, 'fingerprint', readText) ?? '', readText(place, 'revision')?.trim() ?? ''];
}

/** A variable that is secure in the configuration stays secure when a request gives it another value. */
function checkedVariables(given: readonly GivenVariable[], { name: pipeline, variables }: ConfiguredPipeline, cipher: Cipher) {
  return given.map(({ name, value, isSecure }): ConfiguredVariable => {
    const configured = variables.filter((variable) => variable.name === name);
    if (configured.length === 0) throw new Refusal('invalid', rejected(notConfigured(name, pipeline)));
    const isClosed = isSecure || configured.some((variable) => isSecret(variable.value));
    return { name, value: isClosed ? seal(value, cipher) : value };
  });
}

function checkedMaterials(given: ScheduleOrder['pegged'], { name, materials }: ConfiguredPipeline): ScheduleOrder['pegged'] {
  const unknown = given.filter(([fingerprint]) => !materials.some((material) => material.fingerprint === fingerprint));
  if (unknown.length > 0) {
    const fingerprints = unknown.map(([fingerprint]) => fingerprint).join(', ');
    throw new Refusal('invalid', rejected(`Pipeline '${name}' does not contain the following material(s): [${fingerprints}].`));
  }
  const empty = given.find(([, revision]) => revision === '');
  if (empty) throw new Refusal('invalid', rejected(`Material [${empty[0]}] has empty revision`));
  return given;
}
