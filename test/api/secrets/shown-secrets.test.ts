// The cipher texts that answers show: sent back they change nothing, and they open nowhere else, for no other address.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { snakeCase } from '../../../src/shape/json/json.ts';
import { cipherTexts, errorsIn, filled, type SecretBody, secretKinds } from '../../support/configuration/secret-bodies.ts';
import { accepted, startServer } from '../../support/requests/callers.ts';
import type { Reply, TestServer } from '../../support/server/server.ts';

const ELSEWHERE = /belongs to another place and cannot be used here\. Enter the plain value instead\.$/;
const MOVED = /was entered for another address\. Enter the plain value again, so that it is sent to this one\.$/;
/** Kinds whose secrets are not bound to an address. */
const WITHOUT_ADDRESS = new Set(['artifactStores', 'environments']);

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

const wrapped = ({ wrap }: SecretBody, body: Record<string, unknown>) => wrap?.(body) ?? body;

function refused(reply: Reply, at: string, message: RegExp): void {
  assert.equal(reply.status, 422, reply.text);
  const found = errorsIn(reply.json.data ?? reply.json);
  assert.match(found[at]?.[0] ?? '', message, JSON.stringify(found));
}

/** The body as clients send it back: without links, embedded entities and the plan. */
function withoutLinks({ json: { _links, _embedded, _plan, ...body } }: Reply): Record<string, unknown> {
  return body;
}

/** Copies in which one member has a value of a type that it never has. */
function* withOneUnreadable<T>(value: T): Generator<T> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const changed = (to: unknown): T =>
      (Array.isArray(value) ? value.map((item, at) => (String(at) === name ? to : item)) : { ...value, [name]: to }) as T;
    if (member !== 'hush-5d21') yield changed(typeof member === 'object' ? 'text' : { nested: true });
    for (const inside of withOneUnreadable(member)) yield changed(inside);
  }
}

for (const kind of secretKinds) {
  const { secret, path, shape } = kind;
  const { movedAt = secret.errorsAt } = secret;
  const isMember = shape === 'collection';
  const own = isMember ? `${path}/sample` : path;
  const write = (body: Record<string, unknown>, query = '') => server.put(`${own}${query}`, body, '*');

  describe(kind.name, () => {
    let shown: Record<string, unknown>;
    before(async () => {
      for (const [needed, body] of Object.entries(secret.needs ?? {})) await server.post(needed, body);
      const body = filled(secret.body);
      accepted(isMember ? await server.post(path, wrapped(secret, body)) : await write(body));
      shown = withoutLinks(accepted(await server.get(own)));
    });

    test('shows bound texts, the same texts each time', async () => {
      const texts = cipherTexts(shown);
      assert.ok(texts.length > 0);
      for (const text of texts) assert.match(text, /^v2:/);
      assert.deepEqual(withoutLinks(await server.get(own)), shown);
    });

    test('shown secrets that are sent back change nothing', async () => {
      const { etag } = await server.get(own);
      const revision = async () => (await server.get('/api/admin/config/revisions?page_size=1')).json._embedded.revisions[0].revision;
      const latest = await revision();
      for (const query of ['?dry_run=true', '']) {
        const again = accepted(await write(shown, query));
        assert.equal(again.etag, etag);
        assert.deepEqual(withoutLinks(again), shown);
      }
      const patch = { headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': '*' } };
      accepted(await server.patch(own, {}, patch));
      accepted(await server.patch(own, shown, patch));
      const operations = [{ method: 'PUT', path: own, if_match: '*', body: shown }];
      accepted(await server.post('/api/admin/config/batch', { operations }));
      const plan = await server.post('/api/admin/config/plan', { [path.slice(path.lastIndexOf('/') + 1)]: isMember ? [shown] : shown });
      assert.deepEqual([plan.json.changes, plan.json.errors], [[], []], plan.text);
      assert.equal(await revision(), latest);
    });

    test('a member that cannot be read is named without showing the secrets beside it', async () => {
      for (const body of withOneUnreadable(filled(secret.body))) {
        const { text } = await write(body, '?dry_run=true');
        assert.ok(!text.includes('hush-5d21'), text);
      }
    });

    if (isMember) {
      test('shown secrets are refused in another entity, and nothing is stored', async () => {
        const copy = { ...shown, [snakeCase(kind.id)]: 'copy', ...(kind.addressedBy && { [kind.addressedBy]: 'copy' }) };
        const named = 'name' in copy ? { ...copy, name: 'copy' } : copy;
        refused(await server.post(path, wrapped(secret, named)), secret.errorsAt, ELSEWHERE);
        refused(await server.post(`${path}?dry_run=true`, wrapped(secret, named)), secret.errorsAt, ELSEWHERE);
        assert.equal((await server.get(`${path}/copy`)).status, 404);
      });

      test('shown secrets bring a deleted entity back', async () => {
        const { etag } = await server.get(own);
        accepted(await server.delete(own));
        assert.equal(accepted(await server.post(path, wrapped(secret, shown))).etag, etag);
      });
    }

    if (!WITHOUT_ADDRESS.has(kind.name)) {
      test('shown secrets are refused for another host, and accepted for another path', async () => {
        const moved = JSON.parse(JSON.stringify(shown).replaceAll('one.example.org', 'two.example.org')) as Record<string, unknown>;
        refused(await write(moved), movedAt, MOVED);
        const patch = { headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': '*' } };
        refused(await server.patch(own, moved, patch), movedAt, MOVED);
        const path = JSON.parse(JSON.stringify(shown).replaceAll('one.example.org/path', 'one.example.org/other')) as Record<
          string,
          unknown
        >;
        accepted(await write(path));
        accepted(await write(filled(secret.body, 'two.example.org')));
        // The secrets shown before still belong to the old host.
        accepted(await write(shown));
      });
    }
  });
}
