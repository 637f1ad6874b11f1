// Tests the spellings of memory sizes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dockerSizes, ecsSizes, kubernetesSizes, mustBeSizes, readBytes, readSize, type SizeSpelling, swarmSizes } from './sizes.ts';

const K = 1024;
const M = 1024 ** 2;
const G = 1024 ** 3;
const T = 1024 ** 4;

const wordSizes: readonly (readonly [string, number])[] = [
  ...['7B', '7b', '7byte', '7 bytes'].map((text) => [text, 7] as const),
  ...['2K', '2kb', '2KiB', '2kilobyte', '2 kilobytes'].map((text) => [text, 2 * K] as const),
  ...['2M', '2MB', '2mib', '2megabyte', '2 Megabytes'].map((text) => [text, 2 * M] as const),
  ...['2G', '2GB', '2GiB', '2gigabyte', '2\tgigabytes'].map((text) => [text, 2 * G] as const),
  ...['2T', '2TB', '2TiB', '2terabyte', '2  terabytes'].map((text) => [text, 2 * T] as const),
];

const spellings: Readonly<
  Record<
    string,
    { spelling: SizeSpelling; good: readonly (readonly [string, number])[]; bad: readonly string[]; wrongUnit: readonly string[] }
  >
> = {
  docker: {
    spelling: dockerSizes,
    good: [
      ['10M', 10 * M],
      ['25g', 25 * G],
      ['3T', 3 * T],
      ['1.5M', 1.5 * M],
      ['0.25G', 0.25 * G],
    ],
    bad: ['5', 'M', '.3M', '1,3M', '1.M', '5 M', '5MB', '-5M', '5M '],
    wrongUnit: ['5K', '5b'],
  },
  'docker-swarm': { spelling: swarmSizes, good: wordSizes, bad: ['5', 'M', '1.5M', '-5M', '5 M B'], wrongUnit: ['5Mi', '5P', '5 foo'] },
  kubernetes: {
    spelling: kubernetesSizes,
    good: [...wordSizes, ['1024', 1024], ['2Ki', 2 * K], ['2Mi', 2 * M], ['2gi', 2 * G], ['2 Ti', 2 * T]],
    bad: ['M', '1.5M', '-5M', 'xxx'],
    wrongUnit: ['24000kig', '5P'],
  },
  ecs: {
    spelling: ecsSizes,
    good: [...wordSizes, ['1.5G', 1.5 * G], ['1.5 GB', 1.5 * G]],
    bad: ['1024', '1.25G', '1.G', '-999m', 'foo'],
    wrongUnit: ['1024S', '2Mi'],
  },
};

for (const [name, { spelling, good, bad, wrongUnit }] of Object.entries(spellings)) {
  describe(name, () => {
    for (const [text, bytes] of good) test(`${name} knows the size «${text}»`, () => assert.deepEqual(readSize(spelling, text), { bytes }));
    for (const text of bad)
      test(`${name} refuses the size «${text}»`, () => assert.deepEqual(readSize(spelling, text), { problem: `Invalid size: ${text}` }));
    for (const text of wrongUnit) {
      test(`${name} refuses the unit of the size «${text}»`, () =>
        assert.deepEqual(readSize(spelling, text), { problem: `Invalid size: ${text}. Wrong size unit` }));
    }
  });
}

test('a blank size is no problem and has no bytes', () => {
  const values = new Map([
    ['blank', ' '],
    ['bad', 'x'],
    ['good', '4M'],
  ]);
  assert.deepEqual(mustBeSizes(dockerSizes, values, ['absent', 'blank', 'bad', 'good']), [{ key: 'bad', message: 'Invalid size: x' }]);
  assert.deepEqual(
    ['absent', 'blank', 'bad', 'good'].map((key) => readBytes(dockerSizes, values, key)),
    [undefined, undefined, undefined, 4 * M],
  );
});
