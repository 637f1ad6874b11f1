// The description of the API is whole: every route describes its body, its answer and its failures, with schemas and examples.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OpenApi, type Operation, type Response, type Schema, takesHeader } from '../../support/requests/openapi.ts';
import { TestServer } from '../../support/server/server.ts';

/** Answers without an example, and why. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string>> = {
  'GET /api/openapi.json': 'it would have to contain itself',
  'GET /api/docs': 'it is a page to be looked at',
  'GET /api/docs/{chapter}': 'it is a page to be looked at',
  'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': 'it is whatever a job has left',
  'GET /artifact_view/{address}': 'it is whatever a job has left',
  'GET /api/admin/export': 'it is an archive',
  'GET /api/backups/{id}/manifest': 'it lists the files of one backup',
  'GET /agent/v1/jobs/{job}/fetches/{fetch}/file': 'it is any file',
  'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive': 'it is an archive',
  'GET /api/admin/export/groups/{group_name}': 'it is an archive',
  'GET /api/admin/support_bundle': 'it is an archive',
};
/** Writes that change nothing, so that there is nothing to try out first. */
const CHANGES_NOTHING = new Set([
  // A token counts once.
  'POST /auth/backchannel_logout/{auth_config_id}',
  // Requests of agents have no dry run.
  'POST /agent/v1/poll',
  'POST /agent/v1/jobs/{job}/reports',
  'PUT /agent/v1/jobs/{job}/console',
  'PUT /agent/v1/jobs/{job}/artifacts/file',
  'PUT /agent/v1/jobs/{job}/artifacts/archive',
  'POST /agent/v1/jobs/{job}/artifacts/publication',
  'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive',
  'POST /api/admin/config_repo_ops/preflight',
  'POST /api/admin/encrypt',
  'POST /api/admin/internal/config_repos/verify_connection',
  'POST /api/admin/internal/packages/verify_connection',
  'POST /api/admin/internal/pipelines/verify_connection',
  'POST /api/admin/internal/repositories/verify_connection',
  'POST /api/admin/internal/scms/verify_connection',
  'POST /api/admin/internal/security/auth_configs/verify_connection',
  'POST /api/admin/webhooks/{id}/test',
  'POST /api/config/mailserver/test',
  'POST /api/config-repository.git/git-receive-pack',
  'POST /api/config-repository.git/git-upload-pack',
  // The server stores no drafts.
  'POST /api/current_user/sealed_drafts',
  'POST /api/current_user/sealed_drafts/open',
]);
/** Operations that take bytes of any type; an offset, a name or their end says where the bytes belong. */
const STREAMED = new Set([
  'PUT /agent/v1/jobs/{job}/console',
  'PUT /agent/v1/jobs/{job}/artifacts/file',
  'PUT /agent/v1/jobs/{job}/artifacts/archive',
  'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}',
]);
/** Writes that have nothing to say but that they are meant. */
const WITHOUT_BODY = new Set([
  'POST /api/admin/agent_registration/rotate',
  'POST /api/agents/{uuid}/kill_running_tasks',
  'POST /api/pipelines/{pipeline_name}/unlock',
  'POST /api/pipelines/{pipeline_name}/unpause',
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/cancel',
  'POST /api/stages/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/run-failed-jobs',
  'POST /api/admin/config_repos/{id}/trigger_update',
  'POST /api/admin/maintenance_mode/disable',
  'POST /api/admin/webhooks/{id}/test',
  'POST /api/backups',
  'POST /api/internal/materials/{fingerprint}/trigger_update',
]);
/** Successes without a body. */
const BODILESS = new Set([204, 302]);
const BODILESS_TOO = new Set(['POST /api/backups']);
const isBodiless = (name: string, status: number) => BODILESS.has(status) || BODILESS_TOO.has(name);
/** Protocols whose bodies and answers are not described here, and where they are tried. */
const PROTOCOLS: Readonly<Record<string, string>> = {
  git: 'config-git.test.ts clones and fetches with the stock client',
  openid: 'web-logins/openid-connect.test.ts logs in and out at a real provider',
};
/** Other statuses for a wrong body or a stale condition: GoCD has them, or the answer itself reports the errors. */
const OWN_STATUS: Readonly<Record<string, Partial<typeof DEFAULT_STATUS>>> = {
  'POST /api/admin/config.xml': { wrong: 404, stale: 409 },
  'POST /api/admin/config/plan': { wrong: 400 },
  'POST /api/webhooks/github/notify': { wrong: 400, otherType: 400 },
  'POST /api/webhooks/gitlab/notify': { wrong: 400, otherType: 400 },
  'PUT /agent/v1/jobs/{job}/console': { wrong: 400, otherType: 400 },
  'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': { wrong: 422, otherType: 400 },
  'PUT /agent/v1/jobs/{job}/artifacts/file': { otherType: 400 },
  'PUT /agent/v1/jobs/{job}/artifacts/archive': { otherType: 400 },
  'POST /api/webhooks/bitbucket/notify': { wrong: 400, otherType: 400 },
  'POST /api/webhooks/hosted_bitbucket/notify': { wrong: 400, otherType: 400 },
  'POST /api/webhooks/github/config_repos/{id}': { wrong: 400, otherType: 400 },
  'POST /api/webhooks/gitlab/config_repos/{id}': { wrong: 400, otherType: 400 },
  'POST /api/webhooks/bitbucket/config_repos/{id}': { wrong: 400, otherType: 400 },
  'POST /api/webhooks/hosted_bitbucket/config_repos/{id}': { wrong: 400, otherType: 400 },
};
const DEFAULT_STATUS = { wrong: 422, stale: 412, otherType: 415 };
/** Failures that are no message as JSON of our own type. */
const OWN_FAILURES: Readonly<Record<string, string>> = {
  'POST /api/admin/config.xml 404': 'application/json',
  'POST /api/admin/config.xml 409': 'application/json',
  'GET /artifact_view/{address} 410': 'text/plain',
  'GET /api/config-repository.git/info/refs 400': 'text/plain',
  'GET /api/config-repository.git/objects/{folder}/{file} 400': 'text/plain',
  'POST /api/config-repository.git/git-upload-pack 400': 'text/plain',
};
/** Failures whose message depends on the error. */
const VARYING = new Set([400, 422, 503]);

let server: TestServer;
let api: OpenApi;
before(async () => {
  server = await TestServer.start();
  api = await OpenApi.of(server);
});
after(() => server.stop());

type Lacks = (operation: Operation) => readonly (string | false | undefined)[];

/** Looks at each operation, and reports all that lack something. */
function everyOperation(lacks: Lacks, operations = api.operations): void {
  const found = operations.flatMap((operation) => lacks(operation).flatMap((lack) => (lack ? [`${operation.name}: ${lack}`] : [])));
  assert.deepEqual(found, []);
}

/** Every operation whose bodies and answers are ours to describe. */
function everyOwnOperation(lacks: Lacks): void {
  everyOperation(
    lacks,
    api.operations.filter(({ protocol }) => protocol === undefined),
  );
}

describe('every operation', () => {
  test('has a summary, names the users it is for, and belongs to a chapter', () => {
    const chapters = new Set(api.document.tags.map((tag: { name: string }) => tag.name));
    everyOperation(({ summary, description, tags }) => [
      !summary && 'no summary',
      !/\bFor (?:administrators|anyone|every user|users)\b/.test(description ?? '') && 'does not say whom it is for',
      !(tags.length === 1 && chapters.has(tags[0])) && 'no chapter',
    ]);
  });

  test('explains its parameters, and gives examples of those in the path', () => {
    everyOperation(({ parameters, path }) => [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(
        ([, name]) => !parameters.find((one) => one.in === 'path' && one.name === name)?.example && `no example of ${name}`,
      ),
      ...parameters.map((parameter) => !(parameter.description && parameter.schema) && `no description of ${parameter.name}`),
    ]);
  });

  test('every operation that takes a body has a schema and an example of it', () => {
    everyOwnOperation(({ name, method, bodies }) => [
      bodies.length === 0 && ['POST', 'PUT', 'PATCH'].includes(method) !== WITHOUT_BODY.has(name) && 'no body',
      ...bodies.flatMap(({ type, schema, example, schemaAt }) => [
        !schema && `${type}: no schema`,
        example === undefined && `${type}: no example`,
        ...api.problems(schemaAt, example).map((problem) => `${type}: ${problem}`),
      ]),
    ]);
  });

  test('has a schema and an example of its answer', () => {
    everyOwnOperation(({ name, success: { status, type, body, schemaAt } }) => {
      if (isBodiless(name, status)) return [type !== undefined && 'a body'];
      return [
        !body.schema && 'no schema',
        body.example === undefined && !(name in WITHOUT_EXAMPLE) && 'no example',
        body.example !== undefined && name in WITHOUT_EXAMPLE && 'an example after all',
        ...(body.example === undefined ? [] : api.problems(schemaAt, body.example).map((problem) => `example: ${problem}`)),
      ];
    });
  });

  test('every operation that speaks another protocol is tried by its own client, and shows nothing of it here', () => {
    everyOperation(({ protocol, bodies, success }) => [
      protocol !== undefined && !(protocol in PROTOCOLS) && `the protocol ${protocol}`,
      protocol !== undefined && [...bodies, success.body].some(({ example }) => example !== undefined) && 'an example after all',
    ]);
  });

  test('names the media type it answers with', () => {
    const OTHER_TYPES: Readonly<Record<string, string>> = {
      'POST /agent/v1/registration': 'application/json',
      'POST /agent/v1/poll': 'application/json',
      'POST /agent/v1/jobs/{job}/reports': 'application/json',
      'PUT /agent/v1/jobs/{job}/console': 'application/json',
      'PUT /agent/v1/jobs/{job}/artifacts/file': 'application/json',
      'PUT /agent/v1/jobs/{job}/artifacts/archive': 'application/json',
      'POST /agent/v1/jobs/{job}/artifacts/publication': 'application/json',
      'GET /agent/v1/jobs/{job}/fetches/{fetch}/files': 'application/json',
      'GET /agent/v1/jobs/{job}/fetches/{fetch}/file': 'application/octet-stream',
      'POST /agent/v1/jobs/{job}/fetches/{fetch}/archive': 'application/x-tar',
      'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/cruise-output/console.log': 'text/plain',
      'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': 'application/json',
      'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.json': 'application/json',
      'GET /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': 'application/octet-stream',
      'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}': 'text/plain',
      'POST /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': 'text/plain',
      'PUT /files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}': 'text/plain',
      'GET /artifact_view/{address}': 'application/octet-stream',
      'GET /cctray.xml': 'application/xml',
      'GET /api/feed/pipelines.xml': 'application/xml',
      'GET /api/feed/jobs/scheduled.xml': 'application/xml',
      'GET /api/feed/pipelines/{pipeline_name}/stages.xml': 'application/atom+xml',
      'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}.xml': 'application/xml',
      'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}.xml': 'application/xml',
      'GET /api/feed/pipelines/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}.xml': 'application/xml',
      'GET /about': 'text/html',
      'GET /metrics': 'text/plain',
      'GET /api/admin/support_bundle': 'application/gzip',
      'GET /api/docs': 'text/html',
      'GET /api/config/pipeline_groups': 'application/json',
      'GET /api/docs/{chapter}': 'text/html',
      'GET /api/v1/health': 'application/json',
      'GET /is_backup_finished.json': 'application/json',
      'GET /pipelines/value_stream_map/{pipeline_name}/{pipeline_counter}.json': 'application/json',
      'GET /api/v1/ready': 'application/json',
      'GET /api/openapi.json': 'application/json',
      'GET /api/admin/config.xml': 'text/xml',
      'GET /api/admin/config/current.xml': 'text/xml',
      'GET /api/admin/config/{md5}.xml': 'text/xml',
      'POST /api/admin/config.xml': 'application/json',
      'POST /api/admin/config/import': 'application/json',
      'GET /api/admin/export': 'application/zip',
      'GET /api/admin/export/groups/{group_name}': 'application/zip',
      'GET /api/admin/export/pipelines/{pipeline_name}': 'application/x-yaml',
    };
    everyOwnOperation(({ name, success: { status, type } }) => [
      !isBodiless(name, status) &&
        (name in OTHER_TYPES
          ? type !== OTHER_TYPES[name] && `${type}`
          : !/^application\/vnd\.svc\.v\d+\+json$/.test(type ?? '') && `${type}`),
    ]);
  });

  test('says how it fails', () => {
    everyOperation((operation) => {
      const statuses = new Set(operation.others.map(({ status }) => status));
      return [...expectedFailures(operation)].map((status) => !statuses.has(status) && `no ${status}`);
    });
  });

  test('shows the answer of each failure', () => {
    everyOperation(({ name, others }) => others.filter(({ status }) => status >= 400).flatMap((failure) => failureLacks(name, failure)));
  });

  test('can be tried out when it changes something', () => {
    everyOperation(({ name, method, parameters }) => {
      const supportsDryRun = parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'dry_run');
      return [supportsDryRun !== (method !== 'GET' && !CHANGES_NOTHING.has(name)) && `dry_run: ${supportsDryRun}`];
    });
  });

  test('lists the conditions it looks at', () => {
    everyOperation((operation) => {
      const { name, method, success, others } = operation;
      const { headers = {} } = success;
      const header = (wanted: string) => takesHeader(operation, wanted);
      const { stale } = { ...DEFAULT_STATUS, ...OWN_STATUS[name] };
      const isConditional = others.some(({ status }) => status === 304);
      return [
        method === 'PUT' && !STREAMED.has(name) && !header('If-Match') && 'no If-Match',
        method === 'GET' && success.body.schema && operation.protocol === undefined && !('ETag' in headers) && 'no ETag',
        method === 'GET' && 'ETag' in headers && !(header('If-None-Match') && isConditional) && 'no If-None-Match',
        header('If-Match') && !others.some(({ status }) => status === stale) && `no ${stale}`,
      ];
    });
  });

  test('describes all members of its bodies', () => {
    everyOperation(({ bodies, success }) => [
      ...bodies.flatMap(({ schema }) => bareObjects(schema ?? {}, 'body')),
      ...bareObjects(success.body.schema ?? {}, 'answer'),
    ]);
  });

  test('describes each member of its bodies', () => {
    everyOperation(({ bodies, success, others }) => [
      ...bodies.flatMap(({ schema }) => silentMembers(schema ?? {}, 'body')),
      ...silentMembers(success.body.schema ?? {}, 'answer'),
      ...others.flatMap(({ status, body }) => silentMembers(body.schema ?? {}, `${status}`)),
    ]);
  });
});

test('the schemas that are shared describe all members, too', () => {
  const schemas = Object.entries(api.document.components.schemas as Record<string, Schema>);
  assert.deepEqual(
    schemas.flatMap(([name, schema]) => [...bareObjects(schema, name), ...silentMembers(schema, name)]),
    [],
  );
});

function* expectedFailures(operation: Operation): Generator<number> {
  const { name, method, path, permission, protocol, request, success } = operation;
  const { wrong, stale, otherType } = { ...DEFAULT_STATUS, ...OWN_STATUS[name] };
  yield 500;
  if (permission !== undefined) yield* [401, 429, 503];
  if (permission !== undefined && method !== 'GET') yield 504;
  if (permission !== undefined && permission !== 'user') yield 403;
  if (protocol !== undefined) return;
  if (success.type?.startsWith('application/vnd.') || path.includes('{')) yield 404;
  if (method !== 'GET') yield 400;
  if (request) yield* [413, otherType, wrong];
  if (takesHeader(operation, 'If-Match')) yield stale;
}

function failureLacks(name: string, { status, description, type, body, schemaAt }: Response): (string | false)[] {
  const ownType = OWN_FAILURES[`${name} ${status}`];
  return [
    !description && `${status}: no description`,
    (ownType ? type !== ownType : !/^application\/vnd\.svc\.v\d+\+json$/.test(type ?? '')) && `${status}: ${type}`,
    !body.schema && `${status}: no schema`,
    !body.example && !VARYING.has(status) && `${status}: no example`,
    ...(body.example ? api.problems(schemaAt, body.example).map((problem) => `${status}: ${problem}`) : []),
  ];
}

/** The places where a schema says `object` and no more. */
function bareObjects(schema: Schema, at: string): string[] {
  const { type, properties = {}, items, oneOf = [], anyOf = [], additionalProperties, $ref } = schema;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  const isBare = isObject && Object.keys(properties).length === 0 && additionalProperties === undefined && $ref === undefined;
  return [
    ...(isBare ? [`${at} is any object`] : []),
    ...Object.entries(properties as Record<string, Schema>).flatMap(([name, member]) => bareObjects(member, `${at}.${name}`)),
    ...(items ? bareObjects(items, `${at}[]`) : []),
    ...[...oneOf, ...anyOf].flatMap((variant: Schema) => bareObjects(variant, at)),
  ];
}

/** The members without a description. The type of a variant needs none: there is one value it can have. */
function silentMembers(schema: Schema, at: string): string[] {
  const { properties = {}, items, oneOf = [], anyOf = [], additionalProperties } = schema;
  return [
    ...Object.entries(properties as Record<string, Schema>).flatMap(([name, member]) => [
      ...(member.description === undefined && member.const === undefined ? [`${at}.${name} has no description`] : []),
      ...silentMembers(member, `${at}.${name}`),
    ]),
    ...(items ? silentMembers(items, `${at}[]`) : []),
    ...(typeof additionalProperties === 'object' ? silentMembers(additionalProperties, `${at}.*`) : []),
    ...[...oneOf, ...anyOf].flatMap((variant: Schema) => silentMembers(variant, at)),
  ];
}
