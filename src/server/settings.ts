// The settings of an administrator: environment variables, and flags of the same names that win over them.
import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { SessionLimits } from '../access/sessions/session.ts';
import { START } from '../kit/process/own-commands.ts';
import { closest } from '../kit/text/closest.ts';
import type { StartTls } from '../mail/smtp.ts';
import { readAddress } from '../store/postgres/address.ts';
import type { PostgresAddress } from '../store/postgres/connection.ts';
import { ARTIFACT_SETTINGS, type ArtifactBucketSettings, artifactBucketIn } from './artifact-settings.ts';
import {
  BadSetting,
  contextPath,
  days,
  diskLimits,
  flag,
  folders,
  hosts,
  type LocalAgentSettings,
  localAgents,
  port,
  proxies,
  replicaUrl,
  seconds,
  sessionLimits,
  startTls,
  type TlsSettings,
  tlsOf,
} from './setting-values.ts';
import { TRACE_SETTINGS, type TraceSettings, tracesIn } from './trace-settings.ts';

export interface Settings {
  readonly dataDir: string;
  /** Undefined: the embedded one. */
  readonly database: PostgresAddress | undefined;
  /** Where other servers on the same database reach this one; undefined: at the address it listens on. */
  readonly replicaUrl: string | undefined;
  /** Undefined: it lies in the data directory. */
  readonly cipherKeyFile: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSettings | undefined;
  readonly contextPath: string;
  /** Addresses and networks of proxies whose word on the client is taken. */
  readonly trustProxy: readonly string[];
  readonly sessions: SessionLimits;
  readonly openMetrics: boolean;
  readonly maintenance: boolean;
  readonly mail: { readonly startTls: StartTls; readonly caFile: string | undefined };
  readonly disk: { readonly warningMb: number; readonly fullMb: number };
  /** Undefined: artifacts lie in a folder. */
  readonly artifactBucket: ArtifactBucketSettings | undefined;
  /** Seconds between two polls of a material; 0: only on request. */
  readonly materialInterval: number;
  /** How the certificates of repositories are checked. */
  readonly materialTls: { readonly caFile: string | undefined; readonly uncheckedHosts: readonly string[] };
  /** Whether repositories may be on the machine of the server, by an address of the network. */
  readonly allowLoopback: boolean;
  /** Whether repositories may be on private networks. */
  readonly allowPrivateRepositories: boolean;
  /** The folders of this machine in which all users who may name a repository may name one. */
  readonly localRepositories: readonly string[];
  /** Whether webhooks may be sent to addresses on the network of the server. */
  readonly allowPrivateWebhooks: boolean;
  /** How many days of the history are kept; 0: all of it. */
  readonly historyDays: number;
  readonly localAgents: LocalAgentSettings;
  readonly logLevel: string;
  /** Undefined: none are made. */
  readonly traces: TraceSettings | undefined;
  readonly adminPassword: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  readonly flag: string;
  readonly defaultValue: string;
  readonly about: string;
}

export const SETTINGS: readonly Setting[] = [
  { flag: 'data-dir', defaultValue: './data', about: 'directory for everything the server keeps' },
  { flag: 'host', defaultValue: '127.0.0.1', about: 'address to listen on' },
  { flag: 'port', defaultValue: '8153', about: 'port for HTTP; 0 takes any free one' },
  { flag: 'tls-cert', defaultValue: '', about: 'certificate file (PEM); with --tls-key this switches TLS on' },
  { flag: 'tls-key', defaultValue: '', about: 'private key file (PEM) of the certificate' },
  { flag: 'tls-port', defaultValue: '8154', about: 'port for HTTPS' },
  { flag: 'tls-plain', defaultValue: 'redirect', about: 'plain HTTP when TLS is on: redirect (to HTTPS), closed or open' },
  { flag: 'context-path', defaultValue: '', about: 'path in front of every address, such as /cd' },
  {
    flag: 'trust-proxy',
    defaultValue: 'false',
    about:
      'proxies whose X-Forwarded-* and Forwarded headers are trusted: addresses and networks with commas between; true: loopback and private',
  },
  { flag: 'session-idle-minutes', defaultValue: '480', about: 'minutes without a request after which a browser has to log in again' },
  { flag: 'session-days', defaultValue: '14', about: 'days after which a browser has to log in again in any case' },
  { flag: 'open-metrics', defaultValue: 'false', about: 'true: /metrics needs no login' },
  { flag: 'maintenance', defaultValue: 'false', about: 'true: start in maintenance mode' },
  { flag: 'mail-starttls', defaultValue: 'offered', about: 'STARTTLS with the mail server: offered, always or never' },
  { flag: 'mail-ca', defaultValue: '', about: 'further certificate authorities (PEM) to trust with the mail server' },
  { flag: 'disk-warning-mb', defaultValue: '1024', about: 'megabytes of free disk space below which administrators are warned' },
  { flag: 'disk-full-mb', defaultValue: '100', about: 'megabytes of free disk space below which changes are refused' },
  ...ARTIFACT_SETTINGS,
  { flag: 'material-interval', defaultValue: '60', about: 'seconds between two polls of a material; 0: only on request' },
  { flag: 'material-ca', defaultValue: '', about: 'further certificate authorities (PEM) to trust with repositories' },
  {
    flag: 'material-unchecked',
    defaultValue: '',
    about: 'host or host:port, with commas between, of repositories whose certificates are not checked',
  },
  {
    flag: 'allow-loopback',
    defaultValue: 'false',
    about: 'true: package repositories, materials and names of clusters may lead to this machine',
  },
  {
    flag: 'allow-private-repositories',
    defaultValue: 'true',
    about: 'false: package repositories and materials may not be on private networks',
  },
  {
    flag: 'local-repositories',
    defaultValue: '',
    about: `folders whose repositories may be materials by their path, with ${delimiter} between; administrators may name any path`,
  },
  { flag: 'allow-private-webhooks', defaultValue: 'false', about: 'true: webhooks may go to addresses on the network of the server' },
  { flag: 'history-days', defaultValue: '0', about: 'days of history to keep beside the revisions with a name; 0 keeps everything' },
  {
    flag: 'local-agents',
    defaultValue: '',
    about: 'agents that the server starts on its own machine; unset: 1, and with --database-url none',
  },
  { flag: 'local-agent-user', defaultValue: 'nobody', about: 'the user that they run as when the server is started as root' },
  { flag: 'log-level', defaultValue: 'info', about: 'trace, debug, info, warn, error or silent' },
  ...TRACE_SETTINGS,
  { flag: 'database-url', defaultValue: '', about: 'postgres://user@host/name: a PostgreSQL database; unset: the embedded one' },
  { flag: 'database-password', defaultValue: '', about: 'password of the PostgreSQL user' },
  { flag: 'database-password-file', defaultValue: '', about: 'file whose first line is that password' },
  { flag: 'replica-url', defaultValue: '', about: 'where other servers on the same database reach this one, such as http://10.1.2.3:8153' },
  { flag: 'cipher-key-file', defaultValue: '', about: 'key for secrets, when it is not cipher.key in the data directory' },
  { flag: 'admin-password', defaultValue: '', about: "first start only: the administrator's password" },
];

/** Where commands find the server they speak to, and how to log in; the server itself needs none of them. */
export const COMMAND_VARIABLES = {
  url: 'SLIPWAY_URL',
  user: 'SLIPWAY_USER',
  password: 'SLIPWAY_PASSWORD',
  token: 'SLIPWAY_TOKEN',
  context: 'SLIPWAY_CONTEXT',
  server: 'SLIPWAY_SERVER',
  agentKey: 'SLIPWAY_AGENT_KEY',
  elasticAgentId: 'SLIPWAY_ELASTIC_AGENT_ID',
  elasticPluginId: 'SLIPWAY_ELASTIC_PLUGIN_ID',
} as const;
/** Set by agents for the processes of jobs: a job may start a server, too. */
const OF_JOBS = 'SLIPWAY_JOB';
const NOT_SETTINGS: ReadonlySet<string> = new Set([...Object.values(COMMAND_VARIABLES), OF_JOBS]);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];

/** The settings, or the message about the first problem. */
export type SettingsResult = { readonly settings: Settings } | { readonly problem: string } | { readonly help: string };

export function readSettings(args: readonly string[], environment: Environment): SettingsResult {
  if (args.includes('--help') || args.includes('-h')) return { help: helpText() };
  try {
    return { settings: checkedSettings(valuesOf(args, environment), environment) };
  } catch (failure) {
    if (failure instanceof BadSetting) return { problem: failure.message };
    throw failure;
  }
}

export function variableOf(flag: string): string {
  return `SLIPWAY_${flag.replaceAll('-', '_').toUpperCase()}`;
}

function valuesOf(args: readonly string[], environment: Environment): Map<string, string> {
  const values = new Map(SETTINGS.map(({ flag, defaultValue }) => [flag, environment[variableOf(flag)] || defaultValue]));
  const variables = SETTINGS.map(({ flag }) => variableOf(flag));
  for (const name of Object.keys(environment)) {
    const isKnown = NOT_SETTINGS.has(name) || variables.includes(name);
    if (name.startsWith('SLIPWAY_') && !isKnown) throw new BadSetting(unknown('setting', name, variables));
  }
  for (let index = 0; index < args.length; index++) {
    const [, flag, inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(args[index]!) ?? [];
    if (flag === undefined || !values.has(flag)) {
      const flags = SETTINGS.map((setting) => `--${setting.flag}`);
      throw new BadSetting(unknown('option', args[index]!, flags));
    }
    const value = inline ?? (isBareSwitch(flag, args[index + 1]) ? 'true' : args[++index]);
    if (value === undefined) throw new BadSetting(`The option --${flag} needs a value.`);
    values.set(flag, value);
  }
  return values;
}

function unknown(kind: string, name: string, known: readonly string[]): string {
  const meant = closest(name.replace(/=.*$/s, ''), known);
  return `Unknown ${kind} ${name}.${meant === undefined ? '' : ` Did you mean ${meant}?`} See --help.`;
}

/** A flag that is true or false can stand alone. */
function isBareSwitch(flag: string, next: string | undefined): boolean {
  return (
    SETTINGS.some((setting) => setting.flag === flag && ['true', 'false'].includes(setting.defaultValue)) &&
    (next === undefined || next.startsWith('--'))
  );
}

function checkedSettings(values: ReadonlyMap<string, string>, environment: Environment): Settings {
  const text = (flag: string) => values.get(flag)!;
  const cert = text('tls-cert');
  const key = text('tls-key');
  if ((cert === '') !== (key === '')) throw new BadSetting('Give both --tls-cert and --tls-key, or neither.');
  for (const [flag, file] of [
    ['tls-cert', cert],
    ['tls-key', key],
    ['mail-ca', text('mail-ca')],
    ['material-ca', text('material-ca')],
    ['cipher-key-file', text('cipher-key-file')],
  ] as const) {
    if (file !== '' && !existsSync(file)) throw new BadSetting(`--${flag}: there is no file ${file}.`);
  }
  if (!LOG_LEVELS.includes(text('log-level'))) throw new BadSetting(`--log-level must be one of ${LOG_LEVELS.join(', ')}.`);
  if (text('host').trim() === '') throw new BadSetting('--host must not be empty.');
  return {
    dataDir: resolve(text('data-dir')),
    database: databaseIn(text, environment),
    replicaUrl: replicaUrl('replica-url', text('replica-url')),
    cipherKeyFile: text('cipher-key-file') || undefined,
    host: text('host'),
    port: port('port', text('port')),
    tls: tlsOf(cert, key, text),
    contextPath: contextPath(text('context-path')),
    trustProxy: proxies('trust-proxy', text('trust-proxy')),
    sessions: sessionLimits(text),
    openMetrics: flag('open-metrics', text('open-metrics')),
    maintenance: flag('maintenance', text('maintenance')),
    mail: { startTls: startTls(text('mail-starttls')), caFile: text('mail-ca') || undefined },
    disk: diskLimits(text),
    artifactBucket: artifactBucketIn(text, environment),
    materialInterval: seconds('material-interval', text('material-interval')),
    materialTls: { caFile: text('material-ca') || undefined, uncheckedHosts: hosts('material-unchecked', text('material-unchecked')) },
    allowLoopback: flag('allow-loopback', text('allow-loopback')),
    allowPrivateRepositories: flag('allow-private-repositories', text('allow-private-repositories')),
    localRepositories: folders('local-repositories', text('local-repositories')),
    allowPrivateWebhooks: flag('allow-private-webhooks', text('allow-private-webhooks')),
    historyDays: days('history-days', text('history-days')),
    localAgents: localAgents(text),
    logLevel: text('log-level'),
    traces: tracesIn(text, environment),
    adminPassword: text('admin-password') || undefined,
  };
}

function databaseIn(text: (flag: string) => string, environment: Environment): PostgresAddress | undefined {
  if (text('database-url') === '') return undefined;
  const passwords = Object.fromEntries(['database-password', 'database-password-file'].map((flag) => [variableOf(flag), text(flag)]));
  const address = readAddress(text('database-url'), { ...environment, ...passwords });
  if ('problem' in address) throw new BadSetting(`--database-url: ${address.problem}`);
  return address;
}

function helpText(): string {
  const rows = SETTINGS.map(
    ({ flag, defaultValue, about }) =>
      `  --${flag.padEnd(27)} ${variableOf(flag).padEnd(35)} ${about}${defaultValue === '' ? '' : ` (${defaultValue})`}`,
  );
  return [
    `Usage: ${START} [options]`,
    '',
    'Each option can also be given as an environment variable; the option wins.',
    '',
    ...rows,
    '',
  ].join('\n');
}
