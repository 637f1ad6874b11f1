// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are written with ${…}
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type LabelFacts, labelOf } from './label.ts';

const FACTS: LabelFacts = {
  counter: 17,
  variables: [
    { name: 'VERSION', value: '2.5' },
    { name: 'version', value: 'small' },
    { name: 'TOKEN', value: null },
    { name: 'odd', value: '$& ${COUNT}' },
  ],
  materials: [
    { name: null, revision: 'nobody' },
    { name: 'Repo', revision: 'abcdef0123456789' },
    { name: 'up-stream', revision: '1.2-rc' },
  ],
};

describe('labels', () => {
  const TABLE: readonly (readonly [string, string])[] = [
    ['${COUNT}', '17'],
    ['release-${count}.0', 'release-17.0'],
    ['${COUNT}-${repo}', '17-abcdef0123456789'],
    ['${REPO[:7]}', 'abcdef0'],
    ['${repo[:99]}', 'abcdef0123456789'],
    ['${up-stream}/${COUNT}', '1.2-rc/17'],
    ['${env:VERSION}', '2.5'],
    ['${env:version}', 'small'],
    ['${ENV:Version}', '2.5'],
    ['a${env:unknown}b', 'ab'],
    // A secure variable must not be revealed.
    ['a${env:TOKEN}b', 'ab'],
    // Inserted values are not expanded again.
    ['${env:odd}', '$& ${COUNT}'],
    ['${unknown}', '${unknown}'],
    ['${unknown[:3]}', '${unknown[:3]}'],
    ['${repo[:x]}', '${repo[:x]}'],
    ['${repo[3]}', '${repo[3]}'],
    ['${}', '${}'],
    ['$COUNT {COUNT} ${COUNT', '$COUNT {COUNT} ${COUNT'],
    ['1.${COUNT}.${COUNT}', '1.17.17'],
    ['', ''],
  ];
  for (const [template, label] of TABLE)
    test(`the label of the template ${template}`, () => {
      assert.equal(labelOf(template, FACTS), label);
    });

  test('are cut after 255 characters', () => {
    assert.equal(labelOf(`${'x'.repeat(250)}\${repo}`, FACTS), `${'x'.repeat(250)}abcde`);
    assert.equal(labelOf('x'.repeat(255), FACTS).length, 255);
    assert.equal(labelOf('😀'.repeat(300), FACTS), '😀'.repeat(255));
  });

  test('keep the text between tokens as it is', () => {
    const text = fc.string().filter((one) => !one.includes('$') && one.length < 100);
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(labelOf(`${before}\${COUNT}${after}`, FACTS), `${before}17${after}`);
      }),
    );
  });
});
