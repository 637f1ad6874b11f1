// The promises every resource keeps. A new resource is tested the moment it is registered.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { requestSchema } from '../src/api/engine/resource-schemas.ts';
import { snakeCase } from '../src/shape/json/json.ts';
import { type Kind, keyOf } from '../src/shape/resource.ts';
import { kinds, type Sample } from './support/configuration/samples.ts';
import { isStored } from './support/database/sql.ts';
import { stale } from './support/requests/replies.ts';
import { type Reply, TestServer } from './support/server/server.ts';

/** Fields that have an alternative: the group beside the pipeline, the name in the address, roles, a cipher text. */
const NEEDED_BY_THE_SAMPLE: Readonly<Record<string, readonly string[]>> = {
  pipelines: ['group'],
  scms: ['name'],
  systemAdmins: ['users'],
  outgoingWebhooks: ['secret'],
};

function wrapped(sample: Sample, body: Record<string, unknown>): Record<string, unknown> {
  return sample.wrap?.(body) ?? body;
}

function revisionOf({ headers }: Reply): number {
  return Number(headers.get('x-svc-revision'));
}

const NAMES = new Set(['id', 'name', 'key', 'repo_id', 'group', 'users', 'roles', 'plugin_id', 'resources', 'store_id', 'template']);

/** The body again and again, each time with another of its names changed. */
function withEachName(body: Record<string, unknown>, change: (name: string) => string): { at: string; body: Record<string, unknown> }[] {
  const changed: { at: string; body: Record<string, unknown> }[] = [];
  const visit = (value: unknown, at: string, isName: boolean, put: (other: unknown) => Record<string, unknown>): void => {
    if (typeof value === 'string' && isName) changed.push({ at, body: put(change(value)) });
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${at}/${index}`, isName, (other) => put(value.with(index, other)));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        visit(member, `${at}/${key}`, NAMES.has(key), (other) => put({ ...value, [key]: other }));
      }
    }
  };
  visit(body, '', false, (other) => other as Record<string, unknown>);
  return changed;
}

/** How the suite reaches one entity, whether it is one of many or the only one. */
function homeOf(server: TestServer, kind: Kind, sample: Sample) {
  const isMember = kind.shape === 'collection';
  const path = isMember ? `${kind.path}/sample` : kind.path;
  return {
    path,
    isMember,
    canDelete: isMember || kind.verbs.includes('DELETE'),
    create: (n: number) =>
      isMember ? server.post(kind.path, wrapped(sample, sample.body(n))) : server.put(kind.path, sample.body(n), '*'),
    async clear() {
      if (this.canDelete) await server.delete(path);
    },
  };
}

for (const kind of kinds) {
  const { sample, version } = kind;
  const idMember = kind.shape === 'collection' ? snakeCase(kind.id) : '';
  const versioned = (word: string, n = version) => `application/vnd.${word}.v${n}+json`;

  describe(kind.name, () => {
    let server: TestServer;
    let home: ReturnType<typeof homeOf>;
    before(async () => {
      server = await TestServer.start();
      home = homeOf(server, kind, sample);
      for (const [path, body] of Object.entries(sample.needs ?? {})) assert.equal((await server.post(path, body)).status, 200);
    });
    after(() => server.stop());

    test('is created, read, replaced and deleted', async () => {
      const created = await home.create(1);
      assert.equal(created.status, 200, created.text);
      assert.match(created.etag!, /^"[0-9a-f]{64}"$/);
      const read = await server.get(home.path);
      assert.deepEqual(read.json, created.json);
      assert.equal(read.etag, created.etag);
      const replaced = await server.put(home.path, sample.body(2), read.etag);
      assert.equal(replaced.status, 200, replaced.text);
      assert.notEqual(replaced.etag, created.etag);
      assert.deepEqual((await server.get(home.path)).json, replaced.json);
      if (!home.canDelete) return;
      const deleted = await server.delete(home.path);
      assert.equal(deleted.status, 200);
      assert.deepEqual(Object.keys(deleted.json), ['message']);
      assert.equal((await server.get(home.path)).status, kind.shape === 'singleton' && kind.unset ? 200 : 404);
      assert.equal((await server.delete(home.path)).status, 404);
    });

    test('fields that a body must have are described as required', async () => {
      await home.clear();
      const { required = [], properties } = requestSchema(kind) as { required?: string[]; properties: object };
      const needed: string[] = [];
      for (const member of Object.keys(properties).filter((name) => name in sample.body(1))) {
        const { [member]: _, ...rest } = sample.body(1);
        const path = `${kind.path}?dry_run=true`;
        const reply = home.isMember ? await server.post(path, wrapped(sample, rest)) : await server.put(path, rest, '*');
        if (reply.status === 422 && member in (reply.json.data?.errors ?? reply.json.errors ?? {})) needed.push(member);
      }
      const sometimes = NEEDED_BY_THE_SAMPLE[kind.name] ?? [];
      assert.deepEqual(needed.filter((member) => !sometimes.includes(member)).sort(), required.toSorted());
    });

    test('no name in the entity holds invisible characters', async () => {
      await home.clear();
      const path = `${kind.path}?dry_run=true`;
      for (const character of ['\n', '\u200b', '\u202e', '\0']) {
        for (const { at, body } of withEachName(sample.body(1), (name) => `${name}${character}x`)) {
          const reply = home.isMember ? await server.post(path, wrapped(sample, body)) : await server.put(path, body, '*');
          assert.ok(reply.status === 422 || reply.status === 400, `${at}: ${reply.status} ${reply.text}`);
        }
      }
    });

    test('serves its version, the newest when none is asked for, in both vendor words', async () => {
      await home.create(1);
      for (const accept of [
        versioned('svc'),
        'application/vnd.svc+json',
        null,
        '*/*',
        'application/*',
        `text/html, ${versioned('svc')};q=0.5`,
      ]) {
        const reply = await server.get(home.path, { accept });
        assert.equal(reply.status, 200, String(accept));
        assert.equal(reply.headers.get('content-type'), `${versioned('svc')}; charset=utf-8`);
      }
      for (const accept of [versioned('go.cd'), 'application/vnd.go.cd+json']) {
        assert.equal((await server.get(home.path, { accept })).headers.get('content-type'), `${versioned('go.cd')}; charset=utf-8`);
      }
    });

    test('serves older versions of the same form', async () => {
      await home.create(1);
      const { text, etag } = await server.get(home.path);
      for (const older of kind.alsoVersions ?? []) {
        const reply = await server.get(home.path, { accept: versioned('go.cd', older) });
        assert.deepEqual([reply.status, reply.text, reply.etag], [200, text, etag]);
        assert.equal(reply.headers.get('content-type'), `${versioned('go.cd', older)}; charset=utf-8`);
      }
    });

    test('is hidden behind an Accept header it does not serve', async () => {
      await home.create(1);
      for (const accept of [
        versioned('svc', 99),
        'application/json',
        'text/html',
        'application/vnd.other.v1+json',
        `${versioned('svc')};q=0`,
      ]) {
        const reply = await server.get(home.path, { accept });
        assert.equal(reply.status, 404, accept);
        assert.equal(reply.json.message, 'The url you are trying to reach appears to be incorrect.');
        assert.ok(reply.json.supported.includes(versioned('svc')) && reply.json.supported.includes(versioned('go.cd')));
      }
    });

    test('answers HEAD like GET, and 304 to a known ETag', async () => {
      await home.create(1);
      const read = await server.get(home.path);
      const head = await server.ask('HEAD', home.path);
      assert.equal(head.status, 200);
      assert.equal(head.etag, read.etag);
      assert.equal(head.headers.get('content-length'), read.headers.get('content-length'));
      const bare = read.etag!.slice(1, -1);
      for (const known of [read.etag!, bare, `"${bare}--gzip"`, `"other", ${read.etag}`, '*']) {
        const reply = await server.get(home.path, { headers: { 'If-None-Match': known } });
        assert.equal(reply.status, 304, known);
        assert.equal(reply.text, '');
        assert.equal(reply.etag, read.etag);
      }
      assert.equal((await server.get(home.path, { headers: { 'If-None-Match': '"other"' } })).status, 200);
    });

    test('a stale or missing If-Match overwrites nothing', async () => {
      const first = await home.create(1);
      const etag = first.etag ?? (await server.get(home.path)).etag;
      await server.put(home.path, sample.body(2), '*');
      const late = await server.put(home.path, sample.body(3), etag);
      assert.match(stale(late, late.json.message).json.message, /^Someone has modified the /);
      if (kind.needsIfMatch) stale(await server.put(home.path, sample.body(3)), late.json.message, false);
      const kept = await server.get(home.path);
      assert.equal((await server.put(home.path, sample.body(2), kept.etag)).etag, kept.etag);
    });

    test('no update is lost among 30 parallel writers', async () => {
      await home.create(0);
      const first = await server.put(home.path, sample.body(5), '*');
      const written = [{ base: '', etag: first.etag, revision: revisionOf(first) }];
      /** Whether it was written. */
      const write = async (n: number) => {
        const { etag: base } = await server.get(home.path);
        const reply = await server.put(home.path, sample.body(n + 10), base);
        assert.ok(reply.status === 200 || reply.status === 412, reply.text);
        if (reply.status === 200) written.push({ base: base!, etag: reply.etag, revision: revisionOf(reply) });
        return reply.status === 200;
      };
      let writers = Array.from({ length: 30 }, (_, n) => n);
      const won = await Promise.all(writers.map(write));
      // Some of the writers that were too late try again, until each of them has written.
      writers = writers.filter((n) => !won[n]).slice(0, 9);
      const tryAgain = writers.length;
      while (writers.length > 0) {
        const racing = writers.slice(0, 3);
        const through = await Promise.all(racing.map(write));
        writers = [...writers.slice(3), ...racing.filter((_, index) => !through[index])];
      }
      written.sort((one, other) => one.revision - other.revision);
      assert.equal(written.length, 1 + won.filter(Boolean).length + tryAgain);
      for (const [index, { base, revision }] of written.entries()) {
        if (index === 0) continue;
        assert.equal(base, written[index - 1]!.etag, 'each builds on what was there right before it');
        assert.equal(revision, written[index - 1]!.revision + 1);
      }
    });

    test('ignores fields it does not know', async () => {
      await home.clear();
      await home.create(1);
      const { etag, text } = await server.get(home.path);
      const reply = await server.put(home.path, { ...sample.body(1), surprise: 'x', etag: 'y' }, etag);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.text, text);
    });

    test('the same content again keeps ETag, cipher text and revision', async () => {
      await home.clear();
      await home.create(1);
      const read = await server.get(home.path);
      const again = await server.put(home.path, sample.body(1), read.etag);
      assert.equal(again.text, read.text);
      const { _links, ...sentBack } = read.json;
      const echoed = await server.put(home.path, sentBack, again.etag);
      assert.equal(echoed.status, 200, echoed.text);
      assert.equal(echoed.text, read.text);
      assert.equal(echoed.headers.get('x-svc-revision'), again.headers.get('x-svc-revision'));
    });

    test('a dry run gives the verdict and changes nothing', async () => {
      await home.clear();
      await home.create(1);
      const { etag, text } = await server.get(home.path);
      const dry = await server.put(`${home.path}?dry_run=true`, sample.body(2), etag);
      assert.equal(dry.status, 200);
      assert.equal(dry.headers.get('x-svc-dry-run'), 'true');
      assert.equal((await server.get(home.path)).text, text);
      if (home.canDelete) {
        assert.equal((await server.delete(`${home.path}?dry_run=true`)).status, 200);
        assert.equal((await server.get(home.path)).text, text);
      }
      const real = await server.put(home.path, sample.body(2), etag);
      assert.equal(real.etag, dry.etag);
      assert.equal((await server.put(`${home.path}?dry_run=maybe`, sample.body(2), '*')).status, 400);
    });

    test('says what is wrong with a body that is not an object of its fields', async () => {
      const write = (ask: object) => (kind.shape === 'collection' ? server.ask('POST', kind.path, ask) : server.ask('PUT', kind.path, ask));
      const broken = await write({ text: '{"a": ' });
      assert.equal(broken.status, 400);
      assert.match(broken.json.message, /^Payload data is not valid JSON: /);
      assert.equal((await write({ text: '[1]' })).status, 400);
      assert.equal((await write({ text: '{}', headers: { 'Content-Type': 'text/plain' } })).status, 415);
      assert.equal((await write({})).status, 400);
      const vendor = await write({
        body: sample.body(1),
        headers: { 'Content-Type': 'application/vnd.svc.v1+json; charset=utf-8', 'If-Match': '*' },
      });
      assert.ok([200, 422].includes(vendor.status), vendor.text);
      const confirmed = await write({ headers: { 'X-Svc-Confirm': 'true' } });
      assert.ok([200, 412, 422].includes(confirmed.status), confirmed.text);
    });

    test('needs a login', async () => {
      const anonymous = await server.get(home.path, { as: '' });
      assert.equal(anonymous.status, 401);
      assert.equal(anonymous.headers.get('www-authenticate'), 'Basic realm="Slipway"');
    });

    test('survives a restart unchanged', async () => {
      await home.clear();
      await home.create(3);
      const before = await server.get(home.path);
      const withoutAddress = before.text.replaceAll(server.url, '');
      await server.restart();
      const after = await server.get(home.path);
      assert.equal(after.etag, before.etag);
      assert.equal(after.text.replaceAll(server.url, ''), withoutAddress);
    });

    test('a secret never appears in clear: not in answers, the log, the change log or the database file', async () => {
      await home.clear();
      const answers: string[] = [];
      for (const n of [101, 102]) answers.push((await home.create(n)).text, (await server.put(home.path, sample.body(n), '*')).text);
      answers.push((await server.put(home.path, { ...sample.body(103), [Object.keys(sample.body(103))[0]!]: { nested: true } }, '*')).text);
      answers.push((await server.ask('PUT', home.path, { text: JSON.stringify(sample.body(104)).slice(0, -1) })).text);
      for (const n of [101, 102, 103, 104]) {
        for (const secret of sample.secrets(n)) {
          assert.ok(!answers.join().includes(secret), 'an answer shows it');
          assert.ok(!server.log.includes(secret), 'the log shows it');
          assert.ok(!(await isStored(server.dataDir, secret)), 'the database shows it');
        }
      }
    });

    if (kind.shape === 'collection') {
      if (!kind.hasOwn?.includes('GET list'))
        test('lists its members with links and an ETag that changes with them', async () => {
          await home.create(1);
          const list = await server.get(kind.path);
          assert.deepEqual(Object.keys(list.json), ['_links', '_embedded']);
          assert.deepEqual(Object.keys(list.json._links), kind.listLinks);
          const members = list.json._embedded[kind.listKey];
          const own = members.find((member: Record<string, unknown>) => keyOf(kind, String(member[idMember])) === 'sample');
          assert.deepEqual(own, (await server.get(home.path)).json);
          assert.equal((await server.get(`${kind.path}/`)).text, list.text);
          assert.equal((await server.get(kind.path, { headers: { 'If-None-Match': list.etag! } })).status, 304);
          await server.put(home.path, sample.body(77), '*');
          assert.notEqual((await server.get(kind.path)).etag, list.etag);
        });

      test('names the missing entity, refuses duplicates and renames', async () => {
        await home.create(1);
        assert.equal((await server.get(`${kind.path}/ghost`)).json.message, kind.messages.notFound('ghost'));
        assert.equal((await server.put(`${kind.path}/ghost`, sample.body(1), '*')).status, 404);
        const duplicate = await server.post(kind.path, wrapped(sample, sample.body(1)));
        assert.equal(duplicate.status, 422);
        assert.equal(duplicate.json.message, kind.messages.duplicate('sample'));
        if (kind.mayBeRenamed) return;
        const renamed = await server.put(home.path, { ...sample.body(1), [idMember]: 'other' }, '*');
        assert.equal(renamed.status, 422);
        assert.equal(renamed.json.message, kind.messages.renamed);
      });

      test('takes the id from the address when the body has none', async () => {
        await home.create(1);
        const { [idMember]: _, ...body } = sample.body(8);
        assert.equal((await server.put(home.path, body, '*')).json[idMember], 'sample');
      });

      test('refuses an id that cannot stand in an address, and names the field', async () => {
        for (const id of ['with space', '.hidden', 'a/b', 'ü', 'x'.repeat(256)]) {
          const reply = await server.post(kind.path, wrapped(sample, { ...sample.body(1), [idMember]: id }));
          assert.equal(reply.status, 422, id);
          assert.ok(reply.json.data.errors[idMember].length > 0, reply.text);
        }
        if (!kind.generatesId)
          assert.equal((await server.post(kind.path, wrapped(sample, { ...sample.body(1), [idMember]: '' }))).status, 422);
      });
    }
  });
}
