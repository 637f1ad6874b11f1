// Tests which answers count as an exported file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExported } from './exported.ts';

const answer = (more: object) => JSON.stringify({ protocol: 1, ...more });

test('an answer with a file is read, with a default content type', () => {
  const file = { name: 'a.ini', content: 'text' };
  assert.deepEqual(readExported(answer({ file })), { name: 'a.ini', contentType: 'text/plain; charset=utf-8', text: 'text' });
  assert.equal(readExported(answer({ file: { ...file, content_type: 'application/x-y' } })).contentType, 'application/x-y');
});

test('an answer without a file is reported', () => {
  for (const [text, message] of [
    ['', 'The plugin did not answer in JSON.'],
    ['{"protocol": 2}', 'The answer of the plugin has to name protocol 1.'],
    [answer({}), 'The answer of the plugin has no `file` with `name` and `content`.'],
    [answer({ error: 'cannot' }), 'cannot'],
    [
      answer({ file: { name: 'a', content: '', content_type: 'text/x\r\nSet-Cookie: a' } }),
      'The answer of the plugin has an invalid `content_type`.',
    ],
  ] as const)
    assert.throws(() => readExported(text), { message }, text);
});
