// Which saves of a webhook are refused for where it would send to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Config } from '../../../config/current.ts';
import type { Edit } from '../../../config/edit.ts';
import { registry } from '../../../resources/index.ts';
import { type Entity, type Kind, kindsOf } from '../../../shape/resource.ts';
import { webhookReach } from '../network-rules.ts';
import { keepsWebhooksInReach } from './webhook-addresses.ts';

const config = new Config(kindsOf(registry));
const check = keepsWebhooksInReach(webhookReach({ allowPrivateWebhooks: false }));
const entry = (value: Entity) => ({ key: 'hook', value, etag: '', revision: 1, created: 1 });
const INSIDE = 'http://10.0.0.1/';
const OUTSIDE = 'https://example.org/';

function judged(before: Entity | undefined, after: Entity | undefined, kind: Kind = config.kind('outgoingWebhooks')) {
  const edit: Edit = {
    kind,
    key: 'hook',
    id: 'hook',
    operation: before ? (after ? 'update' : 'delete') : 'create',
    before: before && entry(before),
    after: after && entry(after),
    problems: [],
  };
  return check(edit).map(({ at }) => at.join('.'));
}

test('a webhook is refused when it would begin to send to the own network, and not later', () => {
  const rows: readonly (readonly [why: string, before: Entity | undefined, after: Entity | undefined, refused: string[]])[] = [
    ['new', undefined, { url: INSIDE, enabled: true }, ['url']],
    ['new, a name of this machine', undefined, { url: 'http://localhost:1/', enabled: true }, ['url']],
    ['new, outside', undefined, { url: OUTSIDE, enabled: true }, []],
    ['new, disabled', undefined, { url: INSIDE, enabled: false }, []],
    ['enabled', { url: INSIDE, enabled: false }, { url: INSIDE, enabled: true }, ['url']],
    ['moved inside', { url: OUTSIDE, enabled: true }, { url: INSIDE, enabled: true }, ['url']],
    ['moved within', { url: INSIDE, enabled: true }, { url: `${INSIDE}other`, enabled: true }, ['url']],
    ['disabled', { url: INSIDE, enabled: true }, { url: INSIDE, enabled: false }, []],
    ['edited otherwise', { url: INSIDE, enabled: true, filter: {} }, { url: INSIDE, enabled: true, filter: { ids: ['x'] } }, []],
    ['deleted', { url: INSIDE, enabled: true }, undefined, []],
  ];
  for (const [why, before, after, refused] of rows) assert.deepEqual(judged(before, after), refused, why);
});

test('entities of other kinds are not judged', () => {
  assert.deepEqual(judged(undefined, { url: INSIDE, enabled: true }, config.kind('siteUrls')), []);
});
