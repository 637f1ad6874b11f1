import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generalised, smallestScopes, TokenUse } from './token-use.ts';

const OPERATE = { resource: 'pipelines', action: 'operate' } as const;
const VIEW = { resource: 'pipelines', action: 'view' } as const;

describe('the use of a token', () => {
  test('is remembered once, together with the uses known before', () => {
    const use = new TokenUse();
    use.note(OPERATE, 'web');
    use.markWritten(use.noted);
    use.note(OPERATE, 'web');
    assert.equal(use.isNew, false);
    use.note(VIEW, 'web');
    assert.equal(use.isNew, true);
    assert.deepEqual(use.joined(['agents:view:*', 'pipelines:view:web']), ['agents:view:*', 'pipelines:operate:web', 'pipelines:view:web']);
  });

  test('the use of more than fifty names is kept as that of all, here and beside the known uses', () => {
    const use = new TokenUse();
    for (let number = 0; number <= 60; number++) use.note(OPERATE, `p${number}`);
    assert.deepEqual(use.joined([]), ['pipelines:operate:*']);
    const many = Array.from({ length: 51 }, (_, number) => `pipelines:view:p${number}`);
    assert.deepEqual(generalised(many), ['pipelines:view:*']);
    assert.equal(generalised(many.slice(1)).length, 50);
  });

  test('proposes the smallest set of scopes', () => {
    assert.deepEqual(smallestScopes(['pipelines:operate:web', 'pipelines:view:web', 'pipelines:view:app']), [
      'pipelines:operate:web',
      'pipelines:view:app',
    ]);
    assert.deepEqual(smallestScopes(['pipelines:view:*', 'pipelines:view:a', 'pipelines:operate:a']), [
      'pipelines:view:*',
      'pipelines:operate:a',
    ]);
    assert.deepEqual(smallestScopes(['*:view:*', 'agents:view:*']), ['*:view:*']);
    assert.deepEqual(smallestScopes([]), []);
  });
});
