import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEvent } from '../store/write-with-events.ts';
import { BEGINNING, nextEvent } from './chain.ts';
import { changeEvent, MAX_LISTED } from './change-event.ts';
import { type EventFilter, matcherOf } from './event-filter.ts';

const kept = (event: NewEvent) => nextEvent(BEGINNING, event, () => '2026-01-31T09:30:00Z');
const change = kept({
  type: 'configuration.changed',
  actor: 'Jez',
  about: [
    { resource: 'environments', id: 'Prod', operation: 'create' },
    { resource: 'pipelines', id: 'shop', operation: 'update' },
  ],
  data: { revision: 7, touched: { environments: 1, pipelines: 1 } },
});
const login = kept({ type: 'login.failed', actor: null, about: [], data: {} });

const wants = (filter: Partial<EventFilter>, event = change) =>
  matcherOf({ types: [], actors: [], resources: [], ids: [], ...filter })?.(event) ?? 'all';

test('an empty filter needs no look at events', () => {
  assert.equal(wants({}), 'all');
});

test('a filter by type may have wildcards', () => {
  assert.equal(wants({ types: ['configuration.changed'] }), true);
  assert.equal(wants({ types: ['backup.*', 'config*'] }), true);
  assert.equal(wants({ types: ['backup.*'] }), false);
});

test('a filter by actor ignores letter case, and fits no event without an actor', () => {
  assert.equal(wants({ actors: ['jez'] }), true);
  assert.equal(wants({ actors: ['ann'] }), false);
  assert.equal(wants({ actors: ['*'] }, login), false);
});

test('a filter by resource and id must fit one subject with both', () => {
  assert.equal(wants({ resources: ['environments'] }), true);
  assert.equal(wants({ ids: ['shop'] }), true);
  assert.equal(wants({ resources: ['environments'], ids: ['prod'] }), true);
  assert.equal(wants({ resources: ['environments'], ids: ['shop'] }), false);
  assert.equal(wants({ resources: ['templates'] }), false);
  assert.equal(wants({ resources: ['environments'] }, login), false);
});

test('a filter with several conditions wants only events that fit all', () => {
  assert.equal(wants({ types: ['configuration.*'], actors: ['ann'] }), false);
});

test('a filter by id fits a large change, which may not list that id', () => {
  const touched = Array.from({ length: MAX_LISTED + 1 }, (_, n) => ({
    kind: 'environments',
    key: `e-${n}`,
    id: `e-${n}`,
    operation: 'create' as const,
    created: n,
    owner: null,
    formerOwner: null,
    label: null,
    before: null,
    after: { value: '{}', etag: 'x' },
  }));
  const revision = { revision: 1, time: '2026-01-31T09:30:00Z', actor: 'jez', token: null, address: null, reason: null };
  const large = kept(changeEvent({ revision, touched, extraStatements: [] }, (kind) => kind));
  assert.equal(large.content.about.length, MAX_LISTED);
  assert.equal(wants({ resources: ['environments'], ids: [`e-${MAX_LISTED}`] }, large), true);
  assert.equal(wants({ ids: ['whatever'] }, large), true);
  assert.equal(wants({ resources: ['pipelines'] }, large), false);
});
