// Tests of parameters replaced by their values: nothing is made that would be too long, and nothing is thrown.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAX_GROWTH, Replacement } from './replacement.ts';
import { resolved, resolvedStages, resolvedText } from './resolved.ts';

const valued = (length: number) => ({ parameters: [{ name: 'a', value: 'y'.repeat(length) }] });
/** The four characters of a use are not there any more. */
const maxPipeline = valued(MAX_GROWTH.text + 4);

describe('a text', () => {
  test('becomes as much longer as it may, and stays as it is written otherwise', () => {
    assert.equal(resolvedText('#{a}', maxPipeline).length, MAX_GROWTH.text + 4);
    assert.equal(resolvedText('#{a}#{a}', maxPipeline), '#{a}#{a}');
    assert.equal(resolvedText('###{a}', maxPipeline).length, MAX_GROWTH.text + 5, 'what becomes shorter beside it counts, too');
  });

  test('a text that would be longer than any text can be stays as it is written', () => {
    const text = '#{a}'.repeat(10_000);
    assert.equal(resolvedText(text, maxPipeline), text);
    assert.equal(new Replacement(maxPipeline.parameters).limitFor(text), 'text');
  });

  test('may be as long as it likes where it is written', () => {
    const text = 'x'.repeat(2 * MAX_GROWTH.all);
    assert.equal(resolvedText(`${text}#{a}`, valued(1)).length, text.length + 1);
  });
});

describe('all texts of a pipeline', () => {
  const maxUses = MAX_GROWTH.all / MAX_GROWTH.text;
  const uses = Array.from({ length: 2 * maxUses }, () => '#{a}');
  const areReplaced = (texts: readonly string[]) => texts.filter((text) => text !== '#{a}').length;

  test('all texts of a pipeline become as much longer as they may together', () => {
    const pipeline = { ...maxPipeline, texts: uses };
    assert.equal(areReplaced(resolved(pipeline).texts), maxUses);
    assert.deepEqual(resolved(pipeline), resolved(pipeline));
  });

  test('texts of the template of a pipeline may become longer apart from the others', () => {
    const [stage] = resolvedStages([{ texts: uses }], maxPipeline);
    assert.equal(areReplaced(stage!.texts), maxUses);
  });
});
