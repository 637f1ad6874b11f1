// An exported pipeline parses back to the same pipeline, with any contents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, JsonOut } from '../../src/shape/json/json.ts';
import { jsonFormat, yamlFormat } from './support/formats.ts';
import { generatedPipeline } from './support/generated.ts';
import { type Format, parseText, stored } from './support/pipelines.ts';

const SEED = Number(process.env.TEST_SEED ?? 261_115);
const MAX_MS = 8000;

function comesBack(format: Format, body: JsonObject, meaning: (json: JsonOut) => unknown): void {
  const { json } = stored('pipelines', body);
  const { name, text } = format.exportPipeline(json);
  const file = parseText(format, name, text);
  assert.deepEqual([file.problems, file.warnings], [[], []], text);
  const { pipelines, problems } = format.join([file]);
  assert.deepEqual(problems, [], text);
  assert.equal(pipelines.length, 1);
  const again = stored('pipelines', pipelines[0]!.body as JsonObject);
  assert.deepEqual(again.problems, [], text);
  assert.deepEqual(meaning(again.json), meaning(json), text);
}

/** YAML keeps plain and secret values in two maps, so only the order within each comes back. */
function inTwoHalves(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(inTwoHalves);
    const isSecret = (item: unknown) => Object.hasOwn(Object(item), 'encrypted_value');
    return items.some(isSecret) ? [...items.filter((item) => !isSecret(item)), ...items.filter(isSecret)] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inTwoHalves(member)]));
}

describe('generated pipelines come back from their exported files', () => {
  for (const { title, format, meaning } of [
    { title: 'JSON', format: jsonFormat, meaning: (json: JsonOut) => json },
    { title: 'YAML', format: yamlFormat, meaning: inTwoHalves },
  ]) {
    test(`generated pipelines come back from their exported ${title}`, () => {
      fc.assert(
        fc.property(generatedPipeline, (body) => comesBack(format, body, meaning)),
        { seed: SEED, numRuns: 150, interruptAfterTimeLimit: MAX_MS },
      );
    });
  }
});
