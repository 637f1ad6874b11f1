// Settings of a plugin: keys with values, secret ones only as cipher text.
import type { BlockName, PluginKind } from '../contracts/plugins/plugin.ts';
import { Refusal } from '../kit/refusal.ts';
import { hasInvisibleCharacter, NO_INVISIBLE_CHARACTERS } from '../kit/text/invisible-characters.ts';
import type { Field, MemberSchemas, Writing } from './field.ts';
import { isObject, type Json, type JsonOut, type JsonSchema } from './json/json.ts';
import { type JsonCursor, readFlag, readList } from './json/reading.ts';
import type { Path } from './problems/problem.ts';
import { asWritten, type MemberText, membersOfEntity, membersOfJson } from './secrets/destination.ts';
import { isSecret, refusedSecret, type Secret, type SecretWriter } from './secrets/secret.ts';
import { isSecretAddress } from './secrets/secret-address.ts';
import { refusalText } from './secrets/secret-refusal.ts';
import { type LocateSetting, settingLocations } from './secrets/setting-locations.ts';

export interface Property {
  readonly key: string;
  /** Absent: the key was sent without a value. */
  readonly value?: string | Secret;
}

/** The plugin that has the settings: forms ask it for the fields to offer. */
export interface SettingsOf {
  /** Absent: a plugin of any kind. */
  readonly kind?: PluginKind;
  readonly block: BlockName;
  /** The member beside the settings that names the plugin, as a path; absent: it is unknown here. */
  readonly namedIn?: readonly string[];
  /** The resource that the member names instead, whose plugin counts. */
  readonly through?: string;
}

interface Options {
  readonly plugin?: SettingsOf;
  /** The kind of entity in messages about duplicate keys, e.g. `Artifact store 'x'`. */
  readonly owner: string;
  /** The member beside the settings that names the owner. */
  readonly ownerId?: string;
  /** The name of the owner, where none of the members beside the settings is it. */
  readonly ownerName?: Json | undefined;
  /** The message for an `encrypted_value` of a setting that is not secret; absent: the value is dropped. */
  readonly unsecured?: string;
  /** The key under `errors` when both forms were sent. */
  readonly valueErrorKey?: string;
  /** The sender may say that a setting is secret, by `is_secure` or `secure`; a cipher text made by this server says so, too. */
  readonly takesSecrets?: boolean;
  /** The recipient of the secrets, by the members beside the settings: a plugin, a cluster. */
  readonly sentTo: (member: MemberText) => string;
  /** The message for a setting sent without a value, while an empty one is kept; absent: both are kept as a key without a value. */
  readonly valueless?: string;
}

const BOTH = 'You may only specify `value` or `encrypted_value`, not both!';
export const UNSECURED = 'encrypted_value cannot be specified to a unsecured property.';
const LOOKS_SECRET = /password|passwd|secret|token|private.?key|access.?key|credential/i;

export function properties(options: Options): Field<readonly Property[]> {
  const members = {
    key: { type: 'string', description: 'Name of the setting.' },
    value: { type: 'string', 'x-secret': 'encrypted_value', description: 'In clear.' },
    encrypted_value: {
      type: 'string',
      description: 'Instead of `value`: as returned earlier for this setting, or made by `POST /api/admin/encrypt`.',
    },
  };
  const mark = {
    is_secure: { type: 'boolean', description: 'Whether to encrypt the value, even if the plugin does not declare it secret.' },
  };
  const schemaOf = (settings: MemberSchemas) => ({
    type: 'array',
    items: { type: 'object', required: ['key'], properties: settings },
    'x-label': 'Settings',
    ...(options.plugin && { 'x-plugin': pluginHint(options.plugin) }),
    'x-hint': 'Settings of the plugin, as its documentation names them.',
    description: 'Settings of the plugin. Secret ones come back as `encrypted_value`.',
  });
  return {
    read: (cursor, name) => {
      const sent = (readList(cursor, name) ?? []).map((entry, index) => parsed(entry, [...cursor.path, name, index], cursor, options));
      const locate = locateSent(sent, cursor, options);
      const read = sent.map((one, index) => readProperty(one, [...cursor.path, name, index], cursor, options, locate));
      reportDuplicates(read, name, cursor, options);
      return read;
    },
    write: (value, name, out, writing, holder) => {
      const locate = locateStored(value, writing, () => options.sentTo(membersOfEntity(holder, writing.resolve)));
      out[name] = value.map((one) => writeProperty(one, writing.secrets, locate));
    },
    describe: (name) => ({
      request: { [name]: schemaOf(options.takesSecrets ? { ...members, ...mark } : members) },
      response: { [name]: schemaOf(members) },
    }),
  };
}

function pluginHint({ kind, block, namedIn, through }: SettingsOf): JsonSchema {
  return { extension: kind ?? null, settings: `${block}_settings`, id: namedIn ?? null, ...(through !== undefined && { through }) };
}

/** A setting as it was sent. */
interface SentSetting {
  readonly key: string;
  readonly plain: string | undefined;
  readonly cipherText: string | undefined;
  /** Whether the plugin says that it is secret; undefined: it is not installed. */
  readonly installed: boolean | undefined;
  /** Whether it is kept as a secret. */
  readonly isSecret: boolean;
  /** Whether it is a secret cannot be read, so it may not even be shown in the refusal. */
  readonly isUnreadable: boolean;
}

function parsed(entry: Json, path: Path, { reading }: JsonCursor, { takesSecrets }: Options): SentSetting {
  const key = isObject(entry) ? scalar(entry.key) : undefined;
  if (!isObject(entry) || key === undefined) throw unparsable();
  if (hasInvisibleCharacter(key)) reading.problems.push({ at: [...path, 'configuration_key'], message: NO_INVISIBLE_CHARACTERS });
  const plain = scalar(entry.value);
  const cipherText = scalar(entry.encrypted_value);
  const installed = reading.isSecretSetting(key);
  const known = reading.problems.length;
  const isMarked = isMarkedSecret({ holder: entry, path, reading }) && takesSecrets === true;
  const isUnreadable = reading.problems.length > known;
  const isSecretKey = isMarked || (installed ?? LOOKS_SECRET.test(key));
  const isKeptSecret = isSecretKey || Boolean(cipherText?.trim()) || isSecretAddress(key, plain ?? '');
  return { key, plain, cipherText, installed, isSecret: isKeptSecret, isUnreadable };
}

function isMarkedSecret(cursor: JsonCursor): boolean {
  const marks = ['is_secure', 'secure'].map((name) => readFlag(cursor, name));
  return marks.includes(true);
}

function locateSent(sent: readonly SentSetting[], { holder, reading }: JsonCursor, { sentTo }: Options): LocateSetting {
  const { resolve = asWritten, peek } = reading;
  const textOf = ({ plain, cipherText }: SentSetting) => (plain?.trim() ? plain : cipherText?.trim() ? (peek(cipherText) ?? '') : '');
  return settingLocations(
    () => sentTo(membersOfJson(holder, resolve)),
    () => sent.map((one) => ({ key: one.key, text: one.isSecret ? textOf(one) : resolve(textOf(one)), isSecret: one.isSecret })),
  );
}

function locateStored(settings: readonly Property[], { secrets, resolve = asWritten }: Writing, sentTo: () => string): LocateSetting {
  const textOf = (value: string | Secret) => (isSecret(value) ? secrets.open(value) : resolve(value));
  return settingLocations(sentTo, () => settings.map(({ key, value = '' }) => ({ key, text: textOf(value), isSecret: isSecret(value) })));
}

function readProperty(sent: SentSetting, path: Path, cursor: JsonCursor, options: Options, locate: LocateSetting): Property {
  const { key, plain, cipherText, installed } = sent;
  const { problems, isStoredSetting, seal, unseal, peek } = cursor.reading;
  if (sent.isUnreadable) return { key };
  if (plain?.trim() && cipherText?.trim()) {
    problems.push({ at: [...path, options.valueErrorKey ?? 'configuration_value'], message: BOTH });
    problems.push({ at: [...path, 'encrypted_value'], message: BOTH });
    return { key, value: refusedSecret(cipherText) };
  }
  if (cipherText?.trim()) {
    const secret = unseal(cipherText, locate(key, peek(cipherText) ?? ''));
    // A plugin that is not installed cannot say which settings are secret; a cipher text made by this server proves it.
    const isAccepted = installed !== false || options.takesSecrets || (isSecret(secret) && isStoredSetting(key, secret));
    if (!isAccepted) {
      if (!options.unsecured) return { key };
      problems.push({ at: [...path, 'encrypted_value'], message: options.unsecured });
      return { key, value: refusedSecret(cipherText) };
    }
    if (isSecret(secret)) return { key, value: secret };
    const subject = `Encrypted value for property with key '${key}'`;
    const undecryptable = `${subject} is invalid. This usually happens when the cipher text is modified to have an invalid value.`;
    problems.push({ at: [...path, 'encrypted_value'], message: refusalText(secret, subject, undecryptable) });
    return { key, value: refusedSecret(cipherText) };
  }
  if (!plain?.trim()) {
    if (!options.valueless) return { key };
    if (plain !== undefined) return { key, value: plain };
    problems.push({ at: [...path, 'value'], message: options.valueless });
    return { key };
  }
  return { key, value: sent.isSecret ? seal(plain) : plain };
}

function scalar(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object') throw unparsable();
  return String(value);
}

function unparsable(): Refusal {
  return new Refusal('malformed', 'Payload data is not valid JSON: Could not parse configuration property');
}

function reportDuplicates(read: readonly Property[], name: string, cursor: JsonCursor, options: Options): void {
  const seen = new Map<string, number[]>();
  for (const [index, { key }] of read.entries()) seen.getOrInsertComputed(key.toLowerCase(), () => []).push(index);
  const given = options.ownerName ?? cursor.holder[options.ownerId ?? 'id'] ?? '';
  const id = typeof given === 'object' ? '' : String(given);
  const owner = id.trim() === '' ? '(noname)' : `'${id}'`;
  for (const indexes of seen.values()) {
    if (indexes.length < 2) continue;
    for (const index of indexes) {
      const message = `Duplicate key '${read[index]!.key}' found for ${options.owner} ${owner}`;
      cursor.reading.problems.push({ at: [...cursor.path, name, index, 'configuration_key'], message });
    }
  }
}

/** Equal for settings that mean the same: their order does not count, nor do those without a value. Undefined when there are none. */
export function settingsIdentity(settings: readonly Property[]): string | undefined {
  const given = settings.flatMap(({ key, value }) =>
    value === undefined ? [] : [[key, isSecret(value) ? { digest: value.digest } : value]],
  );
  return given.length === 0 ? undefined : JSON.stringify(given.map((one) => JSON.stringify(one)).toSorted());
}

function writeProperty({ key, value }: Property, secrets: SecretWriter, locate: LocateSetting): JsonOut {
  if (value === undefined) return { key };
  if (!isSecret(value)) return { key, value };
  return { key, encrypted_value: secrets.show(value, () => locate(key, secrets.open(value))) };
}
