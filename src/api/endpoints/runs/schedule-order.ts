// Reads the body of a request that triggers a pipeline: variables, revisions, and whether to poll the materials first.
import type { ConfiguredVariable, PipelineDefinition } from '../../../builds/configured.ts';
import type { Cipher } from '../../../kit/bytes/cipher.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { JsonObject } from '../../../shape/json/json.ts';
import { cursorsIn, type JsonCursor, type Reading, readFlag, readList, readNeeded, readText } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { isSecret, seal } from '../../../shape/secrets/secret.ts';
import { plainReading } from '../../engine/plain-reading.ts';

export interface ScheduleOrder {
  readonly updatesMaterials: boolean;
  /** Secure ones are closed. */
  readonly variables: readonly ConfiguredVariable[];
  readonly pinned: readonly (readonly [fingerprint: string, revision: string])[];
}

export function rejected(reason: string): string {
  return `Request to schedule pipeline rejected { ${reason} }`;
}

export function notConfigured(variable: string, pipeline: string): string {
  return `Variable '${variable}' has not been configured for pipeline '${pipeline}'`;
}

export function readScheduleOrder(body: JsonObject, pipeline: PipelineDefinition, cipher: Cipher): ScheduleOrder {
  const problems: Problem[] = [];
  const cursor: JsonCursor = { holder: body, path: [], reading: plainReading(problems) };
  const updatesMaterials = readFlag(cursor, 'update_materials_before_scheduling') ?? true;
  const variables = membersOf(cursor, 'environment_variables', cursor.reading).map(readVariable);
  const materials = membersOf(cursor, 'materials', cursor.reading).map(readMaterial);
  if (problems.length > 0) throw new Refusal('invalid', problems.map(({ message }) => message).join(' '));
  return { updatesMaterials, variables: checkedVariables(variables, pipeline, cipher), pinned: checkedMaterials(materials, pipeline) };
}

interface GivenVariable {
  readonly name: string;
  readonly value: string;
  readonly isSecure: boolean;
}

function membersOf(cursor: JsonCursor, name: string, reading: Reading): JsonCursor[] {
  return cursorsIn(readList(cursor, name) ?? [], [name], reading);
}

function readVariable(cursor: JsonCursor): GivenVariable {
  return {
    name: readNeeded(cursor, 'name', readText) ?? '',
    value: readNeeded(cursor, 'value', readText) ?? '',
    isSecure: readFlag(cursor, 'secure') ?? false,
  };
}

function readMaterial(cursor: JsonCursor): readonly [fingerprint: string, revision: string] {
  return [readNeeded(cursor, 'fingerprint', readText) ?? '', readText(cursor, 'revision')?.trim() ?? ''];
}

/** A variable that is secure in the configuration stays secure when a request gives it another value. */
function checkedVariables(given: readonly GivenVariable[], { name: pipeline, variables }: PipelineDefinition, cipher: Cipher) {
  return given.map(({ name, value, isSecure }): ConfiguredVariable => {
    const configured = variables.filter((variable) => variable.name === name);
    if (configured.length === 0) throw new Refusal('invalid', rejected(notConfigured(name, pipeline)));
    const isClosed = isSecure || configured.some((variable) => isSecret(variable.value));
    return { name, value: isClosed ? seal(value, cipher) : value };
  });
}

function checkedMaterials(given: ScheduleOrder['pinned'], { name, materials }: PipelineDefinition): ScheduleOrder['pinned'] {
  const unknown = given.filter(([fingerprint]) => !materials.some((material) => material.fingerprint === fingerprint));
  if (unknown.length > 0) {
    const fingerprints = unknown.map(([fingerprint]) => fingerprint).join(', ');
    throw new Refusal('invalid', rejected(`Pipeline '${name}' does not contain the following material(s): [${fingerprints}].`));
  }
  const empty = given.find(([, revision]) => revision === '');
  if (empty) throw new Refusal('invalid', rejected(`Material [${empty[0]}] has empty revision`));
  return given;
}
