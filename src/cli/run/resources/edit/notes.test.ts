// Tests the text that is edited, and the notes above it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStructured } from '../../../files/structured-file.ts';
import { editableText, withNotes, withoutNotes } from './notes.ts';

test('notes stand above the text, and go without a trace', () => {
  const text = '# a comment of somebody\nname: prod\n';
  const shown = withNotes(['Save it.', 'name: is wrong\nand more'], text);
  assert.equal(shown, '## Save it.\n## name: is wrong\n## and more\n# a comment of somebody\nname: prod\n');
  assert.equal(withoutNotes(shown), text);
  assert.equal(withoutNotes('## only\n## notes'), '');
});

test('read-only members are left out, and so are links', () => {
  const schema = { properties: { origin: { readOnly: true }, list: { items: { properties: { seen: { readOnly: true } } } } } };
  const value = { _links: {}, name: 'a', origin: { type: 'x' }, list: [{ _links: {}, key: 'k', seen: true }] };
  assert.equal(editableText(value, schema), 'name: a\nlist:\n- key: k\n');
});

test('every value is read as it was written', () => {
  const value = {
    text: 'a: b # c',
    number: '30',
    flag: 'true',
    nothing: null,
    real: 1.5,
    on: true,
    empty: '',
    lines: 'one\n  two\n\n',
    tricky: ['- x', '~', 'null', '0x1f', 'it\'s "so"', '\u001b[2J', '2026-01-31'],
    none: [],
    nobody: {},
    nested: [[1, ['deep']], { a: { b: [] } }],
  };
  assert.deepEqual(readStructured('x.yaml', editableText(value, {})), value);
});
