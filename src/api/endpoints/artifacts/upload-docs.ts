// The messages and the documentation of the routes that take artifacts from people.
import { NO_ROOM } from '../../../artifacts/uploads/upload-parts.ts';
import { MAX_CONSOLE_CHUNK } from '../../../contracts/agent-protocol/messages.ts';
import { NOT_AN_ARCHIVE } from '../../../kit/zip/bad-archive.ts';
import type { JsonSchema } from '../../../shape/json/json.ts';
import { described, TEXT } from '../../../shape/json/schemas.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import type { Failure, RouteDescription } from '../../engine/route.ts';
import { noJobFile, PARAMETERS } from '../consoles/docs.ts';
import { OPERATORS } from '../runs/visibility.ts';

export const created = (path: string): string => `File ${path} was created successfully`;
export const appended = (path: string): string => `File ${path} was appended successfully`;
export const fileExists = (path: string): string => `File ${path} already exists.`;
export const NO_FILE = 'The form has neither a part `file` nor a part `zipfile`.';
export const NO_NAME = 'A file needs a path below the folder of the job. Only a `zipfile` can be sent to the folder itself.';
export const TWO_FILES = 'The form has more than one file. Send them one by one, or as a `zipfile`.';
export const NOT_A_FORM = "You must specify a 'Content-Type' of 'multipart/form-data'";
export const CUT_OFF = 'The request was cut off before its body was complete.';
export const TOO_MANY_ARCHIVES = 'Too many archives are being unpacked now. Try again later.';
export const PURGED = 'The artifacts of this stage run were deleted, and it takes no new ones.';
export const SIZE_HEADER = 'X-Svc-Artifact-Size';

const UNKNOWN = 'unknown/1/build/1/compile';
const PATH = 'app.bin';
const SIZE: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'How many bytes will be sent. If there is not room for twice as much, the answer is 413 at once, before the body is read.',
};
const CONFIRM: JsonSchema = { const: 'true', description: 'Confirms the request.' };
const ZIPFILE: JsonSchema = { type: 'string', format: 'binary', description: 'An archive, instead of a file.' };
const CHECKSUMS = described(TEXT, 'Lines `path=md5`, with paths relative to the folder of the job: the files must have these checksums.');
const FAILURES: Readonly<Record<number, Partial<Failure>>> = {
  403: { when: 'The pipeline may not be operated, or the path leads elsewhere.', example: { message: NOT_THIS_ACTION } },
  404: { when: 'There is no such job.', example: { message: noJobFile(UNKNOWN) } },
  409: {
    when: 'The artifacts of the stage run were deleted, a file and a folder would have the same path, or something on the disk is in the way.',
    example: { message: PURGED },
  },
  413: { when: 'There is not enough space left.', example: { message: NO_ROOM } },
  422: {
    when: 'The path is not allowed, the archive is not accepted, or a checksum is wrong.',
    example: { message: `'cruise-output/console.state' is not the path of an artifact: the server itself writes this file.` },
  },
};
const parameters = { ...PARAMETERS, path: { description: 'The path of the file, relative to the folder of the job.', example: PATH } };

type Description = Omit<RouteDescription, 'chapter'>;

export const CREATE: Description = {
  summary: 'Add a file to the artifacts of a job',
  details: [
    'The part `file` becomes the file at this path. The files of a part `zipfile` are placed below it instead: all of them, or none if one of them is refused. An archive may have at most 100,000 files, none of them links or encrypted, and at most 200 times its own size when unpacked.',
    'Users see the files only when all of them are there.',
  ].join('\n\n'),
  callers: OPERATORS,
  parameters,
  headers: { [SIZE_HEADER]: SIZE, 'X-Svc-Confirm': CONFIRM },
  bodies: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: { type: 'string', format: 'binary', description: 'The content of the file.' },
          zipfile: ZIPFILE,
          file_checksum: CHECKSUMS,
        },
      },
      example: { file: 'hello', file_checksum: `${PATH}=5d41402abc4b2a76b9719d911017c592` },
    },
  },
  status: 201,
  type: 'text/plain',
  response: TEXT,
  example: created(PATH),
  failures: {
    ...FAILURES,
    400: {
      when: 'The confirm header is missing, or the form has no file, or more than one, or is cut off.',
      example: { message: NO_FILE },
    },
    403: {
      when: 'The pipeline may not be operated, the path leads elsewhere, or there is such a file.',
      example: { message: NOT_THIS_ACTION },
    },
    415: { when: 'The body is not a form.', example: { message: NOT_A_FORM } },
    503: { when: 'Too many archives are being unpacked.', example: { message: TOO_MANY_ARCHIVES } },
  },
};

export const CREATE_AT_TOP: Description = {
  ...CREATE,
  summary: 'Add the files of an archive to the artifacts of a job',
  details: 'As below a path, but into the folder of the job itself.',
  parameters: PARAMETERS,
  bodies: {
    'multipart/form-data': {
      schema: { type: 'object', properties: { zipfile: { ...ZIPFILE, description: 'The archive.' }, file_checksum: CHECKSUMS } },
      example: { zipfile: 'PK…' },
    },
  },
  example: created(''),
  failures: { ...CREATE.failures, 422: { ...FAILURES[422], example: { message: NOT_AN_ARCHIVE } } },
};

export const APPEND: Description = {
  summary: 'Append to an artifact file of a job',
  details: [
    'The body is added to the end of the file. If there is no such file, it is created.',
    `With the path \`cruise-output/console.log\` it goes into the console as separate lines, and may have at most ${MAX_CONSOLE_CHUNK} bytes. The job counts as active.`,
  ].join('\n\n'),
  callers: OPERATORS,
  parameters,
  headers: { [SIZE_HEADER]: SIZE },
  bodies: { 'application/octet-stream': { schema: TEXT, example: 'one more line\n' } },
  type: 'text/plain',
  response: TEXT,
  example: appended(PATH),
  failures: { ...FAILURES, 400: { when: 'The request was cut off.', example: { message: CUT_OFF } } },
};
