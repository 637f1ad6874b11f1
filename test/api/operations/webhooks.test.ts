// Hosting services that report pushes and pull requests, and the secret by which they prove their identity.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { GitOrigin } from '../../materials/support/git-origin.ts';
import { Lab } from '../../materials/support/polling.ts';
import { webhookHeaders, webhookSecretOf } from '../../support/configuration/webhook-secret.ts';
import { accepted, startServer } from '../../support/requests/callers.ts';
import { failed, stale } from '../../support/requests/replies.ts';
import { basic, type Reply, type TestServer } from '../../support/server/server.ts';
import { until } from '../../support/until.ts';
import { create, git, pipeline, removeAll } from '../pipelines/bodies.ts';

let server: TestServer;
const lab = new Lab();
before(async () => {
  server = await startServer();
  accepted(await server.post('/api/admin/pipeline_groups', { name: 'g' }));
});
after(async () => {
  await server.stop();
  lab.remove();
});
beforeEach(() => removeAll(server));

const add = async (name: string, materials: readonly object[]) => accepted(await create(server, pipeline(name, { materials }), 'g'));

const statusAndMessage = async (reply: Promise<Reply>) => {
  const { status, json } = await reply;
  return `${status} ${json.message}`;
};
const push = (ref = 'refs/heads/main') => ({
  ref,
  repository: { html_url: 'https://github.com/example/shop', full_name: 'example/shop' },
});

describe('calls about materials', () => {
  const URL = 'https://github.com/example/shop.git';
  const call = (provider: string, body: unknown, headers: Record<string, string>, query = '?dry_run=true') =>
    server.ask('POST', `/api/webhooks/${provider}/notify${query}`, {
      as: '',
      accept: '*/*',
      text: typeof body === 'string' ? body : JSON.stringify(body),
      headers,
    });
  const hmac = async (algorithm: string, text: string, secret?: string) =>
    `${algorithm}=${createHmac(algorithm, secret ?? (await webhookSecretOf(server)))
      .update(text)
      .digest('hex')}`;

  const github = async (body: object, event = 'push', more: Record<string, string> = {}) =>
    call('github', body, { 'X-GitHub-Event': event, 'X-Hub-Signature': await hmac('sha1', JSON.stringify(body)), ...more });

  test('calls of GitHub are accepted with the right signature, event and type, and refused otherwise', async () => {
    await add('one', [git({ url: URL, branch: 'main', auto_update: false })]);
    assert.equal(await statusAndMessage(github(push())), '202 OK!');
    assert.equal(await statusAndMessage(github(push('refs/heads/other'))), '202 No matching materials!');
    assert.equal(await statusAndMessage(github(push('refs/tags/v1'))), '202 Ignoring push to non-branch.');
    assert.equal(await statusAndMessage(github({}, 'ping')), '202 pong');
    assert.equal(await statusAndMessage(github({}, 'fork')), '400 Invalid event type `fork`. Allowed events are [ping, push].');
    assert.equal(await statusAndMessage(github({})), '400 Failed to deserialize payload. Error: `repository.html_url` is missing');
    assert.equal(
      await statusAndMessage(call('github', push(), { 'X-GitHub-Event': 'push' })),
      "401 No HMAC signature specified via 'X-Hub-Signature' header!",
    );
    const wrong = { 'X-Hub-Signature': await hmac('sha1', JSON.stringify(push()), 'guessed') };
    assert.equal(
      await statusAndMessage(github(push(), 'push', wrong)),
      "401 HMAC signature specified via 'X-Hub-Signature' did not match!",
    );
    assert.equal(
      await statusAndMessage(github(push(), 'push', { 'Content-Type': 'text/plain' })),
      '400 Could not understand the Content-Type: text/plain!',
    );
    const form = new URLSearchParams({ payload: JSON.stringify(push()) }).toString();
    for (const signed of [form, JSON.stringify(push())]) {
      const headers = {
        'X-GitHub-Event': 'push',
        'X-Hub-Signature': await hmac('sha1', signed),
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      assert.equal(await statusAndMessage(call('github', form, headers)), '202 OK!');
    }
    assert.equal((await call('github', 'x'.repeat(11 * 1024 * 1024), {})).status, 413);
  });

  test('calls of GitLab are accepted with the right token, and refused otherwise', async () => {
    await add('one', [git({ url: 'gitlab@gitlab.example.org:team/shop', branch: 'main', auto_update: false })]);
    const body = {
      ref: 'refs/heads/main',
      project: { http_url: 'https://gitlab.example.org/team/shop.git', path_with_namespace: 'team/shop' },
    };
    const headers = { 'X-Gitlab-Event': 'Push Hook' };
    assert.equal(await statusAndMessage(call('gitlab', body, { ...headers, 'X-Gitlab-Token': await webhookSecretOf(server) })), '202 OK!');
    assert.equal(
      await statusAndMessage(call('gitlab', body, { ...headers, 'X-Gitlab-Token': 'x' })),
      "401 Token specified in the 'X-Gitlab-Token' header did not match!",
    );
    assert.equal(await statusAndMessage(call('gitlab', body, headers)), "401 No token specified in the 'X-Gitlab-Token' header!");
  });

  test('calls of Bitbucket are accepted with the secret as user name, and refused otherwise', async () => {
    await add('one', [git({ url: 'ssh://git@bitbucket.org/team/shop.git', branch: 'main', auto_update: false })]);
    const change = (name: string) => ({ new: { name, type: 'branch' } });
    const repository = { scm: 'git', full_name: 'team/shop', links: { html: { href: 'https://bitbucket.org/team/shop' } } };
    const body = { push: { changes: [change('main'), change('dev'), { new: null }] }, repository };
    const headers = { 'X-Event-Key': 'repo:push', Authorization: basic(await webhookSecretOf(server), '') };
    assert.equal(await statusAndMessage(call('bitbucket', body, headers)), '202 main: OK!, dev: No matching materials!');
    assert.equal(
      await statusAndMessage(call('bitbucket', body, { ...headers, Authorization: basic('x', '') })),
      '401 Token specified via basic authentication did not match!',
    );
    assert.equal(
      await statusAndMessage(call('bitbucket', body, { 'X-Event-Key': 'repo:push' })),
      '401 No token specified via basic authentication!',
    );
    const mercurial = { ...body, repository: { ...repository, scm: 'hg' } };
    assert.match(await statusAndMessage(call('bitbucket', mercurial, headers)), /^400 Failed to deserialize payload\. Error: only git/);
  });

  test('calls of Bitbucket Server are accepted with the right signature, and refused otherwise', async () => {
    const url = 'https://bitbucket.example.org/scm/team/shop.git';
    await add('one', [git({ url: url.replace('//', '//bob:pass@'), branch: 'main', auto_update: false })]);
    const links = { clone: [{ name: 'http', href: url }] };
    const body = { changes: [{ ref: { displayId: 'main', type: 'BRANCH' } }], repository: { scmId: 'git', links } };
    const headers = { 'X-Event-Key': 'repo:refs_changed', 'X-Hub-Signature': await hmac('sha256', JSON.stringify(body)) };
    assert.equal(await statusAndMessage(call('hosted_bitbucket', body, headers)), '202 OK!');
    assert.equal(await statusAndMessage(call('hosted_bitbucket', {}, { 'X-Event-Key': 'diagnostics:ping' })), '202 pong');
    assert.equal(
      await statusAndMessage(call('hosted_bitbucket', {}, headers)),
      "401 HMAC signature specified via 'X-Hub-Signature' did not match!",
    );
  });

  test('lead to a poll of the material, or of the materials of an SCM', async () => {
    const origin = await GitOrigin.make(lab.newPath('origin'));
    await origin.commit('first');
    accepted(
      await server.post('/api/admin/scms', {
        id: 'scm-id',
        name: 'shop',
        auto_update: false,
        plugin_metadata: { id: 'git-path', version: '1' },
        configuration: [
          { key: 'url', value: origin.path },
          { key: 'path', value: '.' },
          { key: 'branch', value: 'main' },
        ],
      }),
    );
    await add('one', [{ type: 'plugin', attributes: { ref: 'scm-id' } }]);
    const [{ fingerprint: known }] = accepted(await server.get('/api/config/materials')).json._embedded.materials;
    const body = push();
    const headers = { 'X-GitHub-Event': 'push', 'X-Hub-Signature': await hmac('sha1', JSON.stringify(body)) };
    assert.equal(await statusAndMessage(call('github', body, headers, '?SCM_NAME=none')), '202 No matching materials!');
    await origin.commit('second', { 'a.txt': 'a' });
    assert.equal(await statusAndMessage(call('github', body, headers, '?SCM_NAME=SHOP')), '202 OK!');
    await until('the modification', async () => {
      const { pagination } = accepted(await server.get(`/api/materials/${known}/modifications`)).json._embedded;
      return pagination.total === 1;
    });
    await removeAll(server);
    accepted(await server.delete('/api/admin/scms/shop'));
  });
});

describe('calls about config repos', () => {
  const url = (service: string, id: string) => `/api/webhooks/${service}/config_repos/${id}`;
  const call = async (service: string, id: string, body: object, more: Record<string, string> = {}, query = '') => {
    const text = JSON.stringify(body);
    const headers = { ...(await webhookHeaders(server, url(service, id), text)), ...more };
    return server.ask('POST', url(service, id) + query, { as: '', accept: '*/*', text, headers });
  };
  const addRepo = async (id: string, path: string, more: object = {}) => {
    const material = { type: 'git', attributes: { url: path, branch: 'main', ...more } };
    accepted(await server.post('/api/admin/config_repos', { id, plugin_id: 'yaml.config.plugin', material, configuration: [], rules: [] }));
  };
  /** Sends a notification while the repo is not read: during a read it would have the server read once more. */
  const notifyWhenIdle = (id: string) =>
    until('a free moment', async () => {
      const { in_progress } = accepted(await server.get(`/api/admin/config_repos/${id}/status`)).json;
      return !in_progress && (await statusAndMessage(call('github', id, push()))) === '202 OK!';
    });
  const messageAbout = async (id: string) =>
    (await server.get('/api/server_health_messages')).json.find(({ message }: { message: string }) => message.includes(id));

  test('lead to a poll of the repository, with and without auto_update, and only with a proof', async () => {
    for (const [id, more] of [
      ['polled', {}],
      ['quiet', { auto_update: false }],
    ] as const) {
      const origin = await GitOrigin.make(lab.newPath(id));
      await addRepo(id, origin.path, more);
      failed(
        await server.ask('POST', url('github', id), { as: '', body: push() }),
        401,
        "No HMAC signature specified via 'X-Hub-Signature' header!",
      );
      await notifyWhenIdle(id);
      await until('the message about an empty repository', () => messageAbout(origin.path));
      await origin.commit('first');
      await notifyWhenIdle(id);
      await until('silence', async () => (await messageAbout(origin.path)) === undefined);
      accepted(await server.delete(`/api/admin/config_repos/${id}`));
    }
  });

  test('report pull requests, too', async () => {
    await addRepo('reviewed', 'https://git.example.com/reviewed', { auto_update: false });
    const dry = (service: string, event: Record<string, string>, body: object = {}) =>
      statusAndMessage(call(service, 'reviewed', body, event, '?dry_run=true'));
    assert.equal(await dry('github', { 'X-GitHub-Event': 'pull_request' }, { action: 'opened' }), '202 OK!');
    assert.equal(
      await dry('github', { 'X-GitHub-Event': 'pull_request' }, { action: 'labeled' }),
      '202 Ignoring the action `labeled` of a pull request.',
    );
    assert.equal(
      await dry('github', { 'X-GitHub-Event': 'pull_request' }),
      '400 Failed to deserialize payload. Error: `action` is missing',
    );
    assert.equal(await dry('github', { 'X-GitHub-Event': 'ping' }), '202 pong');
    assert.equal(await dry('github', {}, push('refs/tags/v1')), '202 Ignoring push to non-branch.');
    assert.equal(await dry('gitlab', { 'X-Gitlab-Event': 'Merge Request Hook' }), '202 OK!');
    assert.equal(await dry('bitbucket', { 'X-Event-Key': 'pullrequest:fulfilled' }), '202 OK!');
    assert.equal(await dry('hosted_bitbucket', { 'X-Event-Key': 'pr:merged' }), '202 OK!');
    assert.equal(
      await dry('hosted_bitbucket', { 'X-Event-Key': 'pr:comment' }),
      '400 Invalid event type `pr:comment`. Allowed events are [diagnostics:ping, pr:declined, pr:delete, pr:merged, pr:opened, repo:refs_changed].',
    );
    accepted(await server.delete('/api/admin/config_repos/reviewed'));
  });

  test('about a missing config repo are refused', async () => {
    assert.equal(await statusAndMessage(call('gitlab', 'none', {})), "404 Config repo with id 'none' was not found!");
  });
});

describe('the webhook secret', () => {
  const PATH = '/api/admin/config/server/webhook_secret';
  const FRESH = 'kS7vQ2mZ9rT4xW1pN6bL';
  const ping = (secret: string) =>
    statusAndMessage(
      server.ask('POST', '/api/webhooks/gitlab/notify', {
        as: '',
        accept: '*/*',
        body: {},
        headers: { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': secret },
      }),
    );
  const WRONG = "401 Token specified in the 'X-Gitlab-Token' header did not match!";
  const VERIFIED = '400 Failed to deserialize payload. Error: `project.http_url` is missing';

  test('is set by administrators, counts at once, and is never shown', async () => {
    const made = await webhookSecretOf(server);
    const before = accepted(await server.get(PATH));
    assert.deepEqual(Object.keys(before.json), ['_links', 'encrypted_webhook_secret']);
    assert.equal(await ping(made), VERIFIED);
    const after = accepted(await server.ask('PUT', PATH, { body: { webhook_secret: FRESH }, headers: { 'If-Match': before.etag! } }));
    assert.notEqual(after.etag, before.etag);
    assert.ok(!after.text.includes(FRESH) && !before.text.includes(made) && !server.log.includes(FRESH));
    assert.equal(await ping(made), WRONG);
    assert.equal(await ping(FRESH), VERIFIED);
    assert.equal((await server.get(PATH)).etag, after.etag);
    const xml = accepted(await server.ask('GET', '/api/admin/config.xml', { accept: '*/*' })).text;
    assert.ok(!xml.includes(FRESH));
  });

  test('can be sent again as it was returned, or as it was encrypted here, and then stays the same', async () => {
    accepted(await server.ask('PUT', PATH, { body: { webhook_secret: FRESH } }));
    const before = accepted(await server.get(PATH));
    const { encrypted_webhook_secret } = before.json;
    for (const body of [{ encrypted_webhook_secret }, { webhook_secret: FRESH }, before.json]) {
      const reply = accepted(await server.ask('PUT', PATH, { body }));
      assert.deepEqual([reply.json, reply.etag], [before.json, before.etag]);
    }
    const { encrypted_value } = accepted(await server.post('/api/admin/encrypt', { value: 'another-Secret_0123' })).json;
    accepted(await server.ask('PUT', PATH, { body: { encrypted_webhook_secret: encrypted_value } }));
    assert.equal(await ping('another-Secret_0123'), VERIFIED);
  });

  test('a webhook secret that is unusable or easy to guess is refused', async () => {
    const before = await webhookSecretOf(server);
    const STALE = 'Someone has modified the webhook secret. Please update your copy of the config with the changes and try again.';
    const unfit = 'The webhook secret must have 16 to 255 characters: letters, digits and ASCII punctuation other than the colon.';
    const errorsOf = async (body: object) => {
      const reply = failed(
        await server.ask('PUT', PATH, { body }),
        422,
        'The webhook secret was not changed. Please correct and resubmit.',
      );
      return reply.json.data.errors;
    };
    for (const webhook_secret of [
      'short',
      'with:a:colon:in:it:',
      'with blanks in it, too',
      'ünïcode-ünïcode-ünïcode',
      'x'.repeat(256),
      '',
      null,
      undefined,
    ]) {
      assert.deepEqual(await errorsOf({ webhook_secret }), { webhook_secret: [unfit] });
    }
    assert.deepEqual(Object.keys(await errorsOf({ webhook_secret: { a: 1 } })), ['webhook_secret']);
    assert.match((await errorsOf({ encrypted_webhook_secret: 'AES:x:y' })).encrypted_webhook_secret[0], /is invalid/);
    assert.deepEqual(Object.keys(await errorsOf({ webhook_secret: FRESH, encrypted_webhook_secret: 'x' })), [
      'webhook_secret',
      'encrypted_webhook_secret',
    ]);
    const late = await server.ask('PUT', PATH, { body: { webhook_secret: FRESH }, headers: { 'If-Match': '"older"' } });
    assert.doesNotMatch(stale(late, STALE).text, /v1:/);
    accepted(await server.ask('PUT', `${PATH}?dry_run=true`, { body: { webhook_secret: FRESH } }));
    assert.equal(await webhookSecretOf(server), before);
  });
});
