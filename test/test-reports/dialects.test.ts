// Reports as the usual tools write them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { millisecondsOf, millisecondsOfClock } from '../../src/test-reports/duration.ts';
import type { TestResult } from '../../src/test-reports/result.ts';
import { readBytes } from './reading.ts';

type Row = readonly [name: string, result: string, ms: number, message?: string | null, trace?: string | null];

const rowOf = ({ name, result, durationMs, message, trace }: TestResult): Row => [name, result, durationMs, message, trace];
const passed = (name: string, ms: number): Row => [name, 'passed', ms, null, null];
const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name));

const SAMPLES: Readonly<Record<string, { readonly classes: readonly string[]; readonly rows: readonly Row[] }>> = {
  'surefire.xml': {
    classes: ['org.example.CartTest'],
    rows: [
      passed('addsItems', 1_230_500),
      [
        'countsItems',
        'failed',
        12,
        'expected: <3> but was: <2>',
        'org.opentest4j.AssertionFailedError: expected: <3> but was: <2>\n\tat org.example.CartTest.countsItems(CartTest.java:27)',
      ],
      ['pays', 'failed', 3, 'java.lang.NullPointerException', 'java.lang.NullPointerException\n\tat org.example.Cart.pay(Cart.java:41)'],
      ['ships', 'skipped', 0, 'needs a warehouse', null],
      passed('flickers', 1),
    ],
  },
  'pytest.xml': {
    classes: ['tests.test_cart'],
    rows: [
      passed('test_adds[1-2]', 1),
      [
        'test_counts',
        'failed',
        2,
        'AssertionError: assert 2 == 3\n +  where 2 = len([1, 2])',
        'def test_counts():\n>       assert len(items()) == 3\nE       assert 2 == 3\n\ntests/test_cart.py:7: AssertionError',
      ],
      ['test_ships', 'skipped', 0, 'needs a warehouse', '/src/tests/test_cart.py:10: needs a warehouse'],
      ['test_known', 'skipped', 0, 'pytest.xfail', null],
    ],
  },
  'jest-junit.xml': {
    classes: ['cart adds items', 'cart counts items', 'cart ships'],
    rows: [
      passed('cart adds items', 4),
      [
        'cart counts items',
        'failed',
        6,
        'Error: expect(received).toBe(expected) // Object.is equality',
        'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2\n    at Object.<anonymous> (/src/cart.test.js:9:23)',
      ],
      ['cart ships', 'skipped', 0, null, null],
    ],
  },
  'go-junit-report.xml': {
    classes: ['example.org/shop/cart'],
    rows: [
      passed('TestAdd', 0),
      ['TestCount/empty', 'failed', 1, 'Failed', 'cart_test.go:12: got 2, want 3'],
      ['TestShip', 'skipped', 0, 'cart_test.go:20: needs a warehouse', null],
    ],
  },
  'phpunit.xml': {
    classes: ['Shop.CartTest', 'Shop'],
    rows: [passed('testAdds', 5), ['testLoose', 'failed', 5, 'first failure', 'first failure\nsecond failure']],
  },
  'googletest.xml': {
    classes: ['Cart'],
    rows: [
      passed('Adds', 1),
      ['DISABLED_Ships', 'skipped', 0, null, null],
      [
        'Counts',
        'failed',
        0,
        'cart.cc:9\nExpected equality of these values:\n  count\n  3',
        'cart.cc:9\nExpected equality of these values:\n  count\n  3',
      ],
    ],
  },
  'nunit3.xml': {
    classes: ['Shop.Tests.CartTests'],
    rows: [
      passed('Adds(1,2)', 18),
      ['Counts', 'failed', 2, 'Expected: 3\n  But was:  2', 'at Shop.Tests.CartTests.Counts() in /src/CartTests.cs:line 27'],
      ['Ships', 'skipped', 0, 'needs a warehouse', null],
      ['Guesses', 'skipped', 0, null, null],
    ],
  },
  'dotnet.trx': {
    classes: ['Shop.Tests.CartTests', '', 'Shop.Tests.PriceTests'],
    rows: [
      passed('Adds', 1500),
      [
        'Counts',
        'failed',
        60_002,
        'Assert.AreEqual failed. Expected:<3>. Actual:<2>.',
        'at Shop.Tests.CartTests.Counts() in /src/CartTests.cs:line 27',
      ],
      ['Ships', 'skipped', 0, null, null],
      passed('Prices (1)', 1),
      ['Prices (2)', 'failed', 1, null, null],
    ],
  },
};

describe('a report', () => {
  for (const [name, { classes, rows }] of Object.entries(SAMPLES))
    test(`the report ${name} is read`, async () => {
      const { results, problem } = await readBytes(sample(name));
      assert.equal(problem, undefined);
      assert.deepEqual(results.map(rowOf), rows);
      assert.deepEqual([...new Set(results.map((result) => result.class))], classes);
    });

  for (const name of Object.keys(SAMPLES))
    test(`the report ${name} is read a byte at a time`, async () => {
      assert.deepEqual(await readBytes(sample(name), 1), await readBytes(sample(name)));
    });
});

describe('an encoding', () => {
  const text = '<testsuite name="größe"><testcase name="prüft 💶"/></testsuite>';
  const cases: Readonly<Record<string, Buffer>> = {
    'UTF-8 with a mark': Buffer.from(`\uFEFF${text}`),
    'UTF-16 with a mark': Buffer.from(`\uFEFF<?xml version="1.0" encoding="utf-16"?>${text}`, 'utf16le'),
    'UTF-16 without': Buffer.from(text, 'utf16le'),
    'UTF-16, the other way': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  };
  for (const [name, bytes] of Object.entries(cases))
    for (const size of [1, 1000])
      test(`a report in ${name} is read ${size} bytes at a time`, async () => {
        const { results, problem } = await readBytes(bytes, size);
        assert.equal(problem, undefined);
        assert.deepEqual([results[0]!.class, results[0]!.name], ['größe', 'prüft 💶']);
      });

  test('an encoding is found by its name', async () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="prüft"/></testsuite>', 'latin1');
    assert.equal((await readBytes(latin)).results[0]!.name, 'prüft');
    const unknown = '<?xml version="1.0" encoding="klingon"?><testsuite/>';
    assert.equal((await readBytes(unknown)).problem, 'The encoding klingon is not known.');
  });

  test('an encoding that does not fit the bytes costs characters, not tests', async () => {
    const bytes = Buffer.concat([Buffer.from('<testsuite><testcase name="'), Buffer.from([0xff]), Buffer.from('"/></testsuite>')]);
    const { results, problem } = await readBytes(bytes);
    assert.deepEqual([problem, results[0]!.name], [undefined, '\uFFFD']);
  });
});

test('durations are read in all notations', () => {
  const seconds = { '1.5': 1500, '1,234.5': 1_234_500, '0,5': 500, '1e-3': 1, ' 2 ': 2000, '-1': 0, x: 0, '': 0, NaN: 0, Infinity: 1e12 };
  for (const [text, ms] of Object.entries(seconds)) assert.equal(millisecondsOf(text), ms, text);
  assert.equal(millisecondsOf(undefined), 0);
  const clocks = { '00:00:01.2345678': 1235, '01:01:01': 3_661_000, '1.00:00:00': 86_400_000, '1:2': 0, x: 0 };
  for (const [text, ms] of Object.entries(clocks)) assert.equal(millisecondsOfClock(text), ms, text);
});
