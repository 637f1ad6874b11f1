// Reads the values of settings, each with the error message for a wrong one.
import { delimiter, isAbsolute, resolve } from 'node:path';
import type { SessionLimits } from '../access/sessions/session.ts';
import type { PlainHttp } from '../api/http/listen.ts';
import { isAddressOrNetwork, LOOPBACK_AND_PRIVATE } from '../kit/network/address-list.ts';
import type { StartTls } from '../mail/smtp.ts';

export class BadSetting extends Error {}

export interface TlsSettings {
  readonly cert: string;
  readonly key: string;
  readonly port: number;
  readonly plain: PlainHttp;
}

/** Agents that the server starts beside itself. */
export interface LocalAgentSettings {
  readonly count: number;
  readonly user: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_PORT = 65535;
const MAX_LOCAL_AGENTS = 100;

export function replicaUrl(name: string, value: string): string | undefined {
  if (value === '') return undefined;
  const url = URL.parse(value);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.username === '') return url.origin;
  throw new BadSetting(`--${name} must look like http://10.1.2.3:8153, not '${value}'.`);
}

export function port(name: string, value: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= MAX_PORT) return number;
  throw new BadSetting(`--${name} must be a port number from 0 to ${MAX_PORT}, not '${value}'.`);
}

export function flag(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new BadSetting(`--${name} must be true or false, not '${value}'.`);
}

export function seconds(name: string, value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new BadSetting(`--${name} must be a number of seconds, not '${value}'.`);
}

export function days(name: string, value: string): number {
  if (/^\d{1,5}$/.test(value)) return Number(value);
  throw new BadSetting(`--${name} must be a number of days, not '${value}'.`);
}

export function sessionLimits(text: (flag: string) => string): SessionLimits {
  const [minutes, days] = ['session-idle-minutes', 'session-days'].map((name) => {
    if (/^[1-9]\d{0,4}$/.test(text(name))) return Number(text(name));
    throw new BadSetting(`--${name} must be a number from 1 to 99999, not '${text(name)}'.`);
  }) as [number, number];
  return { idleMs: minutes * MINUTE_MS, maxAgeMs: days * DAY_MS };
}

/** Servers that share a database come and go, so their agents are elsewhere. */
export function localAgents(text: (flag: string) => string): LocalAgentSettings {
  const value = text('local-agents') || (text('database-url') === '' ? '1' : '0');
  if (!/^\d{1,3}$/.test(value) || Number(value) > MAX_LOCAL_AGENTS)
    throw new BadSetting(`--local-agents must be a number from 0 to ${MAX_LOCAL_AGENTS}, not '${value}'.`);
  return { count: Number(value), user: text('local-agent-user') };
}

export function hosts(name: string, value: string): readonly string[] {
  const all = value.split(',').map((one) => one.trim().toLowerCase());
  if (value.trim() === '') return [];
  const wrong = all.find((one) => !/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(one));
  if (wrong === undefined) return all;
  throw new BadSetting(`--${name} must name hosts as host or host:port with commas between, not '${wrong}'.`);
}

export function proxies(name: string, value: string): readonly string[] {
  if (value === 'false') return [];
  if (value === 'true') return LOOPBACK_AND_PRIVATE;
  const all = value.split(',').map((one) => one.trim());
  const wrong = all.find((one) => !isAddressOrNetwork(one));
  if (wrong === undefined) return all;
  throw new BadSetting(`--${name} must be true, false, or addresses and networks such as 10.1.2.3,fd00::/8, not '${wrong}'.`);
}

export function folders(name: string, value: string): readonly string[] {
  const all = value.split(delimiter).filter((folder) => folder.trim() !== '');
  const wrong = all.find((folder) => !isAbsolute(folder));
  if (wrong === undefined) return all.map((folder) => resolve(folder));
  throw new BadSetting(`--${name} must name folders by their whole path, not '${wrong}'.`);
}

export function startTls(value: string): StartTls {
  if (value === 'offered' || value === 'always' || value === 'never') return value;
  throw new BadSetting(`--mail-starttls must be offered, always or never, not '${value}'.`);
}

export function diskLimits(text: (flag: string) => string): { readonly warningMb: number; readonly fullMb: number } {
  const [warningMb, fullMb] = ['disk-warning-mb', 'disk-full-mb'].map((name) => {
    if (!/^\d{1,9}$/.test(text(name))) throw new BadSetting(`--${name} must be a number of megabytes, not '${text(name)}'.`);
    return Number(text(name));
  }) as [number, number];
  if (fullMb > warningMb) throw new BadSetting('--disk-full-mb must not be greater than --disk-warning-mb.');
  return { warningMb, fullMb };
}

export function tlsOf(cert: string, key: string, text: (flag: string) => string): TlsSettings | undefined {
  const plain = text('tls-plain');
  if (plain !== 'redirect' && plain !== 'closed' && plain !== 'open')
    throw new BadSetting(`--tls-plain must be redirect, closed or open, not '${plain}'.`);
  if (cert !== '') return { cert, key, port: port('tls-port', text('tls-port')), plain };
  if (plain === 'closed') throw new BadSetting('--tls-plain closed leaves nothing open without --tls-cert and --tls-key.');
  return undefined;
}

export function contextPath(value: string): string {
  const path = value.replace(/\/+$/, '');
  if (path === '' || /^(?:\/[\w.~-]+)+$/.test(path)) return path;
  throw new BadSetting(`--context-path must look like /cd, not '${value}'.`);
}
