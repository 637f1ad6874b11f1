// A write on an older version: the answer to the client, and the merge.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { s3Store } from '../../support/requests/bodies.ts';
import { accepted } from '../../support/requests/callers.ts';
import { OpenApi, takesHeader } from '../../support/requests/openapi.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const STORES = '/api/admin/artifact_stores';
const ENVIRONMENTS = '/api/admin/environments';
const TIMEOUT = '/api/admin/config/server/default_job_timeout';
const MAIL = '/api/config/mailserver';
const MERGE = { headers: { Prefer: 'merge' } };

const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value, secure: false }));
const valuesIn = ({ json }: Reply) =>
  Object.fromEntries(json.environment_variables.map(({ name, value }: { name: string; value: string }) => [name, value]));

async function environment(name: string, values: Readonly<Record<string, string>>): Promise<string> {
  return accepted(await server.post(ENVIRONMENTS, { name, environment_variables: variables(values) })).etag!;
}

test('a late client gets the user, time and revision of the first change, and the fields that both have touched', async () => {
  const base = accepted(await server.post(STORES, s3Store('s3', 'one', 'first-secret-77')));
  const reason = { headers: { 'X-Svc-Reason': 'moved to another bucket' } };
  const theirs = accepted(await server.put(`${STORES}/s3`, s3Store('s3', 'two', 'other-secret-88'), base.etag, reason));
  const late = await server.put(`${STORES}/s3`, s3Store('s3', 'three', 'first-secret-77'), base.etag);
  assert.equal(late.status, 412);
  assert.match(late.json.message, /s3/);
  const { data } = late.json;
  assert.equal(data.base.revision, Number(base.headers.get('x-svc-revision')));
  assert.equal(data.changes.length, 1);
  const [change] = data.changes;
  assert.deepEqual(
    { ...change, time: typeof change.time },
    {
      revision: Number(theirs.headers.get('x-svc-revision')),
      time: 'string',
      actor: 'admin',
      reason: 'moved to another bucket',
      operation: 'update',
    },
  );
  const words = (list: readonly { words: string }[]) => list.map((one) => one.words);
  assert.deepEqual(words(data.yours), ["property 'S3Bucket', value changed from 'one' to 'three'"]);
  assert.deepEqual(words(data.theirs), [
    "property 'S3Bucket', value changed from 'one' to 'two'",
    "property 'AWSSecretAccessKey', secret value changed",
  ]);
  assert.equal(data.can_be_merged, false);
  assert.deepEqual(data.overlaps, [{ path: '/properties/0/value', base: 'one', yours: 'three', theirs: 'two' }]);
  assert.doesNotMatch(late.text, /v1:|secret-77|secret-88/);
  assert.equal((await server.get(`${STORES}/s3`)).etag, theirs.etag);
});

test('a conflict with an unknown base is explained by the last change and the current differences', async () => {
  const now = accepted(await server.post(STORES, s3Store('unknown', 'one', 'x')));
  const { status, json } = await server.put(`${STORES}/unknown`, s3Store('unknown', 'two', 'x'), '"made-up"');
  assert.equal(status, 412);
  assert.equal(json.data.base, null);
  assert.equal(json.data.changes[0].revision, Number(now.headers.get('x-svc-revision')));
  assert.equal(json.data.yours.length, 1);
  assert.ok(!('theirs' in json.data) && !('overlaps' in json.data));
});

test('a write without If-Match gets no explanation', async () => {
  accepted(await server.post(STORES, s3Store('bare', 'one', 'x')));
  const { status, json } = await server.put(`${STORES}/bare`, s3Store('bare', 'two', 'x'));
  assert.equal(status, 412);
  assert.deepEqual(Object.keys(json), ['message']);
});

test('a deletion on an older version is explained, too', async () => {
  const base = await environment('late', { a: '1' });
  accepted(await server.put(`${ENVIRONMENTS}/late`, { name: 'late', environment_variables: variables({ a: '2' }) }, base));
  const reply = await server.delete(`${ENVIRONMENTS}/late`, { headers: { 'If-Match': base } });
  assert.equal(reply.status, 412, reply.text);
  assert.equal(reply.json.data.changes.length, 1);
  assert.equal(reply.json.data.theirs.length, 1);
  assert.deepEqual(reply.json.data.yours, []);
});

test('a patch on an older version is explained by its result on that version', async () => {
  const base = await environment('patched', { a: '1', b: '1' });
  accepted(await server.put(`${ENVIRONMENTS}/patched`, { name: 'patched', environment_variables: variables({ a: '2', b: '1' }) }, base));
  const late = async (body: object, contentType = 'application/json') => {
    const headers = { 'If-Match': base, 'Content-Type': contentType };
    const { status, json } = await server.patch(`${ENVIRONMENTS}/patched`, body, { headers });
    assert.equal(status, 412);
    assert.equal(json.data.changes.length, 1);
    assert.equal(json.data.theirs.length, 1);
    const single = { method: 'PATCH', path: `${ENVIRONMENTS}/patched`, if_match: base, body };
    const batch = await server.post('/api/admin/config/batch', { operations: [single] });
    // In a batch a patch of this resource is always one of its own operations.
    if (contentType === 'application/json') assert.deepEqual(batch.json.data.results[0].data, json.data);
    return json.data;
  };
  const apart = await late({ environment_variables: { add: variables({ c: '1' }) } });
  assert.deepEqual(
    apart.yours.map(({ words }: { words: string }) => words),
    ["environment variable 'c' added"],
  );
  assert.deepEqual([apart.overlaps, apart.can_be_merged], [[], true]);
  const same = await late({ environment_variables: { add: variables({ a: '3' }), remove: ['a'] } });
  assert.deepEqual([same.overlaps.length, same.can_be_merged], [1, false]);
  const whole = await late({ environment_variables: variables({ a: '3', b: '1' }) }, 'application/merge-patch+json');
  assert.deepEqual(
    whole.yours.map(({ words }: { words: string }) => words),
    ["environment variable 'a', value changed from '1' to '3'"],
  );
  assert.deepEqual(whole.overlaps, [{ path: '/environment_variables/0/value', base: '1', yours: '3', theirs: '2' }]);
  const unreadable = await late({ environment_variables: { add: [7] } });
  assert.deepEqual(unreadable.yours, []);
});

test('changes that do not overlap are merged when that is preferred, and the answer names the merged revisions', async () => {
  const base = await environment('merged', { a: '1', b: '1', c: '1' });
  const put = (values: Readonly<Record<string, string>>, ask = {}) =>
    server.put(`${ENVIRONMENTS}/merged`, { name: 'merged', environment_variables: variables(values) }, base, ask);
  const first = accepted(await put({ a: '2', b: '1', c: '1' }));
  assert.equal((await put({ a: '1', b: '2', c: '1' })).json.data.can_be_merged, true);
  const second = accepted(await put({ a: '1', b: '2', c: '1', d: '4' }, MERGE));
  assert.equal(second.headers.get('preference-applied'), 'merge');
  assert.equal(second.headers.get('x-svc-merged-revisions'), first.headers.get('x-svc-revision'));
  assert.equal(second.headers.get('x-svc-merged-fields'), '/environment_variables/0/value');
  const now = await server.get(`${ENVIRONMENTS}/merged`);
  assert.equal(now.text, second.text);
  assert.deepEqual(valuesIn(now), { a: '2', b: '2', c: '1', d: '4' });
  const overlapping = await put({ a: '3', b: '1', c: '1' }, MERGE);
  assert.equal(overlapping.status, 412);
  assert.equal(overlapping.json.data.overlaps.length, 1);
  assert.equal((await server.get(`${ENVIRONMENTS}/merged`)).etag, now.etag);
});

test('where the ETag covers embedded entities, their changes are reported and merged, too', async () => {
  const path = '/api/admin/repositories/shelf';
  const body = {
    repo_id: 'shelf',
    name: 'shelf',
    plugin_metadata: { id: 'slipway.package.npm', version: '1.0.0' },
    configuration: [{ key: 'REPO_URL', value: 'https://npm.example.org' }],
  };
  const base = accepted(await server.post('/api/admin/repositories', body));
  const item = { id: 'pad', name: 'pad', package_repo: { id: 'shelf' }, configuration: [{ key: 'PACKAGE_NAME', value: 'pad' }] };
  const posted = accepted(await server.post('/api/admin/packages', item));
  accepted(await server.put('/api/admin/packages/pad', { ...item, auto_update: false }, posted.etag));
  const late = await server.put(path, { ...body, name: 'rack' }, base.etag);
  assert.equal(late.status, 412);
  const revisionOf = ({ headers }: Reply) => Number(headers.get('x-svc-revision'));
  assert.deepEqual(late.json.data.base, { revision: revisionOf(base) });
  assert.deepEqual(
    late.json.data.changes.map(({ revision, operation }: { revision: number; operation: string }) => [revision, operation]),
    [[revisionOf(posted), 'update']],
  );
  assert.deepEqual(
    late.json.data.theirs.map(({ path: where, operation }: { path: string; operation: string }) => [operation, where]),
    [['add', '/_embedded/packages/0']],
  );
  assert.equal(late.json.data.can_be_merged, true);
  const operation = { method: 'PUT', path, if_match: base.etag, body: { ...body, name: 'rack' } };
  const batch = await server.post('/api/admin/config/batch', { operations: [operation] });
  assert.deepEqual(batch.json.data.results[0].data, late.json.data);
  const merged = accepted(await server.put(path, { ...body, name: 'rack' }, base.etag, MERGE));
  assert.equal(merged.headers.get('x-svc-merged-revisions'), String(revisionOf(posted)));
  assert.equal(merged.headers.get('x-svc-merged-fields'), '/_embedded/packages/0');
  assert.deepEqual([merged.json.name, merged.json._embedded.packages.length], ['rack', 1]);
});

test('the document says where a merge can be preferred', async () => {
  const puts = (await OpenApi.of(server)).operations.filter(({ method }) => method === 'PUT');
  const without = puts.filter((operation) => !takesHeader(operation, 'Prefer')).map(({ path }) => path);
  assert.deepEqual(without, [
    '/api/admin/templates/{template_name}/authorization',
    '/api/admin/pipelines/{id}/extract_to_template',
    '/api/admin/config/server/webhook_secret',
    // Users are no part of the configuration.
    '/api/admin/service_accounts/{name}',
    // Bodies of agents are no resources.
    '/agent/v1/jobs/{job}/artifacts/file',
    '/agent/v1/jobs/{job}/artifacts/archive',
    '/agent/v1/jobs/{job}/console',
    // Bytes that go after a file.
    '/files/{pipeline_name}/{pipeline_counter}/{stage_name}/{stage_counter}/{job_name}/{path}',
    // The views that one user has chosen for their own dashboard.
    '/api/dashboard/views',
  ]);
  assert.match((await server.get('/api/docs')).text, /Prefer: merge/);
});

test('a merge keeps secrets that others have changed', async () => {
  const base = accepted(await server.post(STORES, s3Store('secret', 'one', 'old')));
  accepted(await server.put(`${STORES}/secret`, s3Store('secret', 'one', 'new'), base.etag));
  const merged = accepted(await server.put(`${STORES}/secret`, s3Store('secret', 'two', 'old'), base.etag, MERGE));
  assert.equal(accepted(await server.put(`${STORES}/secret`, s3Store('secret', 'two', 'new'), merged.etag)).etag, merged.etag);
});

test('the outcome of a merge is checked like any change', async () => {
  const mail = { hostname: 'mail.example.org', port: 25, tls: false, sender_email: 'a@example.org', admin_email: 'b@example.org' };
  const base = accepted(await server.post(MAIL, mail));
  accepted(await server.put(MAIL, { ...mail, port: 26 }, base.etag));
  const wrong = await server.put(MAIL, { ...mail, hostname: '' }, base.etag, MERGE);
  assert.equal(wrong.status, 422, wrong.text);
  const merged = accepted(await server.put(MAIL, { ...mail, hostname: 'post.example.org' }, base.etag, MERGE));
  assert.deepEqual([merged.json.hostname, merged.json.port], ['post.example.org', 26]);
});

test('a merge that is only tried changes nothing', async () => {
  const base = accepted(await server.post(TIMEOUT, { default_job_timeout: '10' }));
  accepted(await server.put(TIMEOUT, { default_job_timeout: '20' }, base.etag));
  const same = accepted(await server.put(`${TIMEOUT}?dry_run=true`, { default_job_timeout: '10' }, base.etag, MERGE));
  assert.equal(same.json.default_job_timeout, '20');
  const { json } = await server.put(TIMEOUT, { default_job_timeout: '30' }, base.etag, MERGE);
  assert.deepEqual(json.data.overlaps, [{ path: '/default_job_timeout', base: '10', yours: '30', theirs: '20' }]);
  assert.equal((await server.get(TIMEOUT)).json.default_job_timeout, '20');
});

/** Random numbers, the same each time. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('edits that do not overlap commute, and those that do lose nothing: a hundred pairs', async () => {
  const random = seeded(20_261);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const begin = Object.fromEntries(names.slice(0, 4).map((name) => [name, '0']));
  type Values = Readonly<Record<string, string>>;
  const edited = (who: string): Values => {
    const values: Record<string, string> = { ...begin };
    for (const name of names) {
      const choice = random(6);
      if (choice === 0) values[name] = who;
      else if (choice === 1) delete values[name];
      else if (choice === 2) values[name] = 'same';
    }
    return values;
  };
  const outcomes = { merged: 0, refused: 0 };
  for (let pair = 0; pair < 100; pair++) {
    const [one, other] = [edited('one'), edited('other')];
    const touched = (values: Values) => names.filter((name) => values[name] !== begin[name]);
    const overlap = touched(one).filter((name) => touched(other).includes(name) && one[name] !== other[name]);
    const results: unknown[] = [];
    for (const [place, [first, second]] of [
      [one, other],
      [other, one],
    ].entries() as Iterable<[number, [Values, Values]]>) {
      const name = `pair-${pair}-${place}`;
      const base = await environment(name, begin);
      const put = (values: Values) =>
        server.put(`${ENVIRONMENTS}/${name}`, { name, environment_variables: variables(values) }, base, MERGE);
      accepted(await put(first));
      const reply = await put(second);
      const now = valuesIn(await server.get(`${ENVIRONMENTS}/${name}`));
      if (reply.status === 412) {
        assert.notDeepEqual(overlap, [], reply.text);
        assert.deepEqual(now, first);
      } else {
        accepted(reply);
        assert.deepEqual(overlap, [], `${JSON.stringify([one, other])} became ${JSON.stringify(now)}`);
        for (const field of names) {
          const wanted = touched(first).includes(field) ? first[field] : second[field];
          assert.equal(now[field], wanted, `${name} ${field}`);
        }
      }
      outcomes[reply.status === 412 ? 'refused' : 'merged']++;
      results.push(reply.status === 412 ? 'refused' : now);
    }
    assert.deepEqual(results[0], results[1]);
  }
  assert.ok(outcomes.merged > 20 && outcomes.refused > 20, JSON.stringify(outcomes));
});
