// Artifacts config: where the server keeps artifacts, and when it makes room.
import { posix } from 'node:path';
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../kit/text/control-characters.ts';
import { type Field, required } from '../../shape/field.ts';
import { checkedText } from '../../shape/fields.ts';
import { readDecimal, readObject } from '../../shape/json/reading.ts';
import { joined, singletonMessages } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';

/** Gigabytes of free space: purging starts below the first and ends above the second. */
interface PurgeSettings {
  readonly start: number | null;
  readonly upto: number | null;
}

const START = 'purge_start_disk_space';
const UPTO = 'purge_upto_disk_space';
const schema = {
  type: 'object',
  'x-label': 'Cleanup',
  description: 'When old artifacts are deleted; absent: never.',
  properties: {
    [START]: {
      type: 'number',
      'x-label': 'Start below (GB free)',
      description: 'Artifacts are deleted when less than this is free, in GB.',
    },
    [UPTO]: {
      type: 'number',
      'x-label': 'Stop above (GB free)',
      description: 'Deletion stops when more than this is free, in GB.',
    },
  },
};

const purgeSettings: Field<PurgeSettings> = {
  read: (cursor, name) => {
    const inner = { ...cursor, holder: readObject(cursor, name) ?? {}, path: [...cursor.path, name] };
    return { start: readDecimal(inner, START) ?? null, upto: readDecimal(inner, UPTO) ?? null };
  },
  write: ({ start, upto }, name, out, { base }) => {
    // Answers to failed requests show half of it, too, so that the error has its place.
    const isShown = (start !== null && upto !== null) || (base === undefined && (start !== null || upto !== null));
    if (isShown) out[name] = { ...(start !== null && { [START]: start }), ...(upto !== null && { [UPTO]: upto }) };
  },
  describe: (name) => ({ request: { [name]: schema }, response: { [name]: schema } }),
};

export const artifactsConfig = singleton({
  title: 'Artifacts config',
  label: 'Artifacts',
  about: 'Where the server keeps artifacts, and below which free disk space it deletes old ones.',
  path: '/api/admin/config/server/artifact_config',
  version: 1,
  permission: 'admin',
  doc: 'artifact_config',
  links: ['doc', 'self'],
  verbs: ['PUT'],
  needsIfMatch: true,
  fields: {
    artifactsDir: required(checkedText({ label: 'Folder', format: 'path', description: 'Absolute, or relative to the data directory.' })),
    purgeSettings,
  },
  unset: { artifactsDir: 'artifacts', purgeSettings: { start: null, upto: null } },
  rules: [({ artifactsDir }) => directoryProblems(artifactsDir), ({ purgeSettings: { start, upto } }) => purgeProblems(start, upto)],
  messages: {
    ...singletonMessages('Artifact config'),
    invalid: (_, problems) => `Validations failed for artifacts. Error(s): [${joined(problems)}]. Please correct and resubmit.`,
  },
  example: { artifacts_dir: 'artifacts', purge_settings: { [START]: 12.5, [UPTO]: 40 } },
});

function directoryProblems(directory: string): Problem[] {
  if (directory.trim() === '') return problemUnless(false, 'artifacts_dir', 'Please provide a not empty value for artifactsdir');
  if (hasControlCharacter(directory)) return problemUnless(false, 'artifacts_dir', NO_CONTROL_CHARACTERS);
  const isRoot = ['.', './'].includes(posix.normalize(directory.trim()));
  return problemUnless(!isRoot, 'artifacts_dir', `artifactsdir should not point to the root of sand box [${directory}]`);
}

function purgeProblems(start: number | null, upto: number | null): Problem[] {
  const at = (key: string) => ['purge_settings', key];
  const error = (text: string) => `Error in artifact cleanup values. ${text}`;
  if (start === null && upto === null) return [];
  const negative = [
    ...problemUnless((start ?? 0) >= 0, at(START), error('The trigger value must not be negative')),
    ...problemUnless((upto ?? 0) >= 0, at(UPTO), error('The goal must not be negative')),
  ];
  if (negative.length > 0) return negative;
  if (upto === null) return problemUnless(false, at(UPTO), error('Please specify goal value'));
  if (!start) return problemUnless(false, at(START), error('The trigger value has to be specified when a goal is set'));
  return problemUnless(
    start <= upto,
    at(START),
    error(`The trigger value (${printed(start)}GB) should be less than the goal (${printed(upto)}GB)`),
  );
}

function printed(gigabytesOfSpace: number): string {
  return Number.isInteger(gigabytesOfSpace) ? gigabytesOfSpace.toFixed(1) : String(gigabytesOfSpace);
}
