// Turning the stages of a pipeline into a template.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ConfigRepoServer, yaml } from '../../config-repos/support/config-repo-server.ts';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { accepted, addUser, startServer } from '../../support/requests/callers.ts';
import { failed, stale } from '../../support/requests/replies.ts';
import type { Ask, TestServer } from '../../support/server/server.ts';
import { create, exec, job, NAME_RULE, PATH, pipeline, removeAll, stage } from './bodies.ts';

const TEMPLATES = '/api/admin/templates';
const STALE =
  "Someone has modified the configuration for pipeline 'web'. Please update your copy of the config with the changes and try again.";
const SECRET = 'not-to-be-seen-44cd';

let server: TestServer;
let boss: string;
before(async () => {
  server = await startServer();
  boss = await addUser(server, 'boss');
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g', authorization: { admins: { users: ['boss'] } } }));
});
after(() => server.stop());
beforeEach(async () => {
  await removeAll(server);
  for (const { name } of (await server.get(TEMPLATES)).json._embedded.templates) accepted(await server.delete(`${TEMPLATES}/${name}`));
});

const extract = (name: string, template_name: string, ask?: Ask) =>
  server.put(`${PATH}/${name}/extract_to_template`, { template_name }, undefined, ask);
const withSecret = stage('s', {
  environment_variables: [{ name: 'KEY', value: SECRET, secure: true }],
  jobs: [job({ tasks: [exec({ arguments: ['#{target}'] })] })],
});

test('the stages go to the template, and the pipeline uses it', async () => {
  const { json: before } = accepted(
    await create(server, pipeline('web', { stages: [withSecret], parameters: [{ name: 'target', value: 'all' }] })),
  );
  const { json, etag } = accepted(await extract('WEB', 'web-stages'));
  assert.deepEqual(json, { ...before, template: 'web-stages', stages: null });
  const shown = accepted(await server.get(`${PATH}/web`));
  assert.deepEqual([shown.json, shown.etag], [json, etag]);
  const { json: template } = accepted(await server.get(`${TEMPLATES}/web-stages`));
  assert.deepEqual(namesIn(template.stages), namesIn(before.stages));
  assert.ok(template.stages[0].environment_variables[0].encrypted_value);
  assert.deepEqual(accepted(await server.get(`${TEMPLATES}/web-stages/parameters`)).json.parameters, ['target']);
  assert.equal(accepted(await server.get(`${TEMPLATES}/web-stages/authorization`)).json.admin.users.length, 0);
});

test('the new template and the changed pipeline are one revision, and a dry run changes nothing', async () => {
  accepted(await create(server, pipeline('web')));
  const tried = accepted(await server.put(`${PATH}/web/extract_to_template?dry_run=true`, { template_name: 't' }));
  const changes: { resource: string; operation: string }[] = tried.json._plan.changes;
  assert.deepEqual(
    changes.map(({ resource, operation }) => `${operation} ${resource}`),
    ['create templates', 'update pipelines'],
  );
  assert.equal((await server.get(`${TEMPLATES}/t`)).status, 404);
  const revision = accepted(await extract('web', 't')).headers.get('x-svc-revision');
  const { json } = accepted(await server.get(`/api/admin/config/revisions/${revision}`));
  assert.equal(json.changes.length, 2);
});

test('a group administrator becomes the administrator of the template; others may not', async () => {
  accepted(await create(server, pipeline('web')));
  accepted(await create(server, pipeline('api'), 'h'));
  failed(await extract('api', 't', { as: boss }), 403, 'You are not authorized to perform this action.');
  accepted(await extract('web', 't', { as: boss }));
  const { json, etag } = accepted(await server.get(`${TEMPLATES}/t`, { as: boss }));
  accepted(await server.put(`${TEMPLATES}/t`, { ...json, stages: [stage('other')] }, etag, { as: boss }));
});

test('impossible requests are refused with the reason', async () => {
  accepted(await create(server, pipeline('web')));
  failed(await extract('gone', 't'), 404, "Pipeline with name 'gone' was not found!");
  failed(await extract('web', 'no name'), 400, `Invalid template name 'no name'. ${NAME_RULE}`);
  failed(await server.put(`${PATH}/web/extract_to_template`, {}), 422, "Json `{}` does not contain property 'template_name'");
  const { etag } = await server.get(`${PATH}/web`);
  accepted(await server.put(`${PATH}/web`, { group: 'g', ...pipeline('web', { lock_behavior: 'lockOnFailure' }) }, etag));
  stale(await extract('web', 't', { headers: { 'If-Match': etag! } }), STALE);
  accepted(await extract('web', 't'));
  failed(await extract('web', 'again'), 409, "Pipeline with name 'web' already uses a template.");
  accepted(await create(server, pipeline('api')));
  failed(await extract('api', 'T'), 409, "Template with name 'T' already exists!");
});

test('the stages of a pipeline that a config repo defines stay there', async (context) => {
  const lab = new Lab();
  context.after(() => lab.remove());
  const origin = await GitOrigin.make(lab.newPath('origin'));
  await origin.commit('first', { 'a.gocd.yaml': yaml('remote-group', { remote: undefined }) });
  await new ConfigRepoServer(server).add('source', origin.path);
  const reply = await extract('remote', 't');
  assert.equal(reply.status, 422, reply.text);
  assert.match(reply.json.message, /^Can not operate on pipeline 'remote' as it is defined remotely in /);
  assert.equal((await server.get(`${TEMPLATES}/t`)).status, 404);
});

function namesIn(stages: readonly { readonly name: string; readonly jobs: readonly { readonly name: string }[] }[]): string[] {
  return stages.flatMap(({ name, jobs }) => [name, ...jobs.map((one) => one.name)]);
}
