// The messages and the documentation of the routes of artifacts.

import { NOT_JOB_OF_AGENT } from '../../../../artifacts/publications.ts';
import { FileInUse } from '../../../../artifacts/storage/storage.ts';
import { MAX_ARCHIVED_BYTES, MAX_ARTIFACTS_AT_ONCE } from '../../../../contracts/agent-protocol/messages.ts';
import type { Json, JsonSchema } from '../../../../shape/json/json.ts';
import { described, FLAG, MESSAGE, objectSchema, TEXT, TEXTS } from '../../../../shape/json/schemas.ts';
import type { Failure, RouteDescription } from '../../../engine/route.ts';
import { BAD_TOKEN, PENDING } from '../agent-of.ts';
import { NO_NUMBER } from '../docs.ts';

export const WRONG_OFFSET = 'There are not as many bytes of this file.';
export const NO_ROOM = 'There is no room for a file of this size on the disk of the artifacts.';
export const NO_SPACE = 'There is no space left on the disk of the artifacts.';
export const CUT_OFF = 'The request was cut off before its body was complete.';
export const NO_TASK = 'The job has no such fetch task, or there is no run whose artifacts it could fetch.';
export const NO_RANGE = 'The file does not have these bytes.';
export const TOO_MANY = `There can be at most ${MAX_ARTIFACTS_AT_ONCE} files and folders at once.`;
export const unavailable = (path: string): string =>
  `Artifact '${path.slice(0, 1000)}' is unavailable as it may have been purged by Slipway or deleted externally.`;
/** For the console of the job. */
export const otherKind = (path: string, isFile: boolean): string =>
  `Artifact '${path.slice(0, 1000)}' is a ${isFile ? 'file' : 'folder'}: set \`is_source_a_file\` of the fetch task to ${isFile}.`;

type Description = Omit<RouteDescription, 'chapter'>;
type Failures = Readonly<Record<number, Partial<Failure>>>;

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
const CALLERS = 'anyone who has the token of the agent that works on the job, as bearer token';
const AUTHORIZATION = { ...TEXT, description: '`Bearer` and the token of the agent.', example: 'Bearer 0123…cdef' };
const SIZE = { ...COUNT, description: 'The total size in bytes: 413 when the disk has no room for it.' };
const JOB = { description: 'The id of the job, from its work.', example: '17' };
const FETCH = { description: 'The id of the fetch task, from the work.', example: '2' };
const EPOCH = { ...COUNT, description: 'The number of the assignment of the job, as in the work.' };
const PATH = { ...TEXT, description: 'The path of the file, with slashes.' };
const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const MD5 = '5d41402abc4b2a76b9719d911017c592';
const EXAMPLE_FILE: Json = { path: 'dist/app.tar.gz', bytes: 5, sha256: SHA256, md5: MD5 };
const FILE = objectSchema(
  {
    path: described(TEXT, 'Its path, with slashes.'),
    bytes: described(COUNT, 'Its size in bytes.'),
    sha256: described(TEXT, 'Its digest, in lower-case hex.'),
    md5: described(TEXT, 'The same in the words of older servers.'),
  },
  { title: 'Artifact of a job' },
);
const COMMON: Failures = {
  400: { when: 'A query parameter is missing, unknown or not a number, or the request was cut off.' },
  401: { when: 'There is no token, or it is not that of an agent.', example: { message: BAD_TOKEN } },
  403: { when: 'The agent is waiting to be enabled.', example: { message: PENDING } },
  404: { when: 'The id of the job is not a number.', example: { message: NO_NUMBER } },
  409: { when: 'The job was given to another agent, never belonged to this one, or has ended.', example: { message: NOT_JOB_OF_AGENT } },
  503: { when: 'The server that runs builds is starting.' },
};
const FULL: Failures = {
  413: { when: 'The disk has no room for so many bytes.', example: { message: NO_ROOM } },
  507: { when: 'There is no space left on the disk.', example: { message: NO_SPACE } },
};
const WRONG_PATH = { when: 'The path is not that of an artifact: it leads elsewhere, or the server itself writes it.' };
const LENGTH = described(COUNT, 'How many bytes of the file the server has.');

export const SEND_FILE: Description = {
  summary: 'Upload a file of a job',
  details: [
    'The body has the bytes of the file from `offset` on; 0 starts the file again. After a broken connection the agent continues where the answer says. Users do not see the file before it is published.',
    'To find out how many bytes the server has, send a request without a body whose `offset` is the size of the file.',
  ].join('\n\n'),
  callers: CALLERS,
  headers: { Authorization: AUTHORIZATION, 'X-Svc-Artifact-Size': SIZE },
  parameters: { job: JOB },
  query: { epoch: EPOCH, path: PATH, offset: { ...COUNT, description: 'Where in the file the body begins, in bytes.' } },
  bodies: { 'application/octet-stream': { schema: TEXT, example: 'hello' } },
  changes: 'nothing',
  type: 'application/json',
  response: objectSchema({ length: LENGTH }, { title: 'File of an agent' }),
  example: { length: 5 },
  failures: {
    ...COMMON,
    ...FULL,
    409: {
      when: 'The server has fewer bytes than `offset` says, or another request is sending this file: `length` says how many it has. Or, without `length`, the job no longer belongs to this agent.',
      schema: objectSchema({ message: described(TEXT, 'The reason in words.') }, { others: { length: LENGTH } }),
      example: { message: new FileInUse(0).message, length: 5 },
    },
    422: WRONG_PATH,
  },
};

export const SEND_ARCHIVE: Description = {
  summary: 'Upload many small files of a job',
  details: `A tar archive of at most ${MAX_ARTIFACTS_AT_ONCE} files of at most ${MAX_ARCHIVED_BYTES} bytes each. Each counts as if it had been sent alone. If the archive is refused or cut off, none of them counts, and it is sent again. An archive with links, devices or names that lead elsewhere is refused as a whole. Folders in it are ignored: empty ones are sent with the publication.`,
  callers: CALLERS,
  headers: { Authorization: AUTHORIZATION, 'X-Svc-Artifact-Size': SIZE },
  parameters: { job: JOB },
  query: { epoch: EPOCH },
  bodies: { 'application/x-tar': { schema: TEXT, example: 'dist/app.txt' } },
  changes: 'nothing',
  type: 'application/json',
  response: objectSchema({ files: described(COUNT, 'How many files arrived.') }, { title: 'Files of an archive' }),
  example: { files: 250 },
  failures: { ...COMMON, ...FULL, 422: { when: 'It is not an archive, is too large, or contains something that is not allowed.' } },
};

export const PUBLISH: Description = {
  summary: 'Publish uploaded files',
  details:
    'All of them or none. A publication that is sent again counts once. A file that was published before with the same digest counts as published. If files did not arrive, or differ from what the publication says, nothing is published: `missing` names them, and they are sent again.',
  callers: CALLERS,
  headers: { Authorization: AUTHORIZATION },
  parameters: { job: JOB },
  query: { epoch: EPOCH },
  changes: 'nothing',
  type: 'application/json',
  request: {
    schema: objectSchema(
      {
        instance: described(TEXT, 'Chosen by each process of an agent when it starts, and sent only to the server.'),
        epoch: described({ type: 'integer' }, 'The number of the assignment of the job.'),
        type: { enum: ['build', 'test', 'metadata'], description: 'With `test`, XML files are read as test reports.' },
        files: { type: 'array', items: FILE, description: 'Uploaded files.' },
        folders: described(TEXTS, 'Empty ones.'),
      },
      { title: 'Publication of artifacts' },
    ),
    example: { instance: '5e0c8d3f-24c1-4a6b-8f5d-9b1e7a2c4d60', epoch: 1, type: 'build', files: [EXAMPLE_FILE], folders: ['logs'] },
  },
  response: objectSchema({ missing: described(TEXTS, 'The paths of the files to send again.') }, { title: 'Published artifacts' }),
  example: { missing: [] },
  failures: {
    ...COMMON,
    409: {
      when: 'The job no longer belongs to this agent, a file with this path is already published with other content, or something on the disk is in the way.',
      schema: MESSAGE,
      example: { message: "The file 'dist/app.tar.gz' is published already, with other content." },
    },
    422: { when: 'Something in the body is wrong, or a path is not that of an artifact.' },
    507: FULL[507]!,
  },
};

const FETCHED_404 = {
  when: 'The job has no such fetch task, or what it names does not exist.',
  example: { message: unavailable('dist') },
};

export const LIST_FETCHED: Description = {
  summary: 'List the files that a fetch task fetches',
  details: `At most ${MAX_ARTIFACTS_AT_ONCE} at once, sorted by the bytes of their paths. Paths are relative to the folder that is fetched; the path of a single file is its name.`,
  callers: CALLERS,
  headers: { Authorization: AUTHORIZATION },
  parameters: { job: JOB, fetch: FETCH },
  query: { epoch: EPOCH, after: { ...TEXT, description: 'Only files after this path.' } },
  type: 'application/json',
  hasEtag: true,
  response: objectSchema(
    {
      files: { type: 'array', items: FILE, description: 'The files.' },
      folders: described(TEXTS, 'Empty folders; their paths end with a slash.'),
      has_more: described(FLAG, 'Whether there are more after the last one.'),
    },
    { title: 'Files of a fetch task' },
  ),
  example: { files: [EXAMPLE_FILE], folders: ['logs/'], has_more: false },
  failures: { ...COMMON, 404: FETCHED_404 },
};

export const READ_FETCHED: Description = {
  summary: 'Download a file of a fetch task',
  callers: CALLERS,
  headers: { Authorization: AUTHORIZATION, Range: { ...TEXT, description: 'One part of the file: `bytes=100-`.' } },
  parameters: { job: JOB, fetch: FETCH },
  query: { epoch: EPOCH, path: { ...PATH, description: 'The path of the file, as in the list.' } },
  type: 'application/octet-stream',
  hasEtag: true,
  response: { ...TEXT, format: 'binary' },
  failures: {
    ...COMMON,
    404: FETCHED_404,
    416: { when: 'The file ends before the part that is asked for.', example: { message: NO_RANGE } },
  },
};

export const READ_ARCHIVE: Description = {
  summary: 'Download many files of a fetch task as a tar archive',
  details: 'In the order of the request. If one of them can no longer be read, the archive is cut off.',
  callers: CALLERS,
  headers: { Authorization: AUTHORIZATION },
  parameters: { job: JOB, fetch: FETCH },
  query: { epoch: EPOCH },
  changes: 'nothing',
  type: 'application/x-tar',
  request: {
    schema: objectSchema(
      { epoch: described({ type: 'integer' }, 'The number of the assignment of the job.'), paths: described(TEXTS, 'Files of the list.') },
      { title: 'Wanted files' },
    ),
    example: { epoch: 1, paths: ['dist/app.tar.gz'] },
  },
  response: { ...TEXT, format: 'binary' },
  failures: { ...COMMON, 404: FETCHED_404, 422: { when: 'Something in the body is wrong.' } },
};
