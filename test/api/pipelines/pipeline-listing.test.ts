// The list of pipelines by group: for users with different rights, searched, in pages, with chosen members.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';
import { create, PATH, pipeline } from './bodies.ts';

const GROUPS = '/api/admin/pipeline_groups';
const ALPHA = ['a-web', 'a-api', 'a-db', 'a-Search', 'a-mail'];
const BETA = ['b-web', 'b-api', 'b-db'];

type Listed = Record<string, string[]>;

let server: TestServer;
const people: Record<string, string> = {};
before(async () => {
  server = await startServer();
  for (const login of ['boss', 'viewer', 'viewer-by-role', 'operator', 'plain']) people[login] = await addUser(server, login);
  await addRole(server, 'viewers', ['viewer-by-role']);
  const authorization = {
    view: { users: ['viewer'], roles: ['viewers'] },
    operate: { users: ['operator'], roles: [] },
    admins: { users: ['boss'], roles: [] },
  };
  accepted(await server.post(GROUPS, { name: 'Alpha', authorization }));
  accepted(await server.post(GROUPS, { name: 'empty' }));
  accepted(await server.post(GROUPS, { name: 'beta' }));
  for (const name of ALPHA) accepted(await create(server, pipeline(name), 'alpha'));
  for (const name of BETA) accepted(await create(server, pipeline(name, { lock_behavior: 'lockOnFailure' }), 'beta'));
});
after(() => server.stop());

const list = (query = '', as?: string) => server.get(`${PATH}${query}`, as ? { as } : {});

async function listed(query = '', as?: string): Promise<Listed> {
  const { groups } = accepted(await list(query, as)).json._embedded;
  return namesIn(groups);
}

function namesIn(groups: { name: string; pipelines: { name: string }[] }[]): Listed {
  return Object.fromEntries(groups.map((group) => [group.name, group.pipelines.map((one) => one.name)]));
}

test('the list without parameters has all groups in the order of creation, empty ones too, with names and links', async () => {
  const { json } = accepted(await list());
  assert.deepEqual(json._links, { self: { href: `${server.url}${PATH}` }, doc: { href: `${server.url}/api/docs#pipeline-config` } });
  assert.deepEqual(namesIn(json._embedded.groups), { Alpha: ALPHA, empty: [], beta: BETA });
  assert.deepEqual(json._embedded.groups[0].pipelines[0], {
    _links: {
      self: { href: `${server.url}${PATH}/a-web` },
      doc: { href: `${server.url}/api/docs#pipeline-config` },
      find: { href: `${server.url}${PATH}/:pipeline_name` },
    },
    name: 'a-web',
  });
});

test('the list of pipelines carries an ETag that changes with it alone', async () => {
  const { etag } = await list();
  assert.equal((await server.get(PATH, { headers: { 'If-None-Match': etag! } })).status, 304);
  accepted(await create(server, pipeline('b-new'), 'beta'));
  assert.notEqual((await list()).etag, etag);
  accepted(await server.delete(`${PATH}/b-new`));
  assert.equal((await list()).etag, etag);
});

test('search finds parts of names, ignoring letter case', async () => {
  assert.deepEqual(await listed('?search=WEB'), { Alpha: ['a-web'], beta: ['b-web'] });
  assert.deepEqual(await listed('?search=sea'), { Alpha: ['a-Search'] });
  assert.deepEqual(await listed('?search=ghost'), {});
  assert.deepEqual((await listed('?search=')).beta, BETA);
});

test('group takes one group, ignoring letter case', async () => {
  assert.deepEqual(await listed('?group=ALPHA'), { Alpha: ALPHA });
  assert.deepEqual(await listed('?group=empty'), { empty: [] });
  assert.deepEqual(await listed('?group=ghost'), {});
  assert.deepEqual(await listed('?group=beta&search=db'), { beta: ['b-db'] });
});

describe('pages', () => {
  /** Follows the links to the end. */
  async function walk(query: string, as?: string): Promise<{ pages: string[][]; all: string[] }> {
    const pages: string[][] = [];
    let next: string | undefined = `${server.url}${PATH}${query}`;
    while (next) {
      const { json } = accepted(await server.get(next.slice(server.url.length), as ? { as } : {}));
      pages.push(Object.values(namesIn(json._embedded.groups)).flat());
      next = json._links.next?.href;
      assert.ok(pages.length < 50, 'the pages have no end');
    }
    return { pages, all: pages.flat() };
  }

  for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 1000]) {
    test(`pages of ${size} lead through all pipelines, each once`, async () => {
      const { pages, all } = await walk(`?page_size=${size}`);
      assert.deepEqual(all, [...ALPHA, ...BETA]);
      assert.equal(pages.length, Math.ceil(all.length / size));
      for (const page of pages.slice(0, -1)) assert.equal(page.length, size);
    });
  }

  test('keep search, group and fields', async () => {
    assert.deepEqual((await walk('?page_size=1&search=-d')).all, ['a-db', 'b-db']);
    assert.deepEqual((await walk('?page_size=2&group=alpha')).all, ALPHA);
    const first = accepted(await list('?page_size=2&fields=lock_behavior&search=web'));
    assert.equal(first.json._links.next, undefined);
    assert.deepEqual(Object.keys(first.json._embedded.groups[0].pipelines[0]), ['_links', 'name', 'lock_behavior']);
  });

  test('pages hold the pipelines that the user may see', async () => {
    assert.deepEqual((await walk('?page_size=2', people.viewer!)).all, ALPHA);
  });

  test('can be continued after any pipeline', async () => {
    assert.deepEqual(await listed('?after=A-MAIL'), { beta: BETA });
    assert.deepEqual(await listed('?after=b-db'), {});
    assert.deepEqual(await listed('?cursor=A-MAIL'), { beta: BETA });
    const { next } = accepted(await list('?cursor=a-mail&page_size=1')).json._links;
    assert.match(next.href, /\?cursor=\d+%3A\d+&page_size=1$/);
  });

  test('a page after a pipeline that does not exist is not the end of the list', async () => {
    assert.equal((await list('?after=ghost')).status, 400);
  });
});

test('fields adds members of the pipeline, in the order asked for', async () => {
  const { json } = accepted(await list('?fields=template,lock_behavior,materials&search=b-web'));
  const [one] = json._embedded.groups[0].pipelines;
  const whole = (await server.get(`${PATH}/b-web`)).json;
  assert.deepEqual(Object.keys(one), ['_links', 'name', 'template', 'lock_behavior', 'materials']);
  for (const member of ['template', 'lock_behavior', 'materials']) assert.deepEqual(one[member], whole[member]);
  accepted(await list('?fields=name'));
  accepted(await list('?fields=%20group%20,%20stages'));
});

describe('bad values', () => {
  for (const size of ['0', '-1', '1001', 'many', '', '1.5']) {
    test(`page_size=${size} is refused`, async () => {
      const reply = await list(`?page_size=${size}`);
      assert.equal(reply.status, 400);
      assert.match(reply.json.message, /^The query parameter 'page_size', if specified must be a number between \d+ and \d+\.$/);
    });
  }

  for (const field of ['ghost', 'name,ghost', '__proto__', 'constructor']) {
    test(`fields=${field} is refused`, async () => {
      const reply = await list(`?fields=${field}`);
      assert.equal(reply.status, 400);
      assert.match(
        reply.json.message,
        /^Value `\w+` is not allowed for query parameter named `fields`\. Valid values are .*\bstages\b.*\.$/,
      );
    });
  }
});

describe('rights', () => {
  for (const login of ['boss', 'viewer', 'viewer-by-role']) {
    test(`${login} sees the group they have a right to`, async () => {
      assert.deepEqual(await listed('', people[login]!), { Alpha: ALPHA });
      assert.deepEqual(await listed('?group=beta', people[login]!), {});
      assert.deepEqual(await listed('?search=web', people[login]!), { Alpha: ['a-web'] });
    });
  }

  test('the right to operate is no right to see', async () => {
    assert.deepEqual(await listed('', people.operator!), {});
  });

  test('a user without rights sees an empty list', async () => {
    assert.deepEqual(await listed('', people.plain!), {});
  });

  test('a cursor reveals nothing of pipelines that the user may not see', async () => {
    const hidden = await list('?after=b-web', people.viewer!);
    const unknown = await list('?after=ghost', people.viewer!);
    assert.equal(hidden.status, unknown.status);
  });

  test('a viewer gets no secret and no more than the list', async () => {
    const wanted = '?fields=group,stages,materials,environment_variables,parameters';
    const whole = accepted(await list(wanted, people.boss!)).json._embedded.groups[0].pipelines[0];
    assert.ok(whole.stages && whole.materials && whole.environment_variables && whole.parameters);
    const reply = accepted(await list(wanted, people.viewer!));
    assert.deepEqual(Object.keys(reply.json._embedded.groups[0].pipelines[0]).sort(), ['_links', 'group', 'name']);
    assert.equal((await server.get(`${PATH}/a-web`, { as: people.viewer! })).status, 403);
  });
});

describe('the order is that of creation', () => {
  let own: TestServer;
  const names = ['one', 'two', 'three', 'four', 'five'];
  before(async () => {
    own = await startServer();
    for (const name of names) accepted(await create(own, pipeline(name)));
  });
  after(() => own.stop());

  const change = async (name: string) =>
    accepted(await own.put(`${PATH}/${name}`, { group: 'g', ...pipeline(name, { label_template: `v\${COUNT}-${++changes}` }) }, '*'));
  const shown = async (query = '') => Object.values(namesIn((await own.get(`${PATH}${query}`)).json._embedded.groups)).flat();
  let changes = 0;

  test('stays when a pipeline is replaced, in the list and in its group', async () => {
    const { etag } = await own.get(PATH);
    await change('one');
    assert.deepEqual(await shown(), names);
    assert.equal((await own.get(PATH)).etag, etag);
    assert.deepEqual(
      (await own.get(`${GROUPS}/g`)).json.pipelines.map((one: { name: string }) => one.name),
      names,
    );
  });

  test('lets no page skip pipelines that are replaced between two requests', async () => {
    const first = await shown('?page_size=2');
    await change(first[0]!);
    await change(first[1]!);
    const rest = await shown(`?after=${first[1]!}`);
    assert.deepEqual([...first, ...rest].sort(), names.toSorted());
  });

  test('lets the next page begin where the last one ended, even when the pipeline at its end is gone', async () => {
    const address = async (query: string) => (await own.get(`${PATH}${query}`)).json._links.next.href.slice(own.url.length + PATH.length);
    const next = await address('?page_size=2');
    const second = await address('?after=two&page_size=1');
    assert.equal((await own.delete(`${PATH}/two`)).status, 200);
    assert.deepEqual(await shown(next), ['three', 'four']);
    assert.equal((await own.delete(`${PATH}/three`)).status, 200);
    assert.deepEqual(await shown(second), ['four']);
    for (const name of ['two', 'three']) accepted(await create(own, pipeline(name)));
    assert.deepEqual(await shown(next), ['four', 'five']);
  });

  test('is the same before and after a restart', async () => {
    await change('two');
    const earlier = await shown();
    await own.restart();
    assert.deepEqual(await shown(), earlier);
  });
});
