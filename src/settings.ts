// What an administrator can set: environment variables, and flags of the same names that win over them.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Settings {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string; readonly port: number } | undefined;
  readonly contextPath: string;
  readonly trustProxy: boolean;
  readonly openMetrics: boolean;
  readonly logLevel: string;
  readonly adminPassword: string | undefined;
}

interface Setting {
  readonly flag: string;
  readonly absent: string;
  readonly about: string;
}

export const SETTINGS: readonly Setting[] = [
  { flag: 'data-dir', absent: './data', about: 'directory for everything the server keeps' },
  { flag: 'host', absent: '127.0.0.1', about: 'address to listen on' },
  { flag: 'port', absent: '8153', about: 'port for HTTP; 0 takes any free one' },
  { flag: 'tls-cert', absent: '', about: 'certificate file (PEM); with --tls-key this switches TLS on' },
  { flag: 'tls-key', absent: '', about: 'private key file (PEM) of the certificate' },
  { flag: 'tls-port', absent: '8154', about: 'port for HTTPS' },
  { flag: 'context-path', absent: '', about: 'path in front of every address, such as /cd' },
  { flag: 'trust-proxy', absent: 'false', about: 'true: believe the X-Forwarded-* headers of a proxy in front' },
  { flag: 'open-metrics', absent: 'false', about: 'true: /metrics needs no login' },
  { flag: 'log-level', absent: 'info', about: 'trace, debug, info, warn, error or silent' },
  { flag: 'database-url', absent: '', about: 'unset: the embedded database in the data directory' },
  { flag: 'admin-password', absent: '', about: "first start only: the administrator's password" },
];

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'];
const HIGHEST_PORT = 65535;

/** The settings, or the sentence that says what is wrong with them. */
export type SettingsVerdict = { readonly settings: Settings } | { readonly problem: string } | { readonly help: string };

export function readSettings(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): SettingsVerdict {
  if (args.includes('--help') || args.includes('-h')) return { help: helpText() };
  try {
    return { settings: checkedSettings(valuesOf(args, environment)) };
  } catch (failure) {
    if (failure instanceof BadSetting) return { problem: failure.message };
    throw failure;
  }
}

class BadSetting extends Error {}

export function variableOf(flag: string): string {
  return `SLIPWAY_${flag.replaceAll('-', '_').toUpperCase()}`;
}

function valuesOf(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const values = new Map(SETTINGS.map(({ flag, absent }) => [flag, environment[variableOf(flag)] || absent]));
  for (const name of Object.keys(environment)) {
    const isKnown = SETTINGS.some(({ flag }) => variableOf(flag) === name);
    if (name.startsWith('SLIPWAY_') && !isKnown) throw new BadSetting(`Unknown setting ${name}. See --help.`);
  }
  for (let index = 0; index < args.length; index++) {
    const [, flag, inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(args[index]!) ?? [];
    if (flag === undefined || !values.has(flag)) throw new BadSetting(`Unknown option ${args[index]}. See --help.`);
    const value = inline ?? args[++index];
    if (value === undefined) throw new BadSetting(`The option --${flag} needs a value.`);
    values.set(flag, value);
  }
  return values;
}

function checkedSettings(values: ReadonlyMap<string, string>): Settings {
  const text = (flag: string) => values.get(flag)!;
  const cert = text('tls-cert');
  const key = text('tls-key');
  if ((cert === '') !== (key === '')) throw new BadSetting('Give both --tls-cert and --tls-key, or neither.');
  for (const [flag, file] of [
    ['tls-cert', cert],
    ['tls-key', key],
  ] as const) {
    if (file !== '' && !existsSync(file)) throw new BadSetting(`--${flag}: there is no file ${file}.`);
  }
  if (text('database-url') !== '')
    throw new BadSetting('--database-url: this version works with the embedded database only. Leave it unset.');
  if (!LOG_LEVELS.includes(text('log-level'))) throw new BadSetting(`--log-level must be one of ${LOG_LEVELS.join(', ')}.`);
  if (text('host').trim() === '') throw new BadSetting('--host must not be empty.');
  return {
    dataDir: resolve(text('data-dir')),
    host: text('host'),
    port: port('port', text('port')),
    tls: cert === '' ? undefined : { cert, key, port: port('tls-port', text('tls-port')) },
    contextPath: contextPath(text('context-path')),
    trustProxy: flag('trust-proxy', text('trust-proxy')),
    openMetrics: flag('open-metrics', text('open-metrics')),
    logLevel: text('log-level'),
    adminPassword: text('admin-password') || undefined,
  };
}

function port(name: string, value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= HIGHEST_PORT) return number;
  throw new BadSetting(`--${name} must be a port number from 0 to ${HIGHEST_PORT}, not '${value}'.`);
}

function flag(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new BadSetting(`--${name} must be true or false, not '${value}'.`);
}

function contextPath(value: string): string {
  const path = value.replace(/\/+$/, '');
  if (path === '' || /^(?:\/[\w.~-]+)+$/.test(path)) return path;
  throw new BadSetting(`--context-path must look like /cd, not '${value}'.`);
}

function helpText(): string {
  const rows = SETTINGS.map(
    ({ flag, absent, about }) => `  --${flag.padEnd(16)} ${variableOf(flag).padEnd(24)} ${about}${absent === '' ? '' : ` (${absent})`}`,
  );
  return [
    'Usage: npm start -- [options]',
    '',
    'Each option can also be given as an environment variable; the option wins.',
    '',
    ...rows,
    '',
  ].join('\n');
}
