import assert from 'node:assert/strict';
import { test } from 'node:test';
import { superfluousCopies } from './migration-copies.ts';

test('the three newest copies are kept, of any schema, and so are other files', () => {
  const names = [
    'slipway-schema-25-20260101T000000Z.db',
    'slipway-schema-9-20260401T000000Z.db',
    'slipway-schema-10-20260301T000000Z.db',
    'slipway-schema-11-20260201T000000Z.db',
    'mine.db',
    'slipway-schema-1-20250101T000000Z.db.new',
  ];
  assert.deepEqual(superfluousCopies(names), ['slipway-schema-25-20260101T000000Z.db']);
  assert.deepEqual(superfluousCopies(names.slice(1)), []);
});
