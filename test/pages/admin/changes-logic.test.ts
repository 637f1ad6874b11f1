// The logic of the pages of changes, without a browser.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Json } from '../../../pages/api/json.ts';
import { historyAddress, stateOf } from '../../../pages/changes/entity.ts';
import { addressOfList, isFiltered } from '../../../pages/changes/filter.ts';
import { newerThan, obstaclesIn, summaryOf } from '../../../pages/changes/revision.ts';
import { addressOfEntity, RESOURCES } from '../../../pages/kit/resources.ts';
import { registry } from '../../../src/resources/index.ts';
import { type Resource, resourceName } from '../../../src/shape/resource.ts';

const NONE = { text: '', resource: '', actor: '', since: '', until: '' };

it('the kinds that can be chosen are those of the registry', () => {
  const kinds: readonly Resource[] = Object.values(registry);
  const expected = kinds.filter(({ isInternal }) => !isInternal).map((kind) => [resourceName(kind), kind.path]);
  assert.deepEqual(RESOURCES, Object.fromEntries(expected));
  assert.equal(addressOfEntity({ resource: 'pipelines', id: 'a b' }), '/api/admin/pipelines/a%20b');
  assert.equal(addressOfEntity({ resource: 'mailserver', id: '' }), '/api/config/mailserver');
  assert.equal(addressOfEntity({ resource: 'environment_parts', id: 'x' }), undefined);
});

it('filters become the query, with days in the time zone of the browser', () => {
  assert.equal(addressOfList(NONE), '/api/admin/config/revisions');
  assert.equal(isFiltered(NONE), false);
  const query = new URL(addressOfList({ ...NONE, text: 'a b', since: '2026-01-31', until: '2026-01-31' }), 'http://host').searchParams;
  assert.equal(query.get('text'), 'a b');
  assert.equal(query.get('since'), new Date(2026, 0, 31).toISOString());
  assert.equal(query.get('until'), new Date(2026, 0, 31, 23, 59, 59, 999).toISOString());
  assert.match(addressOfList({ ...NONE, since: 'nonsense' }), /since=nonsense/);
});

it('a revision is summed up in a line', () => {
  const change = (id: string) => ({ resource: 'environments', id, operation: 'update' as const });
  assert.equal(summaryOf({ changes: [change('a')], change_count: 1 }), 'environments a changed');
  const many = summaryOf({ changes: ['a', 'b', 'c', 'd'].map(change), change_count: 12 });
  assert.equal(many, 'environments a changed, environments b changed, environments c changed and 9 more');
});

it('new revisions are counted from the newest revision in the list', () => {
  const read = [9, 8, 7].map((revision) => ({ ...FACTS, revision }));
  assert.equal(newerThan(7, read), 2);
  assert.equal(newerThan(9, read), 0);
  assert.equal(newerThan(undefined, read), 3);
});
const FACTS = { revision: 0, time: '', actor: '', token: null, address: null, reason: null, name: null, change_count: 1 };

it('obstacles are read from a refusal of any form', () => {
  const named = { resource: 'environments', id: 'live', message: 'It was deleted.', revision: 7, actor: 'ann' };
  assert.deepEqual(obstaclesIn({ message: 'No.', data: { obstacles: [named] } }), [named]);
  const others: readonly (Json | undefined)[] = [undefined, null, 'text', {}, { data: {} }, { data: { obstacles: 'none' } }];
  for (const other of others) assert.deepEqual(obstaclesIn(other), []);
});

it('the state of an entity is put together from its fields', () => {
  const fields = [
    { path: '/name', value: 'live' },
    { path: '/variables/0/name', value: 'A' },
    { path: '/variables/0/secure', value: false },
    { path: '/variables/1/name', value: 'B' },
    { path: '/pipelines', value: [] },
    { path: '/odd~1name', value: null },
  ];
  const state = { name: 'live', variables: [{ name: 'A', secure: false }, { name: 'B' }], pipelines: [], 'odd/name': null };
  assert.deepEqual(stateOf(fields), state);
  assert.deepEqual(stateOf([]), {});
});

it('the history of an entity has an address, also for a resource with a single entity', () => {
  assert.equal(
    historyAddress({ resource: 'environment_parts', id: 'a/b' }, 'blame'),
    '/api/admin/config/entities/environment_parts/a%2Fb/blame',
  );
  assert.equal(historyAddress({ resource: 'mailserver', id: '' }, 'history'), '/api/admin/config/entities/mailserver/history');
});
