// The messages and the documentation of the routes of consoles.
import { MAX_CONSOLE_CHUNK } from '../../../contracts/agent-protocol/messages.ts';
import type { Json, JsonSchema } from '../../../shape/json/json.ts';
import { described, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { NOT_THIS_ACTION } from '../../engine/authorize.ts';
import type { PathParameter, RouteDescription } from '../../engine/route.ts';
import { BAD_TOKEN } from '../agent-protocol/agent-of.ts';

export const LINES_PATH = '/api/jobs/:pipeline_name/:pipeline_counter/:stage_name/:stage_counter/:job_name/console';
export const FILE_PATH = '/files/:pipeline_name/:pipeline_counter/:stage_name/:stage_counter/:job_name/cruise-output/console.log';
export const STREAM_TYPE = 'text/event-stream';
export const ANY_NUMBER = { min: 0, max: Number.MAX_SAFE_INTEGER };
export const LIMIT = { min: 1, max: 100_000 };
export const NO_SUCH_BYTES = 'The console has no such bytes, or not yet.';

export const noJob = (locator: string): string => `No job instance was found for '${locator}'.`;
export const noJobFile = (locator: string): string => `Job ${locator} not found.`;
export const noConsole = (job: string): string =>
  `Console log for ${job} is unavailable as it may have been purged by Slipway or deleted externally.`;
export const noCounter = (name: string): string => `The params '${name}' must be a number greater than 0.`;
export const TOO_MANY_STREAMS = 'Too many clients are following consoles now. Try again later.';
export const NOT_JOB_OF_AGENT = 'This job is not the job of this agent any more.';
export const noJobId = (id: string): string => `There is no job ${id.slice(0, 100)}.`;
export const GAP = 'There is a gap before these bytes.';
export const NO_SPACE = 'There is no space left on the disk of the artifacts.';

export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const MAYBE_COUNT: JsonSchema = { type: ['integer', 'null'], minimum: 0 };
/** Of a job that does not exist. */
export const LOCATOR = 'unknown/1/build/1/compile';
export const PARAMETERS: Readonly<Record<string, PathParameter>> = {
  pipeline_name: { description: 'The name of the pipeline, case-insensitive.', example: 'web' },
  pipeline_counter: { description: 'Which run of it: its counter, or `latest`.', example: '1' },
  stage_name: { description: 'The name of the stage.', example: 'build' },
  stage_counter: { description: 'Which run of the stage: its counter, or `latest`.', example: '1' },
  job_name: { description: 'The name of the job.', example: 'compile' },
};
const LINE_SCHEMA = objectSchema(
  {
    line: described(COUNT, 'The number of the line, from 0 on.'),
    time: described(MAYBE_TEXT, 'The time of day on the agent, `HH:MM:SS.mmm`; null: the line has none.'),
    tag: described(
      MAYBE_TEXT,
      'What kind of output it is: `##` a notice, `pr` and `pe` preparation, `!!` a task begins, `&1` and `&2` what it prints, `?0`, `?1` and `^C` it has passed, failed, was cancelled, `!x`, `x0` and `x1` the same of what runs on cancel, `ar` and `ae` artifacts, `j0` and `j1` the job has passed or failed, `ex` the end; null: the line does not say.',
    ),
    text: described(TEXT, 'The rest of the line.'),
  },
  {
    title: 'Line of a console',
    others: { is_cut: { const: true, description: 'The line is longer than 1 MiB, and only its beginning is shown.' } },
  },
);
const EXAMPLE: Json = { line: 0, time: '09:30:00.123', tag: '##', text: '[Slipway] Start to prepare web/1/build/1/compile on agent-1' };
export const CALLERS = 'users who may see the pipeline';
export const FORBIDDEN = { when: 'The pipeline may not be seen.', example: { message: NOT_THIS_ACTION } };
const FROM = { ...COUNT, default: 0, description: 'The first line that is wanted.' };

type Description = Omit<RouteDescription, 'chapter'>;

export const LINES: Description = {
  summary: 'The lines of a console, or the console as a stream',
  details: [
    `One JSON object for each line, from \`from\` on, each on a line of its own. Of a job that is not completed only lines that are complete.`,
    `With \`Accept: ${STREAM_TYPE}\` the answer ends with the job: it is a stream of server-sent events, one for each line, and their ids are the numbers of the lines. Who comes back with \`Last-Event-ID\` gets the lines after that one.`,
  ].join('\n\n'),
  callers: CALLERS,
  parameters: PARAMETERS,
  query: {
    from: FROM,
    limit: { ...COUNT, minimum: LIMIT.min, maximum: LIMIT.max, description: 'How many lines at most; not for streams. Default: all.' },
  },
  headers: { 'Last-Event-ID': { ...COUNT, description: 'Of a stream: the number of the last line that the client has.' } },
  response: LINE_SCHEMA,
  example: EXAMPLE,
  alsoAs: { [STREAM_TYPE]: TEXT },
  failures: {
    400: {
      when: 'A counter is neither a number nor `latest`, `from`, `limit` or `Last-Event-ID` is not in its range, or there is no such parameter.',
      example: { message: noCounter('pipeline_counter') },
    },
    403: FORBIDDEN,
    404: { when: 'There is no such job, or its console is gone.', example: { message: noJob(LOCATOR) } },
    503: { when: 'The source that knows the user of an access token cannot be asked now, or too many clients follow consoles.' },
  },
};

export const STREAM: Description = {
  summary: 'A console as it grows',
  details: 'Every 15 seconds without a line there is a comment. A client that does not read for a minute is cut off.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: { from: FROM },
  headers: LINES.headers!,
  type: STREAM_TYPE,
  response: TEXT,
};

export const FILE: Description = {
  summary: 'A console as it stands in its file',
  details:
    'Those who poll say how many lines they have, or from which byte on they want it, by `Range`. Of a job that is not completed only lines that are complete.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: { startLineNumber: { ...FROM, description: 'The first line that is wanted, counted from 0.' } },
  headers: {
    Range: { ...TEXT, description: 'The bytes that are wanted, such as `bytes=0-65535`; not with `startLineNumber`.' },
    'If-Range': { ...TEXT, description: 'Only where the console has this ETag; else all of it.' },
  },
  type: 'text/plain',
  response: TEXT,
  example: '##|09:30:00.123 [Slipway] Start to prepare web/1/build/1/compile on agent-1\n',
  failures: {
    400: { when: '`startLineNumber` is not in its range, or there is no such parameter.' },
    403: FORBIDDEN,
    404: { when: 'There is no such job, or its console is gone.', example: { message: noJobFile(LOCATOR) } },
    416: { when: 'There are no such bytes; `Content-Range` says how many there are.', example: { message: NO_SUCH_BYTES } },
  },
};

export const APPEND: Description = {
  summary: 'What a job has printed',
  details:
    'For agents. The body is what the job has printed from `offset` on, in bytes that this agent has sent for this assignment. Bytes that are there already are left out. The answer comes when they are on disk, and says how many there are.',
  callers: 'anyone who has the token of the agent that works on the job, as bearer token',
  parameters: { job: { description: 'The id of the job, as in the work.', example: '42' } },
  query: {
    epoch: { ...COUNT, description: 'The epoch of the assignment, as in the work.' },
    offset: { ...COUNT, description: 'Where the body begins, in bytes.' },
  },
  bodies: { 'application/octet-stream': { schema: TEXT, example: '&1|09:30:00.123 hello\n' } },
  changes: 'nothing',
  response: objectSchema({ length: described(COUNT, 'How many bytes of this assignment there are.') }, { title: 'Console of an agent' }),
  example: { length: 22 },
  failures: {
    400: { when: 'The id, `epoch` or `offset` is missing or not a number, or the request was cut off.' },
    401: { when: 'This is not the token of an agent.', example: { message: BAD_TOKEN } },
    404: { when: 'There is no such job.', example: { message: noJobId('unknown') } },
    409: {
      when: 'There is a gap before these bytes: `length` says how many there are. Or, without `length`, the job is not the job of this agent any more.',
      schema: objectSchema(
        { message: described(TEXT, 'The reason in words.') },
        { others: { length: described(COUNT, 'How many bytes of this assignment there are.') } },
      ),
      example: { message: GAP, length: 22 },
    },
    413: { when: `The body is larger than ${MAX_CONSOLE_CHUNK} bytes.` },
    507: { when: 'There is no space left on the disk.', example: { message: NO_SPACE } },
  },
};
