// Connections to an LDAP directory: binds, and searches whose every answer is bounded.

import { Client, type Entry, FilterParser, ResultCodeError } from 'ldapts';
import { isUntrustedCertificate } from '../../../../kit/network/untrusted-certificate.ts';
import { type LdapConnection, ldapConnection, type Security } from './connection.ts';
import { startTls } from './start-tls.ts';

export type { Entry };

export interface Directory {
  readonly url: URL;
  readonly searchBases: readonly string[];
  readonly managerDn: string;
  readonly managerPassword: string;
  readonly loginFilter: string;
  readonly searchFilter: string;
  /** The attribute that is the login name; undefined: the only one that the login filter compares, or what is typed. */
  readonly userNameAttribute: string | undefined;
  readonly displayNameAttribute: string;
  readonly emailAttribute: string;
  readonly timeoutSeconds: number;
  readonly security: Security;
}

/** A directory with a connection that is bound, as the manager or anonymously. */
export interface BoundDirectory extends Directory {
  /** Whether it takes the password; the connection is that of the entry from then on. */
  binds(dn: string, password: string): Promise<boolean>;
  find(search: Search): Promise<readonly Entry[]>;
}

export interface Search {
  readonly base: string;
  readonly filter: string;
  readonly attributes: readonly string[];
  readonly sizeLimit: number;
}

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The answers to a bind that are about the user, not about the server: constraint violation (a locked account), no such object,
 * inappropriate authentication (an entry without a password), invalid credentials, insufficient access, unwilling to perform.
 */
const REFUSED_BIND_CODES: ReadonlySet<number> = new Set([19, 32, 48, 49, 50, 53]);
/** Busy, unavailable. */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([51, 52]);

/** Runs a task on a connection that is bound as the manager, or anonymous without one. */
export async function withDirectory<T>(directory: Directory, task: (bound: BoundDirectory) => Promise<T>): Promise<T> {
  const { url, security } = directory;
  try {
    const connection = security.startsTls ? await startTls(url, security, CONNECT_TIMEOUT_MS) : ldapConnection(url, security);
    return await onConnection(connection, directory, task);
  } catch (error) {
    throw new Error(`LDAP server ${url.host}: ${reasonOf(error)}${isUntrusted(error) ? `. ${howToTrust(security)}` : ''}`);
  }
}

async function onConnection<T>(connection: LdapConnection, directory: Directory, task: (bound: BoundDirectory) => Promise<T>): Promise<T> {
  const { url, managerDn, managerPassword, timeoutSeconds } = directory;
  const timeout = timeoutSeconds * 1000;
  const client = new Client({ url: `${url.protocol}//${url.host}`, connectTimeout: CONNECT_TIMEOUT_MS, timeout, ...connection });
  const bound: BoundDirectory = {
    ...directory,
    binds: (dn, password) => bindSucceeds(client, dn, password),
    find: (search) => find(client, search, timeoutSeconds),
  };
  try {
    if (managerDn !== '' && !(await bound.binds(managerDn, managerPassword)))
      throw new Error('it refused the manager DN with the manager password.');
    return await task(bound);
  } finally {
    await Promise.allSettled([client.unbind()]); // the request is answered; a connection that breaks while it closes changes nothing
  }
}

async function bindSucceeds(client: Client, dn: string, password: string): Promise<boolean> {
  if (dn === '') return false; // an empty name binds anonymously, with any password
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSED_BIND_CODES.has(error.code)) return false;
    throw error;
  }
}

async function find(client: Client, { base, filter, attributes, sizeLimit }: Search, timeLimit: number): Promise<readonly Entry[]> {
  const parsed = parseFilter(filter);
  if (!parsed) throw new Error('the search filter cannot be read.');
  const { searchEntries } = await client.search(base, { filter: parsed, attributes: [...attributes], sizeLimit, timeLimit });
  return searchEntries;
}

export function isFilter(text: string): boolean {
  return parseFilter(text) !== undefined;
}

function parseFilter(text: string) {
  try {
    return FilterParser.parseString(text);
  } catch {
    return undefined; // the parser's message repeats the whole filter, with the name in it
  }
}

/** Ignores the letter case of the attribute. */
export function valuesOf(entry: Entry, attribute: string): readonly string[] {
  const values = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())?.[1];
  return [values].flat().filter((value) => typeof value === 'string' && value !== '') as string[];
}

/** Why a working server refuses a single search; undefined: it does not work, or the connection broke. */
export function objectionIn(error: unknown): string | undefined {
  return error instanceof ResultCodeError && !UNAVAILABLE_CODES.has(error.code) ? reasonOf(error) : undefined;
}

function reasonOf(error: unknown): string {
  // The server's own words are left out: they may repeat parts of the request.
  if (error instanceof ResultCodeError) return `it answered with result code ${error.code} (${error.name.replace(/Error$/, '')}).`;
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name); // a failed connection to several addresses has no message
}

function isUntrusted(error: unknown): boolean {
  return error instanceof Error && isUntrustedCertificate(error);
}

function howToTrust({ authority }: Security): string {
  if (authority !== undefined) return 'The authority in Certificate has not signed it: enter the one that has.';
  return 'Set NODE_EXTRA_CA_CERTS to the file (PEM) of the authority that signed it, and restart Slipway.';
}
