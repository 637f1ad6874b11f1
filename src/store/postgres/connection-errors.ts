// Errors of connecting to PostgreSQL in words: one sentence for each reason, with its remedy.
import { databaseOf, describeAddress, endpointOf, PASSWORD_FILE_VARIABLE, PASSWORD_VARIABLE, userOf } from './address.ts';
import { ConnectionLost, NO_TLS, type PostgresAddress } from './connection.ts';

/** How a new database is made so that it compares texts as the embedded one does. */
export function creation(database: string): string {
  return `create database ${quoted(database)} encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`;
}

interface Facts {
  readonly what: string;
  readonly endpoint: string;
  readonly database: string;
  readonly user: string;
  /** As a statement names it. */
  readonly role: string;
  readonly message: string;
}

const PASSWORD = `Set ${PASSWORD_VARIABLE} or ${PASSWORD_FILE_VARIABLE}.`;

const BY_CODE: Readonly<Record<string, (facts: Facts) => string>> = {
  '28P01': ({ what, user }) => `The password of ${user} is refused by the database ${what}. ${PASSWORD}`,
  '28000': ({ what, user, message }) =>
    / does not exist/.test(message)
      ? `The database ${what} does not know ${user}. Create it (create role … login), or name another user in the address.`
      : `The server of the database ${what} does not let ${user} in: ${message}. Add a line to its pg_hba.conf, or sslmode=require to the address if it wants TLS.`,
  '3D000': ({ endpoint, database }) => `There is no database ${database} on ${endpoint}. Create it: ${creation(database)}`,
  '42501': ({ what, user, role, database, message }) =>
    `${capital(user)} may not do that in the database ${what}: ${message}. Make this user its owner: alter database ${quoted(database)} owner to ${role}`,
  '53300': ({ what }) =>
    `The server of the database ${what} has no connection left. Raise its max_connections, or end programs that use it.`,
  '53100': ({ what }) => `The disk of the database ${what} is full. Make room there.`,
  '25006': ({ what }) => `The database ${what} is read-only: it is a standby, or was set so. Give the address of the primary.`,
  '57P03': ({ what, message }) => `The server of the database ${what} does not accept connections now: ${message}. Try again in a moment.`,
  '57P01': ({ what }) => `The server of the database ${what} has ended the connection. Try again when it runs.`,
  ECONNREFUSED: ({ what, endpoint }) =>
    `Nothing listens at ${endpoint}. Start PostgreSQL there, or correct the address of the database ${what}.`,
  ENOENT: ({ what, endpoint }) => `There is no socket in ${endpoint}. Start PostgreSQL, or correct the address of the database ${what}.`,
  EACCES: ({ endpoint }) => `This account may not use the socket in ${endpoint}. Give it the right to, or use a host in the address.`,
  ENOTFOUND: ({ endpoint }) => `There is no host ${hostIn(endpoint)}. Correct the address of the database.`,
  EAI_AGAIN: ({ endpoint }) => `The name ${hostIn(endpoint)} cannot be looked up now. Check the DNS of this machine, and try again.`,
};

const UNREACHABLE = ['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'];
const CUT_OFF = ['ECONNRESET', 'EPIPE'];
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_\w+)$/;
const NO_PASSWORD = /password must be a (?:non-empty )?string/;

/** Whether the database has said no, or cannot be reached. */
export function isOfDatabase(failure: unknown): boolean {
  return failure instanceof ConnectionLost || (failure instanceof Error && 'severity' in failure);
}

/** Turns any failure of the driver into one sentence with the remedy. */
export function explainConnectFailure(failure: unknown, address: PostgresAddress): string {
  const { code = '', message } = causeOf(failure);
  const user = userOf(address.url);
  const facts: Facts = {
    what: describeAddress(address),
    endpoint: endpointOf(address.url),
    database: databaseOf(address.url),
    user: user === undefined ? 'the user of this account' : `the user ${user}`,
    role: user === undefined ? '…' : quoted(user),
    message,
  };
  const { what, endpoint } = facts;
  const known = BY_CODE[code];
  if (known) return known(facts);
  if (NO_PASSWORD.test(message)) return `The database ${what} wants a password. ${PASSWORD}`;
  if (UNREACHABLE.includes(code) || /timeout/i.test(message))
    return `${endpoint} does not answer. Check the address of the database ${what}, and the firewalls between.`;
  if (message === NO_TLS)
    return `The server of the database ${what} has no TLS. Switch it on there, or give sslmode=disable in the address.`;
  if (UNTRUSTED.test(code) || code === 'EPROTO')
    return `The TLS certificate of ${endpoint} is not trusted: ${message}. Give its authority by sslrootcert=/path/to/ca.pem in the address.`;
  if (CUT_OFF.includes(code) || /^Connection terminated|has ended\.$/.test(message))
    return `The connection to the database ${what} was cut off. Try again when it can be reached.`;
  return `The database ${what} cannot be used: ${message}${message.endsWith('.') ? '' : '.'}`;
}

interface Cause {
  readonly code?: string;
  readonly message: string;
}

/** Of several addresses of one host that were tried, the first says enough. */
function causeOf(failure: unknown): Cause {
  if (failure instanceof ConnectionLost) return causeOf(failure.cause);
  if (failure instanceof AggregateError && failure.errors.length > 0) return causeOf(failure.errors[0]);
  if (!(failure instanceof Error)) return { message: String(failure) };
  const { code } = failure as NodeJS.ErrnoException;
  return { message: failure.message, ...(code !== undefined && { code }) };
}

/** A name in a statement. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function hostIn(endpoint: string): string {
  return endpoint.replace(/:\d+$/, '');
}

function capital(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
