// Hundreds of random changes of all kinds of configuration; afterwards every revision still shows its state, byte for byte.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { snakeCase } from '../../src/shape/json/json.ts';
import type { Kind } from '../../src/shape/resource.ts';
import { seededRandom } from '../stories/hostile/random.ts';
import { kinds, type Sample } from '../support/configuration/samples.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type Reply, TestServer } from '../support/server/server.ts';

const CHANGES = Number(process.env.TEST_CHANGES ?? 200);
const AT_ONCE = 20;
const IDS = ['sample', 'second', 'third'];
const DOCUMENT = '/api/admin/config.xml';
const OWN_LISTS = ['/api/admin/pipelines', '/api/admin/pipelines?fields=stages', '/api/admin/templates'];

interface Copy {
  readonly path: string;
  readonly revision: number;
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
}

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  for (const { sample } of kinds) for (const [path, body] of Object.entries(sample.needs ?? {})) await server.post(path, body);
});
after(() => server.stop());

test('every revision is shown as it was shown then', { timeout: 10 * PATIENCE_MS }, async () => {
  const { below, pick } = seededRandom(20260131);
  const copies: Copy[] = [];
  const copy = async (path: string, revision: number) => {
    const { status, text, etag } = await server.get(path);
    copies.push({ path, revision, status, text, etag });
  };
  const touched = new Set<string>();
  let revision = 0;
  while (revision < CHANGES) {
    const kind = pick(kinds);
    const id = pick(IDS);
    const reply = await change(kind, kind.sample, id, below(20), below(10));
    if (reply.status !== 200) continue;
    const made = Number(reply.headers.get('x-svc-revision'));
    // Sending the same again makes no revision.
    if (made <= revision) continue;
    revision = made;
    touched.add(addressOf(kind, id));
    // The changed entity, its list, and others that may show something of it.
    const paths = new Set([addressOf(kind, id), kind.path, pick([...touched]), pick(kinds).path, pick(OWN_LISTS)]);
    await Promise.all([...paths].map((path) => copy(path, revision)));
    if (revision % 100 === 0) await copy(DOCUMENT, revision);
  }
  assert.ok(touched.size > 40, `${touched.size} entities`);
  assert.ok(copies.some(({ status }) => status === 404));
  const mustBeSame = async ({ path, revision: at, status, text, etag }: Copy) => {
    const then = await server.get(`${path}${path.includes('?') ? '&' : '?'}at=${at}`);
    const where = `${path} at ${at}`;
    assert.equal(then.status, status, `${where}: ${then.text}`);
    assert.equal(withoutNext(then.text), withoutNext(text), where);
    assert.equal(then.etag, etag, where);
    if (status === 200) assert.equal(then.headers.get('x-svc-revision'), String(at), where);
  };
  for (let begin = 0; begin < copies.length; begin += AT_ONCE) await Promise.all(copies.slice(begin, begin + AT_ONCE).map(mustBeSame));
});

/** The link to the next page repeats the query. */
function withoutNext(text: string): string {
  return text.replaceAll(/[?&]at=\d+/g, '');
}

function addressOf(kind: Kind, id: string): string {
  return kind.shape === 'singleton' ? kind.path : `${kind.path}/${id}`;
}

/** Creates, replaces or deletes; a refusal because others need the entity, or because it exists already, is no change. */
async function change(kind: Kind, sample: Sample, id: string, n: number, dice: number): Promise<Reply> {
  const body = bodyFor(kind, sample, id, n);
  if (kind.shape === 'singleton') {
    const mayDelete = kind.verbs.includes('DELETE') && dice === 0;
    return mayDelete ? server.delete(kind.path) : server.put(kind.path, body, '*');
  }
  if (dice < 2) return server.delete(addressOf(kind, id));
  const replaced = await server.put(addressOf(kind, id), body, '*');
  return replaced.status === 404 ? server.post(kind.path, sample.wrap?.(body) ?? body) : replaced;
}

/** The sample under another id, and in no other way the same as the one with the usual id. */
function bodyFor(kind: Kind, sample: Sample, id: string, n: number): Record<string, unknown> {
  const body = sample.body(n);
  if (kind.shape === 'singleton') return body;
  const named = { ...body, [snakeCase(kind.id)]: id, ...('name' in body && { name: id }) };
  return JSON.parse(JSON.stringify(named).replaceAll('scm.example.org/', `scm.example.org/${id}/`).replaceAll('left-pad-', `${id}-`));
}
