// Every type of event is in docs/operate/events.md, and can be chosen on the page of events.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TYPES } from '../../pages/events/event.ts';
import { EVENT_TYPES } from '../../src/shape/event-types.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate', 'events.md'), 'utf8');
/** The first event of all: the page does not offer it as a filter. */
const BEGUN = 'events.begun';

test('the documentation lists every type of event, and no others', () => {
  const table = PAGE.slice(PAGE.indexOf('| Type '));
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2);
  const written = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, type]) => type!));
  assert.deepEqual(written.toSorted(), Object.keys(EVENT_TYPES).toSorted());
});

test('the page offers a pattern for each group of types', () => {
  const beginnings = Object.keys(EVENT_TYPES)
    .filter((type) => type !== BEGUN)
    .map((type) => `${type.split('.')[0]}.*`);
  const offered = Object.keys(TYPES).filter((pattern) => pattern !== '');
  assert.deepEqual(offered.toSorted(), [...new Set(beginnings)].toSorted());
});
