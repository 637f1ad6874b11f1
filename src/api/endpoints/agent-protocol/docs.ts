// The documentation of the routes of the agent protocol.

import { ALREADY_ISSUED, WAITS } from '../../../builds/agents/decide-registration.ts';
import { STATES } from '../../../builds/agents/read-registration.ts';
import { UNKNOWN_TOKEN } from '../../../builds/agents/registry.ts';
import { OTHER_PROCESS } from '../../../builds/agents/sessions.ts';
import { POLL_PATH, PROTOCOL_VERSION } from '../../../contracts/agent-protocol/messages.ts';
import { described, FLAG, MESSAGE, objectSchema, TEXT, TEXTS } from '../../../shape/json/schemas.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { BAD_TOKEN, PENDING } from './agent-of.ts';

const NUMBER = { type: 'integer' };
const STATE = { enum: STATES, description: 'Whether the agent may get work; `Pending`: an administrator has to decide.' };
const BYTES = { type: ['integer', 'null'], description: 'Free space in the working directory, in bytes; null: not known.' };
const INSTANCE = described(TEXT, 'Chosen by each process of an agent when it starts, and sent only to the server.');
const AUTHORIZATION = { ...TEXT, description: '`Bearer` and the token of the agent.', example: 'Bearer 0123…cdef' };

const REGISTRATION = objectSchema(
  {
    protocol: { ...NUMBER, description: 'The version of the protocol that the agent speaks.' },
    uuid: described(TEXT, 'Identifies the agent, which chooses it once.'),
    instance: INSTANCE,
    hostname: described(TEXT, 'The name of its machine.'),
    sandbox: described(TEXT, 'Its working directory.'),
    operating_system: described(TEXT, 'Its operating system.'),
    version: described(TEXT, 'Its release.'),
  },
  {
    title: 'Registration of an agent',
    others: {
      free_space: BYTES,
      key: described({ ...TEXT, writeOnly: true }, 'The auto-register key of the server.'),
      resources: described(TEXTS, 'The resources that jobs may ask for. They count only with the key.'),
      environments: described(TEXTS, 'The environments of the agent. They count only with the key.'),
      elastic_agent_id: described(TEXT, 'The id that the elastic agent plugin gave it.'),
      elastic_plugin_id: described(TEXT, 'The elastic agent plugin that made it.'),
    },
  },
);

export const REGISTER: Omit<RouteDescription, 'chapter'> = {
  summary: 'Register an agent each time it starts',
  details: `The first time without a token: the answer contains it, and it is not shown again. 201: the agent may work. 202: an administrator has to enable it first; until then it polls \`${POLL_PATH}\` meanwhile.`,
  callers: 'anyone; an agent that is already registered has to send its token',
  headers: { Authorization: AUTHORIZATION },
  type: 'application/json',
  request: {
    schema: REGISTRATION,
    example: {
      protocol: PROTOCOL_VERSION,
      uuid: '8a1b6f0e-3c57-4d92-9f0a-5b7c2e4d6a18',
      instance: '5e0c8d3f-24c1-4a6b-8f5d-9b1e7a2c4d60',
      hostname: 'agent-01.example.com',
      sandbox: '/var/lib/slipway/agent',
      operating_system: 'Linux',
      version: '1.0.0',
      free_space: 84_983_328_768,
    },
  },
  response: objectSchema(
    { state: STATE },
    {
      title: 'Registered agent',
      others: {
        token: described(TEXT, 'The token of the agent; only the first time.'),
        message: described(TEXT, 'Why the agent has to wait.'),
      },
    },
  ),
  status: 202,
  example: { token: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', state: 'Pending', message: WAITS },
  failures: {
    401: { when: 'The token is not that of an agent.', example: { message: UNKNOWN_TOKEN } },
    403: { when: 'The token is that of another agent.', example: { message: 'The token is that of another agent.' } },
    409: { when: 'The agent is already registered, and no token was sent.', example: { message: ALREADY_ISSUED } },
    422: {
      when: 'Something in the body is wrong; `data` says where. Or the server does not speak the version of the protocol; `protocols` says which it does.',
    },
    429: {
      when: 'Too many agents without a valid key are registering or waiting to be enabled.',
      schema: MESSAGE,
      example: { message: 'Too many agents register without a valid key. Try again later.' },
    },
    503: { when: 'The server that runs builds is starting.' },
  },
};

export const POLL: Omit<RouteDescription, 'chapter'> = {
  summary: 'Poll for orders',
  details:
    'The request is held open for up to half a minute when there is nothing to do. Each poll is a sign of life, so an agent sends the next one at once.',
  callers: 'anyone who has the token of an agent',
  headers: { Authorization: AUTHORIZATION },
  changes: 'nothing',
  type: 'application/json',
  request: {
    schema: objectSchema(
      {
        instance: INSTANCE,
        jobs: {
          type: 'array',
          description: 'The jobs it works on. When the list is empty, it can take one.',
          items: objectSchema(
            {
              job: described(NUMBER, 'The id of the job.'),
              epoch: described(NUMBER, 'The number of its assignment.'),
              is_cancelling: described(FLAG, 'Whether the agent knows that the job was cancelled, and is ending it.'),
            },
            { title: 'Job that an agent works on' },
          ),
        },
        state: { ...STATE, description: 'The last state that the server sent it. If the state has changed since, the answer says so.' },
      },
      { title: 'Poll of an agent', others: { free_space: BYTES } },
    ),
    example: { instance: '5e0c8d3f-24c1-4a6b-8f5d-9b1e7a2c4d60', jobs: [], free_space: 84_983_328_768, state: 'Enabled' },
  },
  response: objectSchema(
    { order: { enum: ['none', 'state', 'work', 'cancel', 'kill', 'drop'], description: 'What to do; `none`: ask again.' } },
    {
      title: 'Order to an agent',
      others: {
        state: STATE,
        job: described(NUMBER, 'The job to cancel, kill or drop.'),
        work: { type: 'object', additionalProperties: true, description: 'The job to run, with all that it needs.' },
      },
    },
  ),
  example: { order: 'none' },
  failures: {
    401: { when: 'There is no token, or it is not that of an agent.', example: { message: BAD_TOKEN } },
    409: { when: 'Another process works as this agent.', example: { message: OTHER_PROCESS } },
    503: { when: 'The server that runs builds is starting, or about to stop.' },
  },
};

export const JOB_OF_ANOTHER_AGENT = 'The job no longer belongs to this agent.';
export const NO_NUMBER = 'The id of the job must be a number.';

export const REPORT: Omit<RouteDescription, 'chapter'> = {
  summary: 'Report the progress of a job',
  details: 'Each report of a job has a number. One that is sent again, because its answer was lost, counts once.',
  callers: 'anyone who has the token of an agent',
  headers: { Authorization: AUTHORIZATION },
  parameters: { job: { description: 'The id of the job, from its work.', example: '17' } },
  changes: 'nothing',
  type: 'application/json',
  request: {
    schema: objectSchema(
      {
        instance: INSTANCE,
        epoch: described(NUMBER, 'The number of the assignment of the job.'),
        number: described(NUMBER, '1, 2, 3 … for each job.'),
        state: { enum: ['Preparing', 'Building', 'Completing', 'Completed'], description: 'The state of the job.' },
      },
      {
        title: 'Report of an agent',
        others: { result: { enum: ['Passed', 'Failed', 'Cancelled'], description: 'Only with `Completing` and `Completed`.' } },
      },
    ),
    example: { instance: '5e0c8d3f-24c1-4a6b-8f5d-9b1e7a2c4d60', epoch: 1, number: 4, state: 'Completed', result: 'Passed' },
  },
  response: objectSchema({ is_counted: described(FLAG, 'The report is stored.') }, { title: 'Counted report' }),
  example: { is_counted: true },
  failures: {
    401: { when: 'There is no token, or it is not that of an agent.', example: { message: BAD_TOKEN } },
    403: { when: 'The agent is waiting to be enabled.', example: { message: PENDING } },
    404: { when: 'The id of the job is not a number.', example: { message: NO_NUMBER } },
    409: { when: 'The job was given to another agent, or never belonged to this one.', example: { message: JOB_OF_ANOTHER_AGENT } },
    422: { when: 'Something in the body is wrong.' },
    503: { when: 'The server that runs builds is starting.' },
  },
};
