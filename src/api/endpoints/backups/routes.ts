// Backups: ask for one, see how far it is, see those that were made.
import type { BackupRecord } from '../../../backup/record.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Method, type Route, type RouteDescription } from '../../engine/route.ts';
import {
  BAD_ID,
  CREATE,
  DEFAULT_PAGE,
  FINISHED,
  LIST,
  MANIFEST,
  MAX_PAGE_SIZE,
  noManifest,
  RETRY_SECONDS,
  SHOW,
  unknownBackup,
} from './docs.ts';
import { BACKUPS_PATH, backupJson, backupListJson } from './json.ts';

export interface BackupRouteParts {
  readonly contextPath: string;
  /** Of the server's own data, or of the artifacts. */
  refuseWhenFull(): void;
  request(user: string): Promise<BackupRecord>;
  /** Returns when those that were asked for so far have ended, or were cut off. */
  settled(): Promise<void>;
  running(): BackupRecord | undefined;
  find(id: number): Promise<BackupRecord | undefined>;
  list(limit: number, before?: number): Promise<readonly BackupRecord[]>;
  /** undefined: there is no complete folder, or none any more. */
  manifest(record: BackupRecord): Promise<string | undefined>;
}

const RUNNING = 'running';
const MAX_NUMBER_LENGTH = 15;
const CUT_OFF = 'The server was stopped before the backup had ended.';

export function backupRoutes(parts: BackupRouteParts): Route[] {
  return [
    route('POST', BACKUPS_PATH, CREATE, async ({ identity, isDryRun, version, base }) => {
      const headers = ['Retry-After', String(RETRY_SECONDS)];
      if (isDryRun) return { status: 202, headers };
      parts.refuseWhenFull();
      const { id } = await parts.request(identity.loginName);
      if (version === 1) return whenEnded(id, base);
      return { status: 202, headers: ['Location', `${parts.contextPath}${BACKUPS_PATH}/${id}`, ...headers] };
    }),
    route('GET', BACKUPS_PATH, LIST, async ({ query, base }) => {
      const size = numberIn(query, 'page_size', MAX_PAGE_SIZE) ?? DEFAULT_PAGE;
      const found = await parts.list(size + 1, numberIn(query, 'cursor', Number.MAX_SAFE_INTEGER));
      const shown = found.slice(0, size);
      const next = found.length > size ? `${BACKUPS_PATH}?page_size=${size}&cursor=${shown.at(-1)!.id}` : undefined;
      return jsonAnswer(backupListJson(shown, base, next));
    }),
    route('GET', `${BACKUPS_PATH}/:id`, SHOW, async ({ params, base }) => {
      const id = params.id ?? '';
      if (id !== RUNNING && !/^\d+$/.test(id)) throw new Refusal('malformed', BAD_ID);
      const found = id === RUNNING ? parts.running() : id.length <= MAX_NUMBER_LENGTH ? await parts.find(Number(id)) : undefined;
      if (!found) throw new Refusal('notFound', unknownBackup(id));
      return jsonAnswer(backupJson(found, base));
    }),
    route('GET', `${BACKUPS_PATH}/:id/manifest`, MANIFEST, async ({ params: { id = '' } }) => {
      const found = /^\d{1,15}$/.test(id) ? await parts.find(Number(id)) : undefined;
      const text = found && (await parts.manifest(found));
      if (text === undefined) throw new Refusal('notFound', noManifest(id));
      const headers = ['Content-Disposition', `attachment; filename="backup-${id}-manifest.json"`];
      return { status: 200, text, bytes: Buffer.byteLength(text), headers };
    }),
    {
      method: 'GET',
      path: '/is_backup_finished.json',
      version: null,
      permission: 'user',
      description: { chapter: 'backups', ...FINISHED },
      handle: () => jsonAnswer({ is_backing_up: parts.running() !== undefined }, { type: 'application/json; charset=utf-8' }),
    },
  ];

  async function whenEnded(id: number, base: string): Promise<Answer> {
    await parts.settled();
    const backup = await parts.find(id);
    if (backup?.status === 'COMPLETED') return jsonAnswer(backupJson(backup, base));
    if (backup?.status === 'ERROR') return jsonAnswer({ message: backup.message }, { status: 500 });
    throw new Refusal('unavailable', CUT_OFF);
  }
}

function route(method: Method, path: string, description: Omit<RouteDescription, 'chapter'>, handle: Route['handle']): Route {
  return {
    method,
    path,
    version: 2,
    alsoVersions: [1],
    permission: 'admin',
    worksInMaintenance: true,
    description: { chapter: 'backups', ...description },
    handle,
  };
}

function numberIn(query: ApiRequest['query'], name: string, max: number): number | undefined {
  const given = query.get(name);
  if (given === null) return undefined;
  if (/^\d{1,16}$/.test(given) && Number(given) >= 1 && Number(given) <= max) return Number(given);
  throw new Refusal(
    'malformed',
    `Value \`${given.slice(0, 100)}\` is not allowed for query parameter named \`${name}\`. Valid values are whole numbers from 1 to ${max}.`,
  );
}
