// The events beside those of configuration changes, made from facts that the parts of the server report.
import type { EventType } from '../shape/event-types.ts';
import type { NewEvent } from '../store/write-with-events.ts';

const MAX_TEXT_LENGTH = 1000;

type Data = NewEvent['data'];

export interface FailedLogin {
  /** The user whose name was given; null when no user has it: users type passwords into the wrong field. */
  readonly loginName: string | null;
  readonly address: string;
  readonly by: 'password' | 'token' | 'provider';
  /** The access token, when it is one that we know. */
  readonly tokenId: number | null;
}

export interface BackupFacts {
  readonly id: number;
  readonly user: string;
  readonly via: string;
  readonly status: string;
  readonly message: string;
  readonly path: string;
}

export interface MaintenanceFacts {
  readonly isOn: boolean;
  readonly by: string;
  readonly reason: string | null;
  readonly until: string | null;
}

export interface MaterialFacts {
  readonly fingerprint: string;
  readonly type: string;
  /** Without secrets, as is the failure. */
  readonly description: string;
}

/** How an attempt to bring a revision of a config repo into force has ended. */
export interface ParseFacts {
  readonly repo: string;
  readonly revision: string;
  /** `published`, or the reason why it did not come into force. */
  readonly outcome: string;
  /** In words without secrets. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;

/** `omitted`: so many more were not published since the last one. */
export function loginFailed({ loginName, address, by, tokenId }: FailedLogin, omitted: number): NewEvent {
  const about = [
    ...(loginName === null ? [] : [{ resource: 'users', id: loginName }]),
    ...(tokenId === null ? [] : [{ resource: 'access_tokens', id: String(tokenId) }]),
  ];
  return { ...event('login.failed', null, { address, by, omitted }), about };
}

export function backupStarted({ id, user, via }: BackupFacts): NewEvent {
  return event('backup.started', user, { via }, { resource: 'backups', id: String(id) });
}

export function backupEnded({ id, user, via, status, message, path }: BackupFacts): NewEvent {
  return event('backup.ended', user, { via, status, message: short(message), path }, { resource: 'backups', id: String(id) });
}

export function maintenanceSwitched({ isOn, by, reason, until }: MaintenanceFacts): NewEvent {
  return isOn ? event('maintenance_mode.enabled', by, { reason, until }) : event('maintenance_mode.disabled', by, {});
}

export function materialFailed(material: MaterialFacts, failure: string): NewEvent {
  return event('material.failed', null, { ...described(material), failure: short(failure) }, materialOf(material));
}

export function materialRecovered(material: MaterialFacts): NewEvent {
  return event('material.recovered', null, described(material), materialOf(material));
}

export function configRepoParsed({ repo, revision, outcome, problems }: ParseFacts): NewEvent {
  const listed = problems.slice(0, MAX_PROBLEMS).map(short);
  const data = { revision, outcome, problems: listed, problem_count: problems.length };
  return event('config_repo.parsed', null, data, { resource: 'config_repos', id: repo });
}

/** `former`: the name it had before, if it had one. */
export function namingOfRevision(revision: number, actor: string, name: string | null, former: string | null): NewEvent {
  const about = { resource: 'revisions', id: String(revision) };
  return event(name === null ? 'revision.unnamed' : 'revision.named', actor, { name, former }, about);
}

function event(type: EventType, actor: string | null, data: Data, ...about: NewEvent['about']): NewEvent {
  return { type, actor, about, data };
}

function described({ type, description }: MaterialFacts): Data {
  return { type, description: short(description) };
}

function materialOf({ fingerprint }: MaterialFacts): NewEvent['about'][number] {
  return { resource: 'materials', id: fingerprint };
}

function short(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
