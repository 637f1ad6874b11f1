import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Config } from '../../../config/current.ts';
import type { Edit } from '../../../config/edit.ts';
import { registry } from '../../../resources/index.ts';
import { kindsOf } from '../../../shape/resource.ts';
import { knowsFilteredResources } from './webhook-filters.ts';

const kinds = kindsOf(registry);
const kind = new Config(kinds).kind('outgoingWebhooks');
const check = knowsFilteredResources(kinds);
const webhook = (resources: readonly string[]) => ({
  key: 'a',
  value: { filter: { types: [], actors: [], resources, ids: [] } },
  etag: '',
  revision: 1,
  created: 1,
});
const found = (resources: readonly string[], before?: readonly string[]) =>
  check({
    kind,
    key: 'a',
    id: 'a',
    operation: 'update',
    before: before && webhook(before),
    after: webhook(resources),
    problems: [],
  } as Edit);

test('a filter may name resources that events can be about, and patterns of them', () => {
  assert.deepEqual(found([]), []);
  assert.deepEqual(found(['environments', 'pipeline*', 'access_tokens', 'default_job_timeout', '*']), []);
});

test('a resource that no event is about is refused with a suggestion', () => {
  const [problem, ...others] = found(['environments', 'enviroments']);
  assert.deepEqual(others, []);
  assert.deepEqual(problem!.at, ['filter', 'resources']);
  assert.match(problem!.message, /^No event is about 'enviroments'\. Did you mean 'environments'\? Known are access_tokens, /);
});

test('a stored filter may keep a resource that no event is about', () => {
  assert.deepEqual(found(['gone', 'users'], ['gone']), []);
  assert.equal(found(['gone', 'away'], ['gone']).length, 1);
});
