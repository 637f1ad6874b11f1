// The messages and the documentation of the routes of artifacts.
import type { Json, JsonSchema } from '../../../shape/json/json.ts';
import { described, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { noJobFile, PARAMETERS } from '../consoles/docs.ts';

const BASE = '/files/:pipeline_name/:pipeline_counter/:stage_name/:stage_counter/:job_name';
export const LIST_PATH = `${BASE}.json`;
export const FOLDER_PATH = BASE;
export const FILE_PATH = `${BASE}/*path`;

export const forbidden = (path: string): string => `Url ${path} contains forbidden characters.`;

/** Used as a path of a file, it would lead out of the folder of the job. */
export function isForbidden(path: string): boolean {
  return path.split(/[/\\]/).includes('..') || path.includes('\0');
}

export const NO_SUCH_BYTES = 'The file does not have these bytes.';
export const TOO_MANY = 'The folder has too many files for one archive. Get its list, and then the files one by one.';

const LOCATOR = 'web/1/build/1/compile';
const UNKNOWN = 'unknown/1/build/1/compile';
const CALLERS = 'users who may see the pipeline';
const FORBIDDEN = { when: 'The pipeline may not be seen.', example: { message: NOT_THIS_ACTION } };
const AFTER = { type: 'string', description: 'The path of the last file of the previous page, relative to the folder of the job.' };
const FORMAT: JsonSchema = {
  enum: ['zip'],
  description:
    'The folder at this path as an archive. If a job has published both `dist` and `dist.zip`, the address `dist.zip` gives the file.',
};
const LISTED: JsonSchema = {
  type: 'array',
  items: objectSchema(
    {
      name: described(TEXT, 'The name of the file or folder.'),
      url: described(TEXT, 'Its address. The address of a folder gives its list, or with `?format=zip` an archive.'),
      type: { enum: ['file', 'folder'], description: 'Whether it is a file or a folder.' },
    },
    {
      title: 'Artifact',
      others: {
        files: { type: 'array', description: 'The content of the folder, in the same form.' },
        size: { type: 'integer', minimum: 0, description: 'The size of the file in bytes. Files that the server itself adds have none.' },
      },
    },
  ),
};
const EXAMPLE: Json = [
  {
    name: 'dist',
    url: `https://ci.example.com/files/${LOCATOR}/dist`,
    type: 'folder',
    files: [{ name: 'app.jar', url: `https://ci.example.com/files/${LOCATOR}/dist/app.jar`, type: 'file', size: 48_211 }],
  },
];

type Description = Omit<RouteDescription, 'chapter'>;

export const LIST: Description = {
  summary: 'List the artifacts of a job',
  details: 'Files and folders as a tree. At most 5,000 files at once: the header `Link` says where the next ones are.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: { after: AFTER },
  type: 'application/json',
  response: LISTED,
  example: EXAMPLE,
  failures: {
    400: { when: 'A query parameter is given twice.' },
    403: FORBIDDEN,
    404: { when: 'There is no such job.', example: { message: noJobFile(UNKNOWN) } },
  },
};

export const FILE: Description = {
  summary: 'Download an artifact file or folder',
  details: [
    'A file is sent as it is, as a whole or in part. A browser shows a file of any type as a page without any rights.',
    'A folder is sent as a list of its content or, with `format=zip` or with `.zip` after its name, as an archive that is made while it is sent. A browser is redirected to the page of the job instead of the list.',
    'If artifacts are kept in a bucket and the settings allow it, the answer for a large file is 302 with a link that works for 15 minutes.',
    '`cruise-output/md5.checksum` has a line `path=md5` for each file.',
  ].join('\n\n'),
  callers: CALLERS,
  parameters: { ...PARAMETERS, path: { description: 'The path of the file or folder.', example: 'app.bin' } },
  query: {
    after: AFTER,
    format: FORMAT,
    sha1: { type: 'string', description: 'The SHA-1 of a copy, in base64: if the file is the same, the answer is 304.' },
  },
  headers: {
    Range: { type: 'string', description: 'A range of bytes, such as `bytes=1000-`.' },
    'If-Range': { type: 'string', description: 'An ETag: the range counts only if the file still has it.' },
  },
  type: 'application/octet-stream',
  response: TEXT,
  failures: {
    400: { when: 'A query parameter is given twice.' },
    403: { when: 'The pipeline may not be seen, or the path leads elsewhere.', example: { message: NOT_THIS_ACTION } },
    404: { when: 'There is no such job, or the file is gone.', example: { message: noJobFile(UNKNOWN) } },
    416: { when: 'The file does not have these bytes.', example: { message: NO_SUCH_BYTES } },
    422: { when: 'The folder has too many files for an archive.', example: { message: TOO_MANY } },
  },
};
