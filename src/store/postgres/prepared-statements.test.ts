import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PreparedStatements } from './prepared-statements.ts';

test('a statement is known once the server has said so, and prepared by one batch at a time', () => {
  const prepared = new PreparedStatements();
  const name = prepared.begin('select 1')!;
  assert.equal(prepared.find('select 1'), undefined);
  assert.equal(prepared.begin('select 1'), undefined);
  prepared.keep('select 1', { name, columns: [] });
  assert.deepEqual(prepared.find('select 1'), { name, columns: [] });
});

test('a failed statement is discarded at the server once, and gets another name', () => {
  const prepared = new PreparedStatements();
  const name = prepared.begin('select 1')!;
  prepared.discard('select 1', name);
  assert.deepEqual(prepared.takeDiscarded(), [name]);
  assert.deepEqual(prepared.takeDiscarded(), []);
  assert.notEqual(prepared.begin('select 1'), name);
});

test('a limited number of statements is kept', () => {
  const prepared = new PreparedStatements(1);
  assert.ok(prepared.begin('select 1'));
  assert.equal(prepared.begin('select 2'), undefined);
});
