// Tests tables: they fit a terminal, and are whole elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitting, tableText } from './table.ts';

const TABLE = {
  head: ['name', 'about'],
  rows: [
    ['prod', 'the one that people use every day'],
    ['staging', ''],
  ],
};

test('without a width nothing is cut', () => {
  assert.equal(tableText(TABLE), 'NAME     ABOUT\nprod     the one that people use every day\nstaging  -\n');
});

test('the widest column gives way', () => {
  assert.equal(tableText(TABLE, 24), 'NAME     ABOUT\nprod     the one that p…\nstaging  -\n');
});

test('columns share the missing width, and stay readable', () => {
  assert.deepEqual(fitting([30, 30, 5], 49), [20, 20, 5]);
  assert.deepEqual(fitting([30, 12, 5], 41), [20, 12, 5]);
  assert.deepEqual(fitting([30, 30], 3), [8, 8]);
  assert.deepEqual(fitting([3, 4], 80), [3, 4]);
});

test('no text can move the cursor, or begin a line', () => {
  assert.equal(tableText({ head: ['a'], rows: [['x\u001b[2Jy\nz\u202e']] }), 'A\nx [2Jy z\n');
});
