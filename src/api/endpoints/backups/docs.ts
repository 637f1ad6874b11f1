// The messages and the documentation of the routes of backups.
import { type BackupRecord, STEPS, SUCCEEDED } from '../../../backup/record.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, embeddedSchema, FLAG, LINKS, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { NO_SPACE } from '../../engine/space-guard.ts';
import { backupJson, backupListJson } from './json.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const DEFAULT_PAGE = 100;
export const MAX_PAGE_SIZE = 1000;
export const RETRY_SECONDS = 5;
export const BAD_ID = 'The `id` parameter should be a number, or the keyword `running`';
export const noManifest = (id: string): string =>
  `There is no manifest of a backup with id '${id}': it was not completed, or its folder is gone.`;
export const unknownBackup = (id: string): string => `Backup with id '${id}' was not found!`;

const COUNT = { type: 'integer' };
const PHASE = objectSchema(
  {
    name: { enum: ['config', 'history', 'database', 'consoles', 'verification', 'copy', 'script'], description: 'The name of the phase.' },
    started_at: described(TIME, 'When it began.'),
    seconds: { type: 'number', description: 'How long it took, or has taken so far.' },
    bytes: { ...COUNT, description: 'How many bytes are done.' },
    total_bytes: { ...COUNT, description: 'How many bytes there are, as far as is known.' },
  },
  { title: 'Phase of a backup' },
);
const SCRIPT = objectSchema(
  {
    path: described(TEXT, 'The file that was run.'),
    exit_status: { type: ['integer', 'null'], description: 'Its exit status; null: it was stopped, or could not be started.' },
    problem: described(MAYBE_TEXT, 'What went wrong; null: nothing.'),
    output: { ...TEXT, description: 'The last 64 KiB of its output.' },
  },
  { title: 'Script after a backup' },
);
const COPY = objectSchema(
  {
    status: { enum: ['running', 'completed', 'waiting', 'failed'], description: '`waiting`: it failed, and will be tried again.' },
    address: described(TEXT, 'Where the copy is.'),
    message: described(TEXT, 'Its progress, or why it failed.'),
  },
  { title: 'Copy of a backup' },
);
const orNull = (schema: JsonSchema, description: string) => ({ oneOf: [schema, { type: 'null' }], description });
const BACKUP = objectSchema(
  {
    _links: LINKS,
    id: described(COUNT, 'Identifies it in addresses.'),
    time: { ...TIME, description: 'When it was requested.' },
    path: { ...TEXT, description: 'The folder.' },
    status: { enum: ['IN_PROGRESS', 'COMPLETED', 'ERROR', 'ABORTED'], description: '`ABORTED`: the server stopped before it was done.' },
    progress_status: { enum: Object.keys(STEPS), description: 'The last step that was started.' },
    message: described(TEXT, 'Its progress, or how it ended.'),
    user: described(
      objectSchema({ _links: LINKS, login_name: { ...TEXT, description: '`timer` for a scheduled one.' } }),
      'Who requested it.',
    ),
    initiated_via: { enum: ['TIMER', 'USER'], description: 'Whether it was scheduled, or a user asked for it.' },
    ended_at: described(MAYBE_TIME, 'null: it has not ended.'),
    bytes: { type: ['integer', 'null'], description: 'The size of the folder in bytes.' },
    verified: {
      type: ['boolean', 'null'],
      description: 'Whether a trial restore gave what the server had; null: not yet checked.',
    },
    verification: { ...MAYBE_TEXT, description: 'Why it is not verified.' },
    phases: { type: 'array', items: PHASE, description: 'While the backup is in progress, the last one is still running.' },
    script: orNull(SCRIPT, 'The outcome of the script that ran after it; null: there was none.'),
    copy: orNull(COPY, 'The state of its copy in the bucket; null: there is none.'),
    removed_at: { ...MAYBE_TIME, description: 'When the folder was removed by the rule for keeping backups.' },
  },
  { title: 'Backup' },
);

const EXAMPLE: BackupRecord = {
  id: 1,
  time: EXAMPLE_TIME,
  user: 'admin',
  via: 'USER',
  status: 'COMPLETED',
  step: 'BACKUP_DATABASE',
  message: SUCCEEDED,
  path: '/var/lib/slipway/artifacts/serverBackups/backup_20260131-093000',
  endedAt: EXAMPLE_TIME,
  bytes: 1_234_567,
  phases: [
    { name: 'config', startedAt: EXAMPLE_TIME, seconds: 0.05, bytes: 4_567, totalBytes: 4_567 },
    { name: 'history', startedAt: EXAMPLE_TIME, seconds: 0.1, bytes: 30_000, totalBytes: 30_000 },
    { name: 'database', startedAt: EXAMPLE_TIME, seconds: 0.25, bytes: 1_200_000, totalBytes: 1_200_000 },
    { name: 'verification', startedAt: EXAMPLE_TIME, seconds: 0.4, bytes: 1_234_567, totalBytes: 1_234_567 },
  ],
  verified: true,
  verification: null,
  script: null,
  copy: null,
  removedAt: null,
};

export const CREATE: Description = {
  summary: 'Make a backup',
  details:
    'It is made in the background, after those that were requested before; the address in `Location` shows its progress. All requests are served meanwhile. ' +
    'Version 1 answers when the backup has ended: 200 with the backup, or 500 with the reason why there is none.',
  headers: { 'X-Svc-Confirm': { ...TEXT, description: 'Required when there is no body: `true`.' } },
  status: 202,
  answerHeaders: {
    Location: { ...TEXT, description: 'The path of the backup.' },
    'Retry-After': { ...COUNT, description: 'How many seconds to wait before looking there.' },
  },
  failures: {
    400: { when: 'The confirm header is missing, or the query parameter `dry_run` is neither true nor false.' },
    507: NO_SPACE,
  },
};

export const SHOW: Description = {
  summary: 'Show a backup',
  details: 'While it is in progress, `phases` shows how many bytes of each part are done and how long it takes.',
  parameters: { id: { description: 'The id of the backup, or `running`: the one that is in progress.', example: '1' } },
  response: BACKUP,
  example: backupJson(EXAMPLE, EXAMPLE_BASE),
  hasEtag: true,
  failures: {
    400: { when: 'The id is neither a number nor `running`.', example: { message: BAD_ID } },
    404: { when: 'There is no such backup, or none is in progress.', example: { message: unknownBackup('4711') } },
  },
};

export const LIST: Description = {
  summary: 'List the backups',
  details: 'The newest first.',
  query: {
    page_size: { ...COUNT, minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE, description: 'How many at most.' },
    cursor: { ...COUNT, description: 'Only those before this id, as in the link `next`.' },
  },
  response: embeddedSchema('backups', BACKUP),
  example: backupListJson([EXAMPLE], EXAMPLE_BASE, undefined),
  hasEtag: true,
  failures: { 400: { when: 'A query parameter is not a number in its range.' } },
};

export const FINISHED: Description = {
  summary: 'Show whether a backup is being made',
  response: objectSchema({ is_backing_up: described(FLAG, 'Whether one is being made now.') }),
  example: { is_backing_up: false },
};

export const MANIFEST: Description = {
  summary: 'Download the manifest of a backup',
  details:
    'The file `manifest.json` of its folder: what the backup contains, with the checksums of all parts. If you keep a copy elsewhere, it shows whether the folder is unchanged.',
  parameters: { id: { description: 'The id of the backup.', example: '1' } },
  response: { type: 'object', additionalProperties: true, description: 'The manifest.' },
  hasEtag: true,
  answerHeaders: { 'Content-Disposition': { ...TEXT, description: 'The name for the downloaded file.' } },
  failures: {
    404: { when: 'There is no such backup, it was not completed, or its folder is gone.', example: { message: noManifest('4711') } },
  },
};
