// The address of a PostgreSQL database as an administrator gives it: read, checked, and shown without its password.
import { existsSync, readFileSync } from 'node:fs';
import type { PostgresAddress } from './connection.ts';

export const PASSWORD_VARIABLE = 'SLIPWAY_DATABASE_PASSWORD';
export const PASSWORD_FILE_VARIABLE = 'SLIPWAY_DATABASE_PASSWORD_FILE';

const SCHEMES = ['postgres:', 'postgresql:'];
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'];
const FILES = ['sslrootcert', 'sslcert', 'sslkey'];
/** Others are refused: whoever asks for `channel_binding=require` must not assume that it is used. */
const PARAMETERS = ['host', 'port', 'user', 'password', 'sslmode', 'uselibpqcompat', ...FILES, 'options'];
const DEFAULT_PORT = '5432';
/** Stands where an address must have a host, when the socket of this machine is meant. */
const NO_HOST = 'localhost';
const EXAMPLE = 'postgres://slipway@db.example.org:5432/slipway';

type Environment = Readonly<Record<string, string | undefined>>;

class BadAddress extends Error {}

/** The address, or the problem with it in a sentence, which never shows the address: that may hold a password. */
export function readAddress(url: string, environment: Environment): PostgresAddress | { readonly problem: string } {
  try {
    return addressIn(url.trim(), environment);
  } catch (failure) {
    if (failure instanceof BadAddress) return { problem: failure.message };
    throw failure;
  }
}

/** The database and where it is, for messages: `slipway on db.example.org:5432`. */
export function describeAddress({ url }: PostgresAddress): string {
  return `${databaseOf(url)} on ${endpointOf(url)}`;
}

/** The database alone. */
export function databaseOf(url: string): string {
  return decoded(parsed(url).pathname.slice(1));
}

/** The host with its port, or the folder of the socket. */
export function endpointOf(url: string): string {
  const address = parsed(url);
  const socket = socketOf(address);
  if (socket !== undefined) return socket;
  const { searchParams } = address;
  const host = searchParams.get('host') || decoded(address.hostname);
  return `${host}:${searchParams.get('port') || address.port || DEFAULT_PORT}`;
}

/** Undefined: that of the account which runs the server. */
export function userOf(url: string): string | undefined {
  const address = parsed(url);
  return address.searchParams.get('user') || decoded(address.username) || undefined;
}

function addressIn(given: string, environment: Environment): PostgresAddress {
  const address = parsed(given);
  const { searchParams } = address;
  mustBeKnown(searchParams);
  const inUrl = searchParams.get('password') || decoded(address.password) || undefined;
  searchParams.delete('password');
  const socket = socketOf(address);
  if (socket !== undefined) {
    address.hostname = NO_HOST;
    searchParams.set('host', socket);
  }
  mustNameOneHost(address);
  if (address.pathname.length < 2) throw new BadAddress(`The address of the database must end with its name, such as ${EXAMPLE}.`);
  settleTls(address, socket !== undefined, environment);
  address.password = '';
  const password = environment[PASSWORD_VARIABLE] || passwordInFile(environment) || inUrl || environment.PGPASSWORD || undefined;
  return { url: address.href, password };
}

function parsed(url: string): URL {
  // An address without a host is none for `URL`, as soon as it has a user.
  const address = URL.parse(url) ?? URL.parse(url.replace('@/', `@${NO_HOST}/`));
  if (!address || !SCHEMES.includes(address.protocol) || address.hash !== '') {
    throw new BadAddress(
      `The address of the database must look like ${EXAMPLE}. In a password, write special characters percent-encoded, or give it by ${PASSWORD_VARIABLE}.`,
    );
  }
  return address;
}

function mustBeKnown(parameters: URLSearchParams): void {
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw new BadAddress(
      `The address of the database has a parameter that is not known here, '${unknown}'. Leave it out. Known are ${PARAMETERS.join(', ')}.`,
    );
}

/** The folder of a unix socket, from `?host=/path` or from the place of the host, percent-encoded. */
function socketOf({ searchParams, hostname }: URL): string | undefined {
  const host = searchParams.get('host') ?? decoded(hostname);
  return host.startsWith('/') ? host : undefined;
}

function mustNameOneHost({ searchParams, hostname }: URL): void {
  const host = searchParams.get('host') || hostname;
  if (host === '')
    throw new BadAddress(`The address of the database must name its host, such as ${EXAMPLE}, or its socket by ?host=/path/to/folder.`);
  if (host.includes(','))
    throw new BadAddress('The address of the database must name one host. Give the one that always leads to the primary.');
}

/** The modes have the same meaning as for every program of PostgreSQL. A socket has no need of them. */
function settleTls({ searchParams }: URL, isSocket: boolean, { PGSSLMODE }: Environment): void {
  const mode = searchParams.get('sslmode') || PGSSLMODE || undefined;
  searchParams.delete('sslmode');
  searchParams.delete('uselibpqcompat');
  if (mode !== undefined && !SSL_MODES.includes(mode))
    throw new BadAddress(`sslmode must be one of ${SSL_MODES.join(', ')}, not '${mode}'.`);
  for (const name of FILES) {
    const file = searchParams.get(name);
    if (file !== null && !existsSync(file)) throw new BadAddress(`${name}: there is no file ${file}.`);
  }
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert'))
    throw new BadAddress('sslmode=verify-ca needs the file of the certificate authority: add sslrootcert=/path/to/ca.pem.');
  if (mode === undefined || isSocket) return;
  searchParams.set('sslmode', mode);
  searchParams.set('uselibpqcompat', 'true');
}

function passwordInFile({ [PASSWORD_FILE_VARIABLE]: path }: Environment): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/, 1)[0];
  } catch (failure) {
    throw new BadAddress(`${PASSWORD_FILE_VARIABLE}: ${path} cannot be read: ${(failure as Error).message}`);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadAddress('The address of the database has a % that begins no character: write it as %25.');
  }
}
