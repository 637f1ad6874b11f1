// The list of revisions and its filters, the changes of one, the history of one entity, names and blame.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { atOnce, statusesOf, times } from '../support/requests/at-once.ts';
import { addUser, tokenOf } from '../support/requests/callers.ts';
import { ADMIN_PASSWORD, basic, type Reply, TestServer } from '../support/server/server.ts';

const REVISIONS = '/api/admin/config/revisions';
const ENTITIES = '/api/admin/config/entities';
const ENVIRONMENTS = '/api/admin/environments';
const SECRET = 'not-to-be-seen-4711';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any;

async function made(changing: Promise<Reply>): Promise<number> {
  const reply = await changing;
  assert.equal(reply.status, 200, reply.text);
  return Number(reply.headers.get('x-svc-revision'));
}

async function listed(query = ''): Promise<Any[]> {
  const reply = await server.get(`${REVISIONS}${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json._embedded.revisions;
}

const numbers = (revisions: Any[]): number[] => revisions.map(({ revision }) => revision);
const environment = (name: string, ...variables: object[]) => ({ name, environment_variables: variables });
const plain = (name: string, value: string) => ({ name, value });
const secure = (name: string, value: string) => ({ name, secure: true, value });

describe('the list', () => {
  let token: { id: number; as: string };
  let first: number;
  let second: number;
  let third: number;
  before(async () => {
    const as = await tokenOf(server, basic('admin', ADMIN_PASSWORD));
    const { json } = await server.get('/api/current_user/access_tokens');
    token = { id: json._embedded.access_tokens[0].id, as };
    first = await made(server.post(ENVIRONMENTS, environment('Listed', plain('A', '1')), { headers: { 'X-Svc-Reason': 'Für die Größe' } }));
    second = await made(server.post(ENVIRONMENTS, environment('other'), { as }));
    third = await made(server.post('/api/admin/security/roles', { name: 'listed-role', type: 'svc', attributes: { users: [] } }));
  });

  test('shows the newest first, with actor, time, address, reason and changes', async () => {
    const all = await listed();
    assert.deepEqual(
      numbers(all),
      [...numbers(all)].sort((one, other) => other - one),
    );
    assert.equal(all.at(-1).revision, 1);
    const { _links, time, ...found } = all.find(({ revision }) => revision === first);
    assert.match(time, /^\d{4}-.*Z$/);
    assert.ok(_links.self.href.endsWith(`${REVISIONS}/${first}`));
    assert.deepEqual(found, {
      revision: first,
      actor: 'admin',
      token: null,
      address: '127.0.0.1',
      reason: 'Für die Größe',
      name: null,
      change_count: 1,
      changes: [{ resource: 'environments', id: 'Listed', operation: 'create' }],
    });
  });

  test('is filtered by actor, token, resource, id, text and time, also together', async () => {
    const { time } = (await server.get(`${REVISIONS}/${second}`)).json;
    const filters: [query: string, wanted: number[]][] = [
      ['?actor=ADMIN', [third, second, first]],
      ['?actor=slipway', [1]],
      [`?token=${token.id}`, [second]],
      ['?resource=environments', [second, first]],
      ['?resource=roles', [third]],
      ['?resource=environments&id=LISTED', [first]],
      ['?resource=environments&id=nobody', []],
      ['?resource=system_admins', [1]],
      ['?resource=system_admins&id=listed', []],
      ['?id=LISTED', [first]],
      ['?id=listed-role&actor=admin', [third]],
      ['?id=other', [second]],
      ['?id=nobody', []],
      ['?text=LISTED', [third, first]],
      ['?text=gr%C3%B6%C3%9Fe', [first]],
      [`?resource=environments&token=${token.id}&actor=admin`, [second]],
      ['?resource=environments&text=role', []],
      [`?since=${time}&until=${time}&resource=environments&id=other`, [second]],
      [`?until=2001-01-01`, []],
      [`?since=2998-01-01`, []],
      ['?actor=&resource=&id=&text=&since=&until=&cursor=&page_size=', [third, second, first, 1]],
    ];
    for (const [query, wanted] of filters) assert.deepEqual(numbers(await listed(query)), wanted, query);
  });

  test('finds and shows an entity by its name where that is its address', async () => {
    const plugin_metadata = { id: 'github.pr', version: '1' };
    const configuration = [{ key: 'url', value: 'https://scm.example.org/a' }];
    const created = await made(server.post('/api/admin/scms', { id: 'made-up', name: 'Toolbox', plugin_metadata, configuration }));
    for (const query of ['?text=toolBOX', '?resource=scms&id=toolbox', '?id=TOOLBOX', '?text=made-up', '?resource=scms&id=made-up']) {
      const found = await listed(query);
      assert.deepEqual(numbers(found), [created], query);
      assert.equal(found[0].changes[0].id, 'Toolbox');
    }
    const gone = await made(server.delete('/api/admin/scms/Toolbox'));
    assert.deepEqual(numbers(await listed('?text=toolbox')), [gone, created]);
  });

  test('comes in pages that follow each other', async () => {
    const whole = numbers(await listed());
    const found: number[] = [];
    let path: string | undefined = `${REVISIONS}?page_size=2&actor=admin`;
    while (path !== undefined) {
      const { json } = await server.get(path);
      assert.ok(json._embedded.revisions.length <= 2);
      found.push(...numbers(json._embedded.revisions));
      path = json._links.next?.href.slice(server.url.length);
    }
    assert.deepEqual(found, whole.slice(0, -1));
  });

  test('refuses wrong queries with a message', async () => {
    const wrong: [query: string, message: RegExp][] = [
      [
        '?resource=nothing',
        /^Value `nothing` is not allowed for query parameter named `resource`\. Valid values are artifact_config, .*\btemplates\b/,
      ],
      ['?token=x', /named `token`/],
      ['?since=x', /named `since`\. Valid values are times such as/],
      ['?until=2026-02-31', /named `until`/],
      ['?cursor=-1', /named `cursor`/],
      ['/1?size=3', /^There is no query parameter `size` here\. Known are page_size, cursor\.$/],
      ['?actr=jez', /^There is no query parameter `actr` here\. Did you mean `actor`\? Known are actor, token, /],
      ['?page_size=501', /named `page_size`\. Valid values are whole numbers from 1 to 500\.$/],
    ];
    for (const [query, message] of wrong) {
      const { status, json } = await server.get(REVISIONS + query);
      assert.equal(status, 400, query);
      assert.match(json.message, message);
    }
  });

  test('is for system administrators', async () => {
    const as = await addUser(server, 'somebody');
    for (const path of [REVISIONS, `${REVISIONS}/1`, `${ENTITIES}/environments/listed/history`, `${ENTITIES}/environments/listed/blame`]) {
      assert.equal((await server.get(path, { as })).status, 403, path);
    }
  });
});

describe('one revision', () => {
  test('a revision shows the difference of each entity, but no secret', async () => {
    await server.post(ENVIRONMENTS, environment('shown', plain('A', '1'), plain('B', '2'), secure('K', SECRET)));
    const revision = await made(
      server.put(`${ENVIRONMENTS}/shown`, environment('shown', secure('K', `${SECRET}-2`), plain('A', '3')), '*'),
    );
    const reply = await server.get(`${REVISIONS}/${revision}`);
    const [{ differences, patch, ...changed }] = reply.json.changes;
    assert.deepEqual(changed, { resource: 'environments', id: 'shown', operation: 'update' });
    assert.deepEqual(
      differences.map(({ words }: Any) => words),
      [
        "environment variable 'B' removed",
        "environment variable 'K', secret value changed",
        "environment variable 'A', value changed from '1' to '3'",
        "environment variables put into another order: environment variable 'K', environment variable 'A'",
      ],
    );
    assert.deepEqual(patch, [
      { op: 'remove', path: '/environment_variables/1' },
      { op: 'move', from: '/environment_variables/1', path: '/environment_variables/0' },
      { op: 'replace', path: '/environment_variables/0/encrypted_value', value: '(secret)' },
      { op: 'replace', path: '/environment_variables/1/value', value: '3' },
    ]);
    assert.ok(!reply.text.includes(SECRET) && !reply.text.includes('v1:') && !reply.text.includes('digest'));
  });

  test('a revision that touches many entities comes in pages', async () => {
    const { json } = await server.get(`${REVISIONS}/1?page_size=1`);
    assert.equal(json.changes.length, 1);
    assert.ok(json.change_count > 1);
    const next = await server.get(json._links.next.href.slice(server.url.length));
    assert.notEqual(next.json.changes[0].resource, json.changes[0].resource);
    const last = await server.get(`${REVISIONS}/1?cursor=${json.change_count - 1}`);
    assert.equal(last.json.changes.length, 1);
    assert.equal(last.json._links.next, undefined);
  });

  test('a revision that does not exist is not found', async () => {
    for (const number of ['0', '4711', 'x', '1'.repeat(20)]) {
      const { status, json } = await server.get(`${REVISIONS}/${number}`);
      assert.equal(status, 404);
      assert.equal(json.message, `There is no revision '${number}'.`);
    }
  });
});

describe('one entity', () => {
  test('an entity has its history, over deletion and creation', async () => {
    const path = `${ENVIRONMENTS}/Long`;
    const revisions = [
      await made(server.post(ENVIRONMENTS, environment('Long', plain('A', '1')))),
      await made(server.put(path, environment('Long', plain('A', '2')), '*')),
      await made(server.delete(path)),
      await made(server.post(ENVIRONMENTS, environment('Long'))),
    ];
    const { json } = await server.get(`${ENTITIES}/environments/long/history`);
    assert.deepEqual(numbers(json._embedded.revisions), revisions.toReversed());
    assert.deepEqual(
      json._embedded.revisions.map(({ operation, differences: [{ words }] }: Any) => [operation, words]),
      [
        ['create', "Environment config 'Long' created"],
        ['delete', "Environment config 'Long' deleted"],
        ['update', "environment variable 'A', value changed from '1' to '2'"],
        ['create', "Environment config 'Long' created"],
      ],
    );
    const page = await server.get(`${ENTITIES}/environments/Long/history?page_size=3`);
    const next = await server.get(page.json._links.next.href.slice(server.url.length));
    assert.deepEqual(numbers(next.json._embedded.revisions), [revisions[0]]);
    assert.equal(next.json._links.next, undefined);
  });

  test('an entity says of each field who set it, when, in which revision and why', async () => {
    const path = `${ENVIRONMENTS}/Blamed`;
    const created = await made(
      server.post(ENVIRONMENTS, environment('Blamed', plain('A', '1'), secure('K', SECRET)), { headers: { 'X-Svc-Reason': 'new' } }),
    );
    await made(server.put(path, environment('Blamed', plain('A', '2'), secure('K', SECRET)), '*'));
    const changed = await made(
      server.put(path, environment('Blamed', plain('B', 'x'), secure('K', SECRET), plain('A', '1')), '*', {
        headers: { 'X-Svc-Reason': 'back' },
      }),
    );
    const reply = await server.get(`${ENTITIES}/environments/blamed/blame`);
    const by = new Map(reply.json._embedded.fields.map((field: Any) => [field.field, field]));
    const revisionOf = (field: string) => (by.get(field) as Any)?.revision;
    assert.equal(revisionOf('name'), created);
    assert.equal(revisionOf("environment variable 'A', name"), created);
    // It has its former value again, but that was set anew.
    assert.equal(revisionOf("environment variable 'A', value"), changed);
    assert.equal(revisionOf("environment variable 'B', value"), changed);
    assert.equal(revisionOf("environment variable 'K', secret value"), created);
    const { time, ...field } = by.get("environment variable 'A', value") as Any;
    assert.match(time, /Z$/);
    assert.deepEqual(field, {
      path: '/environment_variables/2/value',
      field: "environment variable 'A', value",
      value: '1',
      revision: changed,
      actor: 'admin',
      token: null,
      reason: 'back',
    });
    assert.ok(!reply.text.includes(SECRET) && !reply.text.includes('v1:'));
  });

  test('an entity may be the only one of its kind', async () => {
    const revision = await made(server.put('/api/admin/config/server/default_job_timeout', { default_job_timeout: '7' }, '*'));
    const history = await server.get(`${ENTITIES}/default_job_timeout/history`);
    assert.equal(history.json._embedded.revisions[0].revision, revision);
    const blame = await server.get(`${ENTITIES}/default_job_timeout/blame`);
    assert.equal(blame.json._embedded.fields[0].revision, revision);
  });

  test('an entity that does not exist is not found', async () => {
    await server.post(ENVIRONMENTS, environment('gone'));
    await server.delete(`${ENVIRONMENTS}/gone`);
    const answers: [path: string, status: number, message?: string][] = [
      ['environments/never/history', 404, "Environment with name 'never' was not found!"],
      ['environments/never/blame', 404, "Environment with name 'never' was not found!"],
      ['environments/gone/blame', 404, "Environment with name 'gone' was not found!"],
      ['environments/gone/history', 200],
      ['nothing/x/history', 404, "There is no resource called 'nothing'."],
      ['environments/history', 404, 'There are several environments: the path must also name one of them, /environments/ID/…'],
      ['mailserver/x/history', 404, 'There is only one mailserver: leave the id out of the path.'],
      ['mailserver/history', 404, 'SMTP config was not found!'],
    ];
    for (const [path, status, message] of answers) {
      const reply = await server.get(`${ENTITIES}/${path}`);
      assert.equal(reply.status, status, path);
      if (message !== undefined) assert.equal(reply.json.message, message);
    }
  });
});

describe('a name', () => {
  test('is given, changed and taken away', async () => {
    const given = await server.patch(`${REVISIONS}/1`, { name: ' the beginning ' });
    assert.equal(given.status, 200);
    assert.equal(given.json.name, 'the beginning');
    assert.equal((await server.get(`${REVISIONS}/1`)).json.name, 'the beginning');
    assert.equal((await listed()).at(-1).name, 'the beginning');
    assert.deepEqual(numbers(await listed('?text=THE%20BEGIN')), [1]);
    await server.patch(`${REVISIONS}/1`, { name: 'first' });
    assert.equal((await server.get(`${REVISIONS}/1`)).json.name, 'first');
    await server.patch(`${REVISIONS}/1?dry_run=true`, { name: 'tried' });
    assert.equal((await server.get(`${REVISIONS}/1`)).json.name, 'first');
    for (const name of [null, null]) await server.patch(`${REVISIONS}/1`, { name });
    assert.equal((await server.get(`${REVISIONS}/1`)).json.name, null);
    const { events } = (await server.get('/api/admin/events?resource=revisions&id=1&after=0')).json._embedded;
    const about = [{ resource: 'revisions', id: '1' }];
    assert.deepEqual(
      events.map(({ type, actor, about: what, data }: Any) => ({ type, actor, about: what, data })),
      [
        { type: 'revision.named', actor: 'admin', about, data: { name: 'the beginning', former: null } },
        { type: 'revision.named', actor: 'admin', about, data: { name: 'first', former: 'the beginning' } },
        { type: 'revision.unnamed', actor: 'admin', about, data: { name: null, former: 'first' } },
      ],
    );
  });

  test('each of several names given at the same moment knows the one before', async () => {
    const replies = await atOnce(server, ...times(5, (index) => server.patch(`${REVISIONS}/2`, { name: `name ${Math.floor(index / 2)}` })));
    assert.deepEqual(statusesOf(replies), [200, 200, 200, 200, 200]);
    const { events } = (await server.get('/api/admin/events?resource=revisions&id=2&after=0')).json._embedded;
    const formers = events.map(({ data }: Any) => data.former);
    assert.deepEqual(formers, [null, ...events.slice(0, -1).map(({ data }: Any) => data.name)]);
    assert.equal((await server.get(`${REVISIONS}/2`)).json.name, events.at(-1).data.name);
  });

  test('is refused if If-Match does not fit the present name', async () => {
    const path = `${REVISIONS}/3`;
    const { etag } = await server.get(path);
    const rename = (name: string, ifMatch: string) => server.patch(path, { name }, { headers: { 'If-Match': ifMatch } });
    assert.equal((await rename('other', '"older"')).status, 412);
    assert.equal((await rename('third', etag!)).status, 200);
    assert.equal((await rename('other', etag!)).status, 412);
    assert.equal((await server.get(path)).json.name, 'third');
  });

  test('is a text, of a revision that there is', async () => {
    for (const body of [{}, { name: '' }, { name: '  ' }, { name: 7 }, { name: 'x'.repeat(256) }]) {
      const reply = await server.patch(`${REVISIONS}/1`, body);
      assert.equal(reply.status, 422);
      assert.ok(reply.json.data.errors.name[0]);
    }
    assert.equal((await server.patch(`${REVISIONS}/4711`, { name: 'x' })).status, 404);
  });
});
