// Environment variables: handed to every task of their owner; secure ones are kept as cipher text.
import { escapeInvisible, hasInvisibleCharacter } from '../../kit/text/invisible-characters.ts';
import type { Field } from '../../shape/field.ts';
import type { Json, JsonOut } from '../../shape/json/json.ts';
import { cursorsIn, type JsonCursor, missing, type Reading, readFlag, readList, readText, report } from '../../shape/json/reading.ts';
import type { Path, Problem } from '../../shape/problems/problem.ts';
import { isSecret, refusedSecret, type Secret, type SecretLocation, type SecretWriter } from '../../shape/secrets/secret.ts';
import { refusalText } from '../../shape/secrets/secret-refusal.ts';

export interface Variable {
  readonly name: string;
  readonly value: string | Secret;
}

const BOTH_FORMS = 'You may only specify `value` or `encrypted_value`, not both!';
const NOT_SECURE = "You may specify encrypted value only when option 'secure' is true.";
/** The problems that GoCD finds while it reads a body, before any other check. */
export const PARSING_PROBLEMS: ReadonlySet<string> = new Set([BOTH_FORMS, NOT_SECURE]);
const NEITHER_FORM = "Environment variable must contain either 'value' or 'encrypted_value'";

export function environmentVariables(): Field<readonly Variable[]> {
  return {
    read: (cursor, name) => readVariables(readList(cursor, name) ?? [], [...cursor.path, name], cursor.reading),
    write: (variables, name, out, { secrets }) => {
      out[name] = variables.map((variable) => writeVariable(variable, secrets));
    },
    describe: (name) => ({
      request: { [name]: { type: 'array', items: variableSchema, description: 'Handed to every task.' } },
      response: { [name]: { type: 'array', items: variableSchema, description: 'Handed to every task.' } },
    }),
  };
}

export const variableSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', description: 'Name of the variable.' },
    secure: { type: 'boolean', default: false, 'x-label': 'Secret', description: 'Whether it is a secret.' },
    value: {
      type: 'string',
      'x-secret': 'encrypted_value',
      'x-secret-if': 'secure',
      'x-hint': 'A secret is stored encrypted, and never shown again.',
      description: 'The value in plain text; that of a secure variable is returned as `encrypted_value`.',
    },
    encrypted_value: {
      type: 'string',
      description: 'Instead of `value`: as returned earlier for this variable, or made by `POST /api/admin/encrypt`.',
    },
  },
};

export function readVariables(list: readonly Json[], path: Path, reading: Reading): Variable[] {
  return cursorsIn(list, path, reading).map(readVariable);
}

function readVariable(cursor: JsonCursor): Variable {
  const before = cursor.reading.problems.length;
  const name = readText(cursor, 'name');
  const isSecure = readFlag(cursor, 'secure') ?? false;
  const plain = readText(cursor, 'value');
  const cipherText = readText(cursor, 'encrypted_value');
  const isReadable = cursor.reading.problems.length === before;
  if (name === undefined && isReadable) missing(cursor, 'name');
  return { name: name ?? '', value: isReadable ? readValue(cursor, name ?? '', isSecure, plain, cipherText) : standIn(isSecure) };
}

function readValue(cursor: JsonCursor, name: string, isSecure: boolean, plain?: string, cipherText?: string): string | Secret {
  const { reading } = cursor;
  if (plain === undefined && cipherText === undefined) {
    reading.problems.push({ at: [...cursor.path, 'value'], message: NEITHER_FORM, unreadable: true });
  } else if (plain?.trim() && cipherText?.trim()) {
    report(cursor, 'value', BOTH_FORMS);
    report(cursor, 'encrypted_value', BOTH_FORMS);
    if (isSecure) return refusedSecret(cipherText);
    report(cursor, 'encrypted_value', NOT_SECURE);
  } else if (!isSecure) {
    if (cipherText?.trim()) report(cursor, 'encrypted_value', NOT_SECURE);
    else if (plain === undefined) missing(cursor, 'value');
    return plain ?? '';
  } else if (cipherText?.trim()) {
    const secret = reading.unseal(cipherText, locationOf(name));
    if (typeof secret !== 'string') return secret;
    const subject = `Encrypted value for variable named '${name}'`;
    const undecryptable = `${subject} is invalid. This usually happens when the cipher text is modified to have an invalid value.`;
    report(cursor, 'encrypted_value', refusalText(secret, subject, undecryptable));
    return refusedSecret(cipherText);
  } else {
    return reading.seal(plain ?? '');
  }
  return standIn(isSecure);
}

/** The value that is shown for a refused variable. A secure one shows none, whether its value was sent in clear or not at all. */
function standIn(isSecure: boolean): string | Secret {
  return isSecure ? refusedSecret('') : '';
}

function writeVariable({ name, value }: Variable, secrets: SecretWriter): JsonOut {
  if (!isSecret(value)) return { secure: false, name, value };
  if (value.cipherText === '') return { secure: true, name };
  return { secure: true, name, encrypted_value: secrets.show(value, () => locationOf(name)) };
}

/** Variables of a pipeline, its stages and its jobs are distinguished by name alone: they may move, and users who edit one may edit all. */
function locationOf(name: string): SecretLocation {
  return { field: `variable ${name}`, destination: '' };
}

/** Rules for the names; `owner` ends the sentences: `environment 'prod'`. */
export function variableNameProblems(variables: readonly Variable[], at: string, owner: string): Problem[] {
  const timesSeen = new Map<string, number>();
  for (const { name } of variables) timesSeen.set(name.toLowerCase(), (timesSeen.get(name.toLowerCase()) ?? 0) + 1);
  return variables.flatMap(({ name }, index) => {
    const problem = (message: string) => [{ at: [at, index, 'name'], message }];
    if (name === '') return problem(`Environment Variable cannot have an empty name for ${owner}.`);
    if (name !== name.trim()) return problem(`Environment Variable cannot start or end with spaces for ${owner}.`);
    if (hasInvisibleCharacter(name)) {
      return problem(
        `Environment Variable name '${escapeInvisible(name)}' must not hold control characters or invisible ones for ${owner}.`,
      );
    }
    if (timesSeen.get(name.toLowerCase())! > 1) return problem(`Environment Variable name '${name}' is not unique for ${owner}.`);
    return [];
  });
}
