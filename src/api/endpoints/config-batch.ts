// Many operations on the configuration in one request: one revision, all or nothing.
import { changesBy } from '../../history/edits.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Json, JsonObject, JsonOut } from '../../shape/json.ts';
import { resourceName } from '../../shape/resource.ts';
import { objectSchema, TEXT } from '../../shape/schemas.ts';
import { type BatchOutcome, type ItemResult, runBatch } from '../batch/batch.ts';
import { refusalAnswer, refusalBody } from '../refusal-reply.ts';
import type { ResourceParts } from '../resource-parts.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../route.ts';
import { CHANGED_SCHEMA, changedJson, ID, RESOURCE } from './changed-json.ts';

export const PLANS_CHAPTER = 'plans';
const MOST_OPERATIONS = 500;
const NOT_A_LIST = `The member \`operations\` must be a list of 1 to ${MOST_OPERATIONS} operations.`;

const OPERATION_SCHEMA = {
  title: 'Operation',
  type: 'object',
  required: ['method', 'resource'],
  properties: {
    method: { enum: ['POST', 'PUT', 'PATCH', 'DELETE'], description: 'As of the single call; PATCH takes a JSON merge patch.' },
    resource: RESOURCE,
    id: { ...ID, description: 'What stands for it in addresses; not for what is created, and not where there is only one.' },
    body: { type: 'object', additionalProperties: true, description: 'The body of the single call.' },
    if_match: { ...TEXT, description: 'The header If-Match of the single call.' },
  },
};
const RESULT_SCHEMA = objectSchema(
  { status: { type: 'integer', description: 'The status of the single call.' } },
  { title: 'Result of an operation', others: { id: TEXT, etag: TEXT } },
);

const EXAMPLE_OPERATIONS: readonly JsonObject[] = [
  { method: 'POST', resource: 'environments', body: { name: 'batch-one' } },
  { method: 'PUT', resource: 'default_job_timeout', body: { default_job_timeout: '0' } },
];

const EXAMPLE: JsonObject = {
  results: [
    { status: 200, id: 'batch-one', etag: '8f0e' },
    { status: 200, id: '', etag: '1c2d' },
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
    permission: 'user',
    description: {
      chapter: PLANS_CHAPTER,
      summary: 'Do many operations as one revision',
      details: `All of them or none, in the order of the list: each sees what those before it have done. Each is judged as the single call would be, its permission too. When one is refused nothing is done, and \`data.results\` has the verdict on each; \`data.changed_by_operation\` of a 412 is the place of the operation before it that changed the same entity. At most ${MOST_OPERATIONS}.`,
      who: 'every user; each operation needs what the single call needs',
      request: {
        schema: objectSchema({ operations: { type: 'array', minItems: 1, maxItems: MOST_OPERATIONS, items: OPERATION_SCHEMA } }),
        example: { operations: EXAMPLE_OPERATIONS },
      },
      response: objectSchema(
        {
          results: { type: 'array', items: RESULT_SCHEMA },
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
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MOST_OPERATIONS) {
    throw new Refusal('invalid', NOT_A_LIST, { data: { errors: { operations: [NOT_A_LIST] } } });
  }
  const { identity, author, isDryRun: dryRun } = request;
  const outcome = await runBatch({ operations: operations as readonly Json[], identity, author, dryRun }, parts, routes);
  const results = outcome.results.map(resultJson);
  if (!outcome.done) throw refused(outcome, results);
  if (dryRun) request.noteTried(outcome.done);
  const changes = changedJson(changesBy(outcome.done.edits));
  return jsonAnswer({ results, changes }, changes.length > 0 ? { revision: outcome.done.revision } : {});
}

function resultJson(result: ItemResult): JsonOut {
  if ('refusal' in result) return { status: refusalAnswer(result.refusal).status, ...(refusalBody(result.refusal) as JsonObject) };
  return { status: 200, id: result.id, ...(result.etag !== undefined && { etag: result.etag }) };
}

function refused({ results: verdicts, others }: BatchOutcome, results: readonly JsonOut[]): Refusal {
  const count = verdicts.filter((verdict) => 'refusal' in verdict).length;
  const what = count > 0 ? `${count} of ${verdicts.length} operations ${count === 1 ? 'is' : 'are'} refused.` : others[0]!.message;
  const errors = others.map(({ kind, id, message }) => ({ resource: kind ? resourceName(kind) : null, id: id ?? null, message }));
  return new Refusal('invalid', `Nothing was changed: ${what}`, { data: { results, ...(errors.length > 0 && { errors }) } });
}
