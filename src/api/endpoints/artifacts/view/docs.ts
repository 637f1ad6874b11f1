// The messages and the documentation of the routes of addresses without a login.
import type { Json } from '../../../../shape/json/json.ts';
import { described, objectSchema, TEXT, TIME } from '../../../../shape/json/schemas.ts';
import { EXAMPLE_BASE } from '../../../engine/answer-example.ts';
import type { RouteDescription } from '../../../engine/route.ts';
import { CALLERS, FORBIDDEN, LOCATOR, noCounter, noJob, PARAMETERS } from '../../consoles/docs.ts';
import { NO_SUCH_BYTES } from '../docs.ts';

export const ADDRESS_PATH = '/api/jobs/:pipeline_name/:pipeline_counter/:stage_name/:stage_counter/:job_name/artifact_view';
export const VIEW_FOLDER = '/artifact_view';
/** Token and path in one: a token may be longer than other parameters, and browsers are not asked for a login, even if it is invalid. */
export const VIEW_PATH = `${VIEW_FOLDER}/*address`;

export const EXPIRED = 'This address was valid for an hour. To see the file again, open the page of its job.';
export const NO_VIEW = 'There is no such file, or this address was not made by this server.';
export const NO_PATH = '`path` must name a file of the job.';

const TOKEN = 'dmVyYQ.7.1.1794911400.1GnrRmyJyVu2IWzX5YtxPLe8Fu2XoiYy5d1BCOZ5JcM';
const EXAMPLE: Json = { url: `${EXAMPLE_BASE}${VIEW_FOLDER}/${TOKEN}/reports/index.html`, expires_at: '2026-11-17T10:30:00.000Z' };

type Description = Omit<RouteDescription, 'chapter'>;

export const GET_ADDRESS: Description = {
  summary: 'Get an address of a file that needs no login',
  details: [
    'For reports that are shown in a frame: they have no rights, so browsers send no cookies for their style sheets, pictures and scripts.',
    'Every client that knows the address can read all files in the folder of the file and below it, at addresses beside this one, for 55 minutes to an hour. The address stops working earlier if the user who asked is disabled or may no longer see the pipeline, but not when the session of the user ends.',
  ].join('\n\n'),
  callers: `${CALLERS}, but not with an access token`,
  parameters: PARAMETERS,
  query: { path: { type: 'string', description: 'The path of the file, relative to the folder of the job. Required.' } },
  response: objectSchema(
    { url: described(TEXT, 'The address of the file.'), expires_at: described(TIME, 'When it stops working.') },
    { title: 'Address of an artifact without a login' },
  ),
  example: EXAMPLE,
  failures: {
    400: {
      when: 'A counter is neither a number nor `latest`, `path` is missing, or there is no such query parameter.',
      example: { message: noCounter('pipeline_counter') },
    },
    403: { ...FORBIDDEN, when: 'The pipeline may not be seen, or the request has an access token: the address would outlive it.' },
    404: { when: 'There is no such job, or no such file.', example: { message: noJob(LOCATOR) } },
  },
};

export const VIEW: Description = {
  summary: 'Show an artifact file without a login',
  details:
    'At an address that was given for this file, or for another one in its folder or above it. The file is sent as at `/files` and shown without any rights, but always by the server itself.',
  callers: 'anyone who has the address, as long as the user it was given to may see the pipeline',
  parameters: { address: { description: 'The token, and after it the path of the file.', example: `${TOKEN}/reports/index.html` } },
  headers: {
    Range: { type: 'string', description: 'A range of bytes, such as `bytes=1000-`.' },
    'If-Range': { type: 'string', description: 'An ETag: the range counts only if the file still has it.' },
  },
  type: 'application/octet-stream',
  response: TEXT,
  failures: {
    404: {
      when: 'There is no such file, the token is not valid for it, or a page of this server would run it as a script.',
      example: { message: NO_VIEW },
    },
    410: { when: 'The hour is over.', type: 'text/plain', schema: TEXT, example: EXPIRED },
    416: { when: 'The file does not have these bytes.', example: { message: NO_SUCH_BYTES } },
  },
};
