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
export const LIMIT = { min: 1, max: 100_000 };
export const NO_SUCH_BYTES = 'The console does not have these bytes, or not yet.';

export const noJob = (locator: string): string => `No job instance was found for '${locator}'.`;
export const noJobFile = (locator: string): string => `Job ${locator} not found.`;
export const noConsole = (job: string): string =>
  `Console log for ${job} is unavailable as it may have been purged by Slipway or deleted externally.`;
export const noCounter = (name: string): string => `The params '${name}' must be a number greater than 0.`;
export const TOO_MANY_STREAMS = 'Too many clients are following consoles now. Try again later.';
export const NOT_JOB_OF_AGENT = 'This job no longer belongs to this agent.';
export const noJobId = (id: string): string => `There is no job ${id.slice(0, 100)}.`;
export const GAP = 'There is a gap before these bytes.';
export const NO_SPACE = 'There is no space left on the disk of the artifacts.';

export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const MAYBE_COUNT: JsonSchema = { type: ['integer', 'null'], minimum: 0 };
/** Of a job that does not exist. */
export const LOCATOR = 'unknown/1/build/1/compile';
export const PARAMETERS: Readonly<Record<string, PathParameter>> = {
  pipeline_name: { description: 'The name of the pipeline, case-insensitive.', example: 'web' },
  pipeline_counter: { description: 'The counter of its run, or `latest`.', example: '1' },
  stage_name: { description: 'The name of the stage.', example: 'build' },
  stage_counter: { description: 'The counter of the stage run, or `latest`.', example: '1' },
  job_name: { description: 'The name of the job.', example: 'compile' },
};
const LINE_SCHEMA = objectSchema(
  {
    line: described(COUNT, 'The number of the line, counted from 0.'),
    time: described(MAYBE_TEXT, 'The time of day on the agent, `HH:MM:SS.mmm`; null: the line has none.'),
    tag: described(
      MAYBE_TEXT,
      'The kind of output: `##` notice; `pr`, `pe` preparation; `!!` start of a task; `&1`, `&2` output of the task; `?0`, `?1`, `^C` task passed, failed, cancelled; `!x`, `x0`, `x1` task of a cancel started, passed, failed; `ar`, `ae` artifacts; `j0`, `j1` job passed, failed; `ex` end of the job; null: the line has no tag.',
    ),
    text: described(TEXT, 'The rest of the line.'),
  },
  {
    title: 'Line of a console',
    others: { is_cut: { const: true, description: 'Whether the line is longer than 1 MiB, so that only its beginning is shown.' } },
  },
);
const EXAMPLE: Json = { line: 0, time: '09:30:00.123', tag: '##', text: '[Slipway] Start to prepare web/1/build/1/compile on agent-1' };
export const CALLERS = 'users who may see the pipeline';
export const FORBIDDEN = { when: 'The pipeline may not be seen.', example: { message: NOT_THIS_ACTION } };
const FROM = { ...COUNT, default: 0, description: 'The first line to return.' };

type Description = Omit<RouteDescription, 'chapter'>;

export const LINES: Description = {
  summary: 'The lines of a console, or the console as a stream',
  details: [
    `One JSON object for each line, from \`from\` on, each on a line of its own. While the job is not completed, only complete lines are returned.`,
    `With \`Accept: ${STREAM_TYPE}\` the answer is a stream of server-sent events that ends with the job: one event for each line, with the number of the line as its id. A client that reconnects with \`Last-Event-ID\` gets the lines after that one.`,
  ].join('\n\n'),
  callers: CALLERS,
  parameters: PARAMETERS,
  query: {
    from: FROM,
    limit: { ...COUNT, minimum: LIMIT.min, maximum: LIMIT.max, description: 'The maximum number of lines; not for streams. Default: all.' },
  },
  headers: { 'Last-Event-ID': { ...COUNT, description: 'For streams: the number of the last line that the client has.' } },
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
    503: { when: 'The source that knows the user of an access token cannot be asked now, or too many clients are following consoles.' },
  },
};

export const STREAM: Description = {
  summary: 'A console as it grows',
  details: 'After every 15 seconds without a line, a comment is sent. A client that does not read for a minute is cut off.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: { from: FROM },
  headers: LINES.headers!,
  type: STREAM_TYPE,
  response: TEXT,
};

export const FILE: Description = {
  summary: 'The console as a file',
  details:
    'Clients that poll say how many lines they have, or ask with `Range` for the bytes they do not have yet. While the job is not completed, only complete lines are returned.',
  callers: CALLERS,
  parameters: PARAMETERS,
  query: { startLineNumber: { ...FROM, description: 'The first line to return, counted from 0.' } },
  headers: {
    Range: { ...TEXT, description: 'The range of bytes to return, such as `bytes=0-65535`; not with `startLineNumber`.' },
    'If-Range': { ...TEXT, description: 'The range counts only if the console still has this ETag; otherwise all of it is returned.' },
  },
  type: 'text/plain',
  response: TEXT,
  example: '##|09:30:00.123 [Slipway] Start to prepare web/1/build/1/compile on agent-1\n',
  failures: {
    400: { when: '`startLineNumber` is not in its range, or there is no such parameter.' },
    403: FORBIDDEN,
    404: { when: 'There is no such job, or its console is gone.', example: { message: noJobFile(LOCATOR) } },
    416: { when: 'The console does not have these bytes; `Content-Range` says how many there are.', example: { message: NO_SUCH_BYTES } },
  },
};

export const APPEND: Description = {
  summary: 'Send the console output of a job',
  details:
    'For agents. The body has the output of the job from `offset` on, counted in bytes that this agent has sent for this assignment. Bytes that the server already has are ignored. The answer comes when they are on disk, and says how many there are.',
  callers: 'anyone who has the token of the agent that works on the job, as bearer token',
  parameters: { job: { description: 'The id of the job, as in the work.', example: '42' } },
  query: {
    epoch: { ...COUNT, description: 'The epoch of the assignment, as in the work.' },
    offset: { ...COUNT, description: 'Where in the output the body begins, in bytes.' },
  },
  bodies: { 'application/octet-stream': { schema: TEXT, example: '&1|09:30:00.123 hello\n' } },
  changes: 'nothing',
  response: objectSchema(
    { length: described(COUNT, 'How many bytes of this assignment the server has.') },
    { title: 'Console of an agent' },
  ),
  example: { length: 22 },
  failures: {
    400: { when: 'The id, `epoch` or `offset` is missing or not a number, or the request was cut off.' },
    401: { when: 'This is not the token of an agent.', example: { message: BAD_TOKEN } },
    404: { when: 'There is no such job.', example: { message: noJobId('unknown') } },
    409: {
      when: 'There is a gap before these bytes: `length` says how many the server has. Or, without `length`, the job no longer belongs to this agent.',
      schema: objectSchema(
        { message: described(TEXT, 'The reason in words.') },
        { others: { length: described(COUNT, 'How many bytes of this assignment the server has.') } },
      ),
      example: { message: GAP, length: 22 },
    },
    413: { when: `The body is larger than ${MAX_CONSOLE_CHUNK} bytes.` },
    507: { when: 'There is no space left on the disk.', example: { message: NO_SPACE } },
  },
};
