// The examples in the documentation are read without a word.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { jsonFormat, yamlFormat } from './support/formats.ts';
import { parseText } from './support/pipelines.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'pipelines-as-code.md'), 'utf8');

describe('docs/pipelines-as-code.md', () => {
  for (const [language, format, name] of [
    ['yaml', yamlFormat, 'a.gocd.yaml'],
    ['json', jsonFormat, 'a.gopipeline.json'],
  ] as const) {
    test(`the example in ${language} gives what the page says`, () => {
      const examples = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))];
      assert.equal(examples.length, 1);
      const { pipelines, problems, warnings } = format.join([parseText(format, name, examples[0]![1]!)]);
      assert.deepEqual([problems, warnings], [[], []]);
      assert.deepEqual(
        pipelines.map((pipeline) => pipeline.name),
        ['web'],
      );
    });
  }
});
