// Tests that the result of a preflight stays small, also with very many mistakes in the files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preflightJson } from './docs.ts';

const NOTHING = { problems: [], refusals: [], warnings: [], plan: undefined };
const LONG = 'x'.repeat(500_000);

test('long messages are made short, and messages beyond the limit are counted', () => {
  const definedAt = { file: 'a.yaml', entity: `pipeline '${LONG}'` };
  const refusals = Array.from({ length: 1_000 }, (_, count) => ({ message: `${count}: '${LONG}' is wrong.`, isRule: false, definedAt }));
  const result = preflightJson({ ...NOTHING, refusals }, false);
  assert.equal(result.valid, false);
  assert.match(result.errors[0]!, /^0: 'x+…x+' is wrong\.$/);
  assert.equal(result.errors.at(-1), '500 more are not shown.');
  assert.match(result.problems!.at(-1)!.message, /^\d+ more are not shown\.$/);
  assert.ok(JSON.stringify(result).length < 2_500_000);
});

test('messages about very many files are made short and counted, too', () => {
  const problem = {
    file: 'a.yaml',
    line: 1,
    column: 1,
    entity: undefined,
    location: 'a.yaml',
    message: LONG.slice(0, 1000),
    hint: undefined,
  };
  const result = preflightJson({ ...NOTHING, problems: Array.from({ length: 5_000 }, () => problem) }, false);
  assert.match(result.errors[0]!, /\n\n\d+ more are not shown\.$/);
  assert.ok(JSON.stringify(result).length < 2_500_000);
});

test('a short list of messages is shown as it is, each message once', () => {
  const refusals = ['one', 'two', 'one'].map((message) => ({ message, isRule: false, definedAt: undefined }));
  assert.deepEqual(preflightJson({ ...NOTHING, refusals }, false).errors, ['one', 'two']);
});
