// The documentation is for readers in a hurry: what is longer than a paragraph of 80 words is a list, or several paragraphs.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const MAX_WORDS = 80;

test('no paragraph has more than 80 words', () => {
  const files = globSync(['*.md', 'client/*.md', 'docs/**/*.md'], { cwd: root });
  assert.ok(files.length > 50, `only ${files.length} files`);
  assert.deepEqual(
    files.flatMap((file) => longParagraphsIn(readFileSync(join(root, file), 'utf8')).map((paragraph) => `${file}: ${paragraph}`)),
    [],
  );
});

test('a row of a table and a block of code are no paragraphs; an item of a list is one', () => {
  const long = 'word '.repeat(MAX_WORDS + 1);
  assert.deepEqual(longParagraphsIn(`| ${long} |\n\n\`\`\`sh\n${long}\n\`\`\`\n`), []);
  for (const begin of ['', '- ', '  - ', '1. ']) assert.equal(longParagraphsIn(`Before.\n\n${begin}${long}\n`).length, 1, begin);
  assert.deepEqual(longParagraphsIn(`- ${'word '.repeat(MAX_WORDS / 2)}\n- ${'word '.repeat(MAX_WORDS / 2)}\n`), []);
});

/** The beginnings of paragraphs that are too long. */
function longParagraphsIn(text: string): string[] {
  return text
    .replaceAll(/^```.*?^```/gms, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => !paragraph.startsWith('|') && wordsIn(paragraph) > MAX_WORDS)
    .map((paragraph) => `${paragraph.slice(0, 60)}…`);
}

function wordsIn(paragraph: string): number {
  return paragraph.replace(/^(?:[-*]|\d+\.) /, '').split(/\s+/).length;
}
