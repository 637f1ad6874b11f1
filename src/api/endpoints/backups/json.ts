// Backups as JSON.
import type { BackupRecord, Phase } from '../../../backup/record.ts';
import type { JsonOut } from '../../../shape/json/json.ts';
import { dateOf } from '../common/date-of.ts';
import { docLink, links } from '../common/links.ts';
import { USERS_PATH } from '../users/json.ts';

export const BACKUPS_PATH = '/api/backups';
const DOC = docLink('backups');

export function backupJson(record: BackupRecord, base: string): JsonOut {
  const { id, script, copy } = record;
  return {
    _links: links(base, { doc: DOC, self: `${BACKUPS_PATH}/${id}` }),
    id,
    time: dateOf(record.time),
    path: record.path,
    status: record.status,
    progress_status: record.step,
    message: record.message,
    user: userJson(record.user, base),
    initiated_via: record.via,
    ended_at: dateOf(record.endedAt),
    bytes: record.bytes,
    verified: record.verified,
    verification: record.verification,
    phases: record.phases.map(phaseJson),
    script: script && { path: script.path, exit_status: script.exitStatus, problem: script.problem, output: script.output },
    copy: copy && { status: copy.status, address: copy.address, message: copy.message },
    removed_at: dateOf(record.removedAt),
  };
}

/** `next` is where the older ones are. */
export function backupListJson(records: readonly BackupRecord[], base: string, next: string | undefined): JsonOut {
  return {
    _links: links(base, { doc: DOC, self: BACKUPS_PATH, ...(next !== undefined && { next }) }),
    _embedded: { backups: records.map((record) => backupJson(record, base)) },
  };
}

function userJson(login: string, base: string): JsonOut {
  const self = `${USERS_PATH}/${encodeURIComponent(login)}`;
  const addresses = { doc: docLink('users'), self, find: `${USERS_PATH}/:login_name`, current_user: '/api/current_user' };
  return { _links: links(base, addresses), login_name: login };
}

function phaseJson({ name, startedAt, seconds, bytes, totalBytes }: Phase): JsonOut {
  return { name, started_at: dateOf(startedAt), seconds, bytes, total_bytes: totalBytes };
}
