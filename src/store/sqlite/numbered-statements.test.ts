import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberedTexts, StatementNumbers } from './numbered-statements.ts';

test('each text is sent once, and arrives with every statement', () => {
  const sent: string[] = [];
  const texts = new NumberedTexts();
  const numbers = new StatementNumbers((text) => {
    sent.push(text);
    texts.add(text);
  });
  const statements = ['insert a', 'insert b', 'insert a'].map((sql, index) => ({ sql, parameters: [index, null, 'text'] }));
  const numbered = statements.map((statement) => numbers.encode(statement));
  assert.deepEqual(sent, ['insert a', 'insert b']);
  assert.deepEqual(numbered, [
    [0, 0, null, 'text'],
    [1, 1, null, 'text'],
    [0, 2, null, 'text'],
  ]);
  assert.deepEqual(
    numbered.map((one) => texts.decode(one)),
    statements,
  );
});

test('texts beyond the limit are sent as they are, those before it keep their numbers', () => {
  let announced = 0;
  const texts = new NumberedTexts();
  const numbers = new StatementNumbers((text) => {
    announced++;
    texts.add(text);
  });
  const sqls = Array.from({ length: 600 }, (_, index) => `select ${index}`);
  for (const turn of [1, 2]) for (const sql of sqls) assert.equal(texts.decode(numbers.encode({ sql, parameters: [turn] })).sql, sql);
  assert.equal(announced, 500);
});
