// Many operations on the configuration in one request: one revision, all or nothing.
import { changesBy } from '../../../history/edits.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Json, JsonObject } from '../../../shape/json/json.ts';
import { objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { resourceName } from '../../../shape/resource.ts';
import { EXAMPLE_BASE } from '../../engine/answer-example.ts';
import { type RefusedBatch, runBatch } from '../../engine/batch/batch.ts';
import type { ResourceParts } from '../../engine/resource-parts.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { refusalAnswer, refusalBody } from '../../http/refusal-reply.ts';
import { CHANGED_SCHEMA, changedJson } from '../common/changed-json.ts';
import { docLink, links } from '../common/links.ts';

export const PLANS_CHAPTER = 'plans';
const MAX_OPERATIONS = 500;
const NOT_A_LIST = `The member \`operations\` must be a list of 1 to ${MAX_OPERATIONS} operations.`;

const OPERATION_SCHEMA = {
  title: 'Operation',
  type: 'object',
  required: ['method', 'path'],
  properties: {
    method: {
      enum: ['POST', 'PUT', 'PATCH', 'DELETE'],
      description: 'As of the single call. PATCH takes a JSON merge patch, or the operations of its own that the resource has.',
    },
    path: { ...TEXT, description: 'The path of the single call, such as `/api/admin/environments/prod`, without parameters.' },
    body: { type: 'object', additionalProperties: true, description: 'The body of the single call.' },
    if_match: { ...TEXT, description: 'The header If-Match of the single call.' },
  },
};
const RESULT_SCHEMA = objectSchema(
  {
    status: { type: 'integer', description: 'The status of the single call.' },
    body: { type: 'object', additionalProperties: true, description: 'The body of its answer.' },
  },
  { title: 'Result of an operation', others: { etag: { ...TEXT, description: 'The ETag of its answer; absent when it is gone.' } } },
);

const ENVIRONMENTS = '/api/admin/environments';
const TIMEOUT = '/api/admin/config/server/default_job_timeout';
const EXAMPLE_OPERATIONS: readonly JsonObject[] = [
  { method: 'POST', path: ENVIRONMENTS, body: { name: 'batch-one' } },
  { method: 'PUT', path: TIMEOUT, body: { default_job_timeout: '0' } },
];

const EXAMPLE_LINKS = {
  environment: links(EXAMPLE_BASE, {
    self: `${ENVIRONMENTS}/batch-one`,
    doc: docLink('environment-config'),
    find: `${ENVIRONMENTS}/:environment_name`,
  }),
  timeout: links(EXAMPLE_BASE, { self: TIMEOUT, doc: docLink('default-job-timeout') }),
};

const EXAMPLE: JsonObject = {
  revision: 42,
  results: [
    { status: 200, etag: '8f0e', body: { _links: EXAMPLE_LINKS.environment, name: 'batch-one', pipelines: [], environment_variables: [] } },
    { status: 200, etag: '1c2d', body: { _links: EXAMPLE_LINKS.timeout, default_job_timeout: '0' } },
  ],
  changes: [
    {
      resource: 'environments',
      id: 'batch-one',
      operation: 'create',
      etag: '8f0e',
      differences: [
        {
          path: '',
          operation: 'add',
          after: { name: 'batch-one', pipelines: [], environment_variables: [] },
          words: "Environment config 'batch-one' created",
        },
      ],
    },
  ],
};

export function configBatchRoute(parts: ResourceParts, routes: readonly Route[]): Route {
  return {
    method: 'POST',
    path: '/api/admin/config/batch',
    version: 1,
    permission: 'admin',
    description: {
      chapter: PLANS_CHAPTER,
      summary: 'Do many operations as one revision',
      details: `All of them or none, in the order of the list: each sees what those before it have done. Each is judged as the single call would be. When one is refused nothing is done, and \`data.results\` has the verdict on each; \`data.changed_by_operation\` of a 412 is the place of the operation before it that changed the same entity. At most ${MAX_OPERATIONS}.`,
      request: {
        schema: objectSchema({
          operations: {
            type: 'array',
            minItems: 1,
            maxItems: MAX_OPERATIONS,
            items: OPERATION_SCHEMA,
            description: 'What to do, in order.',
          },
        }),
        example: { operations: EXAMPLE_OPERATIONS },
      },
      response: objectSchema(
        {
          revision: { type: ['integer', 'null'], description: 'The revision it made; null when it changed nothing.' },
          results: { type: 'array', items: RESULT_SCHEMA, description: 'The answer to each operation.' },
          changes: { type: 'array', description: 'What has changed, in order.', items: CHANGED_SCHEMA },
        },
        { title: 'Outcome of a batch' },
      ),
      example: EXAMPLE,
      changes: 'configuration',
      failures: { 422: { when: 'The list is not acceptable, or an operation is refused; `data.results` says which.' } },
    },
    handle: (request) => batch(parts, routes, request),
  };
}

async function batch(parts: ResourceParts, routes: readonly Route[], request: ApiRequest): Promise<Answer> {
  const { operations } = request.body;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw new Refusal('invalid', NOT_A_LIST, { data: { errors: { operations: [NOT_A_LIST] } } });
  }
  const { identity, author, base, isDryRun: dryRun } = request;
  const outcome = await runBatch({ operations: operations as readonly Json[], identity, author, dryRun, base }, parts, routes);
  if ('refusals' in outcome) throw refused(outcome);
  const { done, answers } = outcome;
  if (dryRun) request.noteDryRun(done);
  const changes = changedJson(await changesBy(done.edits, done));
  const revision = changes.length > 0 && !dryRun ? done.revision : undefined;
  const results = answers.map(({ etag, body }) => ({ status: 200, ...(etag !== undefined && { etag }), body }));
  return jsonAnswer({ revision: revision ?? null, results, changes }, { revision });
}

function refused({ refusals, others }: RefusedBatch): Refusal {
  const count = refusals.filter(Boolean).length;
  const summary = count > 0 ? `${count} of ${refusals.length} operations ${count === 1 ? 'is' : 'are'} refused.` : others[0]!.message;
  const errors = others.map(({ kind, id, message }) => ({ resource: kind ? resourceName(kind) : null, id: id ?? null, message }));
  return new Refusal('invalid', `Nothing was changed: ${summary}`, {
    data: { results: refusals.map(resultJson), ...(errors.length > 0 && { errors }) },
  });
}

/** An operation that would have been accepted has only a status: it was not carried out. */
function resultJson(refusal: Refusal | undefined): JsonObject {
  return refusal ? { status: refusalAnswer(refusal).status, ...refusalBody(refusal) } : { status: 200 };
}
