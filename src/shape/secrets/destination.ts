// The destination of a secret, as far as the configuration names it: the host of an address beside it, or the entity of an id beside it.
import { isObject, type JsonObject, snakeCase } from '../json/json.ts';

/** The text of a member beside a secret, by its name in code. */
export type MemberText = (name: string) => string;
export type Resolve = (text: string) => string;

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@\\\s]*@)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?:[/?#]([^\\\s]*))?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', ldap: '389', ldaps: '636', svn: '3690', ssh: '22' };

/** Scheme, host and port. A text that is no plain address, or could be read as several, counts as a whole. */
export function originOf(address: string): string {
  const text = address.trim();
  const [, scheme = '', host = '', port, rest = ''] = ADDRESS.exec(text) ?? [];
  if (host === '' || rest.includes('://')) return text;
  const protocol = scheme.toLowerCase();
  return `${protocol}://${host.toLowerCase()}:${port ?? DEFAULT_PORTS[protocol] ?? ''}`;
}

/** The members of a JSON object; parameters in them are replaced by `resolve`. */
export function membersOfJson(holder: JsonObject, resolve: Resolve = asWritten): MemberText {
  return (name) => resolve(textOf(holder[snakeCase(name)]));
}

/** The members of an object that was read from JSON. */
export function membersOfEntity(holder: Readonly<Record<string, unknown>>, resolve: Resolve = asWritten): MemberText {
  return (name) => resolve(textOf(holder[name]));
}

/** The text of a value; an object is represented by its id or its shown form. */
function textOf(value: unknown): string {
  if (isObject(value)) return textOf(value.id ?? value.masked);
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Where there are no parameters. */
export function asWritten(text: string): string {
  return text;
}
