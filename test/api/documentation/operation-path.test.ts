// Tests where the path of an operation leads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetAt } from '../../../src/api/engine/batch/operation-path.ts';
import { Refusal } from '../../../src/kit/refusal.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindsOf } from '../../../src/shape/resource.ts';

const kinds = kindsOf(registry);
const ENVIRONMENTS = '/api/admin/environments';
const placed = (path: string, contextPath = '') => {
  const { kind, address, routePath } = targetAt(path, kinds, contextPath);
  return [kind.name, address, routePath];
};

test('a path leads to a collection, to a member, or to a singleton', () => {
  assert.deepEqual(placed(ENVIRONMENTS), ['environments', '', ENVIRONMENTS]);
  assert.deepEqual(placed(`${ENVIRONMENTS}/`), ['environments', '', ENVIRONMENTS]);
  assert.deepEqual(placed(`${ENVIRONMENTS}/prod`), ['environments', 'prod', `${ENVIRONMENTS}/:id`]);
  assert.deepEqual(placed(`${ENVIRONMENTS}/a%20b%2Fc/`), ['environments', 'a b/c', `${ENVIRONMENTS}/:id`]);
  assert.deepEqual(placed('/api/config/backup'), ['backupConfig', '', '/api/config/backup']);
  assert.deepEqual(placed('/api/config/backup/extensions'), ['backupExtensions', '', '/api/config/backup/extensions']);
});

test('a path leads to the same with the context path of the server and without it', () => {
  for (const path of [`/cd${ENVIRONMENTS}/prod`, `${ENVIRONMENTS}/prod`]) assert.equal(placed(path, '/cd')[1], 'prod');
  assert.throws(() => placed(`/go${ENVIRONMENTS}/prod`, '/cd'), /There is no configuration at the path/);
});

for (const [path, why] of [
  [`${ENVIRONMENTS}/prod?at=1`, /must have no query and no fragment/],
  [`${ENVIRONMENTS}#prod`, /must have no query and no fragment/],
  [`${ENVIRONMENTS}/%`, /not percent-encoded correctly/],
  [`https://cd.example.org${ENVIRONMENTS}`, /There is no configuration at the path/],
  ['/api/admin/internal/published_revisions', /There is no configuration at the path/],
  ['/api/config/backup/other', /There is no configuration at the path/],
  ['/api/users', /There is no configuration at the path/],
  ['environments', /There is no configuration at the path/],
  ['/', /There is no configuration at the path/],
] as const) {
  test(`«${path}» is refused`, () => {
    assert.throws(
      () => placed(path),
      (failure) => failure instanceof Refusal && failure.kind === 'invalid' && why.test(failure.message),
    );
  });
}
