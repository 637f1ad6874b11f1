// Tests the plan in the answer to a dry run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPlan } from '../../../src/api/engine/dry-run-reply.ts';
import { Config } from '../../../src/config/current.ts';
import { Draft } from '../../../src/config/draft.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindsOf } from '../../../src/shape/resource.ts';

function draftOf(count: number): Draft {
  const config = new Config(kindsOf(registry));
  const draft = new Draft(config);
  const kind = config.kind('artifactStores');
  for (let number = 0; number < count; number++) draft.put(kind, `s${number}`, { id: `s${number}`, pluginId: 'p', properties: [] });
  return draft;
}

const seesAll = () => true;

test('the plan stands beside the members of the answer', async () => {
  const { text, bytes } = await withPlan({ status: 200, text: '{"id":"ö"}' }, draftOf(1), seesAll);
  const { id, _plan } = JSON.parse(text!);
  assert.equal(id, 'ö');
  assert.deepEqual(Object.keys(_plan), ['changes', 'affected']);
  assert.equal(_plan.changes[0].id, 's0');
  assert.equal(bytes, Buffer.byteLength(text!));
});

test('of very many changes the first are shown, and how many more there are', async () => {
  const { _plan } = JSON.parse((await withPlan({ status: 200, text: '{"id":""}' }, draftOf(503), seesAll)).text!);
  assert.deepEqual([_plan.changes.length, _plan.more_changes], [500, 3]);
});

test('an answer that is no object stays as it is', async () => {
  const answer = { status: 200, text: 'done' };
  assert.equal(await withPlan(answer, draftOf(1), seesAll), answer);
});

test('entities that the reader may not see are only named', async () => {
  const { _plan } = JSON.parse((await withPlan({ status: 200, text: '{"id":""}' }, draftOf(2), (_, { id }) => id === 's0')).text!);
  const [visible, hidden] = _plan.changes;
  assert.deepEqual([visible.is_hidden, visible.differences.length > 0, typeof visible.etag], [undefined, true, 'string']);
  assert.deepEqual(hidden, { resource: 'artifact_stores', id: 's1', operation: 'create', differences: [], is_hidden: true });
});

test('an entity hidden from the reader before the change stays hidden after it', async () => {
  const config = new Config(kindsOf(registry));
  const kind = config.kind('artifactStores');
  const before = { id: 's', pluginId: 'hidden', properties: [] };
  config.replace(kind, 's', { key: 's', value: before, etag: '1', revision: 1, created: 1 });
  const draft = new Draft(config);
  draft.put(kind, 's', { ...before, pluginId: 'seen' });
  const { text } = await withPlan({ status: 200, text: '{"id":""}' }, draft, (_, { pluginId }) => pluginId === 'seen');
  assert.equal(JSON.parse(text!)._plan.changes[0].is_hidden, true);
  assert.doesNotMatch(text!, /"hidden"/);
});
