// Which texts are replaced by stars in a console: the secrets of a job, and how programs spell them.
import type { Work, WorkMaterial, WorkSetting } from '../../contracts/agent-protocol/work.ts';
import { parseAddress } from '../../kit/network/repository-address.ts';

/** A shorter line of a secret is in every second word. */
const MIN_LINE_LENGTH = 3;
/** Encoded forms of less are too likely to be something else. */
const MIN_ENCODED_LENGTH = 6;
/** Encoded forms within other bytes need more: a character at each end is not known. */
const MIN_EMBEDDED_BYTES = 8;
/** A user name in an address that is as long as this is an access token. */
const MIN_TOKEN_LENGTH = 20;

export function secretsOf(work: Pick<Work, 'environment' | 'materials' | 'tasks' | 'artifacts' | 'secrets'>): readonly string[] {
  const { environment, materials, secrets = [] } = work;
  const values = [...environment, ...settingsOf(work)].filter((one) => one.is_secret).map(({ value }) => value);
  const logins = materials.flatMap(({ username, password }) => (password === null ? [] : [password, basicLogin(username, password)]));
  return [...new Set([...values, ...secrets, ...logins, ...materials.flatMap(inAddressOf)].flatMap(spellingsOf))];
}

/** The password or the access token that stands in the address of a material. */
function inAddressOf(material: WorkMaterial): readonly string[] {
  if (!('url' in material)) return [];
  const { login, secrets } = parseAddress(material.url);
  const isToken = (login?.username.length ?? 0) >= MIN_TOKEN_LENGTH;
  return [...(isToken ? [login!.username] : []), ...(login?.password ? secrets : [])];
}

function settingsOf({ tasks, artifacts }: Pick<Work, 'tasks' | 'artifacts'>): readonly WorkSetting[] {
  const all = [...artifacts, ...tasks.flatMap((task) => [task, task.on_cancel])];
  return all.flatMap((one) => (one?.type === 'external' || one?.type === 'fetch_external' ? [...one.store, ...one.configuration] : []));
}

function basicLogin(username: string | null, password: string): string {
  return Buffer.from(`${username ?? ''}:${password}`).toString('base64');
}

/** The value with and without blanks around it, each of its lines without, and each of these as programs and shells write them. */
export function spellingsOf(secret: string): readonly string[] {
  const value = secret.replaceAll(/\r\n?/g, '\n');
  if (value.trim() === '') return [];
  const lines = value.includes('\n') ? value.split('\n').filter((line) => line.trim().length >= MIN_LINE_LENGTH) : [];
  const texts = [value, value.trimEnd(), value.trim(), ...lines.map((line) => line.trim())];
  return [...new Set(texts.flatMap((text) => (text.length < MIN_ENCODED_LENGTH ? [text] : [text, ...encodedForms(text)])))];
}

function encodedForms(text: string): readonly string[] {
  const inBase64 = [...inBase64Alone(text), ...inBase64Within(text)];
  return [
    ...inAddress(text),
    JSON.stringify(text).slice(1, -1),
    ...inShell(text),
    inXml(text),
    ...inBase64.flatMap((one) => [one, urlSafe(one)]),
  ];
}

function inBase64Alone(text: string): readonly string[] {
  return [Buffer.from(text).toString('base64').replace(/=+$/, '')];
}

/**
 * In base64 of a longer text, `user:secret` for example, a secret is written in one of three ways: by how many bytes stand before it.
 * Characters that also depend on the bytes beside it are left out, so at most two bytes of it are not covered.
 */
function inBase64Within(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  if (bytes.length < MIN_EMBEDDED_BYTES) return [];
  return [0, 1, 2].map((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** As in a path, strictly by RFC 3986, with small letters, and as in a form. A text that is no valid Unicode cannot stand in an address. */
function inAddress(text: string): readonly string[] {
  const escaped = encodeURIComponent(text.toWellFormed());
  const strict = escaped.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const small = strict.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [escaped, strict, small, strict.replaceAll('%20', '+')];
}

/** In quotes, as shells show the commands and variables that they have (`set -x`): bash and zsh, then dash. */
function inShell(text: string): readonly string[] {
  return [`'\\''`, `'"'"'`].map((quote) => text.replaceAll("'", quote));
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
