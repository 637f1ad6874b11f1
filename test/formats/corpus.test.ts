// Files as people write them: each gives the result beside it, and the resources understand it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { locate } from '../../src/formats/locate.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { corpus, expectedOf, formatOf, parseCorpus, parsedContent, sourceOf } from './support/corpus.ts';
import { encrypted, parseText, stored } from './support/pipelines.ts';

assert.ok(corpus.length >= 12);

describe('each file gives the expected result', () => {
  for (const name of corpus)
    test(`the file ${name} gives the expected result`, () => assert.deepEqual(parsedContent(name), expectedOf(name)));
});

test('a parsed file can go to another thread', () => {
  for (const name of corpus) assert.deepEqual(structuredClone(parseCorpus(name)), parseCorpus(name));
});

describe('the resources read every body without a problem', () => {
  for (const name of corpus) {
    test(`the resources read every body of ${name} without a problem`, () => {
      const source = sourceOf(name).replaceAll(/AES:[^"]+/g, encrypted('hush'));
      const { pipelines, environments } = formatOf(name).join([parseText(formatOf(name), name, source)]);
      for (const { body } of pipelines) assert.deepEqual(stored('pipelines', withKnownMaterials(body)).problems, []);
      for (const { body } of environments) assert.deepEqual(stored('environments', body as JsonObject).problems, []);
    });
  }
});

/** The body without materials that only the server can resolve. */
function withKnownMaterials(body: Readonly<Record<string, unknown>>): JsonObject {
  const isKnown = ({ type, attributes }: JsonObject) => type !== 'configrepo' && !('scm' in (attributes as JsonObject));
  return { ...body, materials: (body.materials as readonly JsonObject[]).filter(isKnown) } as JsonObject;
}

/** Values that no file spells out, because a short form stands for them. */
const DERIVED = new Set(['type', 'id', 'version', 'key', 'lock_behavior', 'run_if', 'run_instance_count']);

describe('every text is found where it stands', () => {
  for (const name of corpus) {
    test(`every text of ${name} is found where it stands`, () => {
      const lines = sourceOf(name).split('\n');
      const { pipelines, environments } = parseCorpus(name);
      let found = 0;
      for (const entity of [...pipelines, ...environments]) {
        for (const { path, value } of textsIn(entity.body)) {
          if (DERIVED.has(String(path.findLast((step) => typeof step === 'string'))) || value === '') continue;
          const { line, column } = locate(entity, path);
          const rest = lines
            .slice(line - 1)
            .join('\n')
            .slice(column - 1);
          assert.ok(wordsOf(rest).startsWith(wordsOf(value).slice(0, 3)), `${path.join('.')} at ${line}:${column}`);
          found++;
        }
      }
      assert.ok(found > 0);
    });
  }
});

function* textsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ path: readonly (string | number)[]; value: string }> {
  if (typeof value === 'string') yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** The text without characters that only the notation needs. */
function wordsOf(text: string): string {
  return text.replace(/^(?:[|>][-+]?|!\S+)?\s*/, '').replace(/[\s"'\\]/g, '');
}
