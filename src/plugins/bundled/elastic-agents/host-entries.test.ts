// Tests which lines are entries of a hosts file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHostEntries } from './host-entries.ts';

const findBadEntries = (hosts: string) =>
  checkHostEntries(new Map([['Hosts', hosts]]), 'Hosts', (entry) => `<${entry}>`).map(({ key, message }) => `${key} ${message}`);

for (const [hosts, problems] of [
  ['', []],
  ['10.0.0.1 one', []],
  ['10.0.0.1 one two\n\n  ::1\tthree \r\n', []],
  ['10.0.0.1', ['Hosts <10.0.0.1>']],
  ['one 10.0.0.1\n10.0.0.2 two\n10.0.0.foo three', ['Hosts <one 10.0.0.1>', 'Hosts <10.0.0.foo three>']],
] as const) {
  test(`host entries are checked: ${JSON.stringify(hosts)}`, () => assert.deepEqual(findBadEntries(hosts), problems));
}

test('absent entries are no problem', () => assert.deepEqual(checkHostEntries(new Map(), 'Hosts', String), []));
