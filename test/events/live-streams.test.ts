// Pages that listen: slow ones, many of them, signs of life.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveClient } from '../../src/events/live/live-client.ts';
import { type LiveLimits, type LiveRequest, LiveStreams } from '../../src/events/live/live-streams.ts';
import type { Notice } from '../../src/events/live/notice.ts';
import { NoticePublisher } from '../../src/events/live/notice-publisher.ts';
import { until } from '../support/until.ts';

const notice = (name: string): Notice => ({ kind: 'pipeline', data: { name }, audience: 'everyone' });

function openStreams(limits: LiveLimits = {}) {
  const publisher = new NoticePublisher({ written: async () => {}, onFailure: (failure) => assert.fail(String(failure)), paceMs: 20 });
  const streams = new LiveStreams(publisher, limits);
  publisher.begin();
  const open = (more: Partial<LiveRequest> = {}) => {
    const view = { key: () => 'all', wants: () => true };
    const log = publisher.log!;
    return streams.open({ log, position: log.last, user: 'jez', view, isStillAllowed: () => true, rights: () => '', ...more });
  };
  const opened = (more: Partial<LiveRequest> = {}) => {
    const client = open(more);
    assert.ok(client instanceof LiveClient);
    return client;
  };
  return { publisher, streams, open, opened };
}

function read(client: LiveClient): { text: string } {
  const got = { text: '' };
  client.setEncoding('utf8');
  client.on('data', (text: string) => {
    got.text += text;
  });
  return got;
}

test('a client that does not read holds little memory, and is told to reload when it is too far behind', async () => {
  const { publisher, opened } = openStreams();
  const client = opened();
  client.read(0);
  for (let round = 0; round < 30; round++) {
    for (let index = 0; index < 1000; index++) publisher.publish(`${round} ${index}`, () => notice(`pipeline-${round}-${index}`));
    const { last } = publisher.log!;
    await until('the round', async () => publisher.log!.last >= last + 1000);
  }
  assert.ok(client.readableLength < 200 * 1024, `${client.readableLength} bytes`);
  assert.ok(publisher.log!.size <= 20_000);
  const got = read(client);
  await until('the end', async () => got.text.includes('event: reload'));
  assert.ok(got.text.indexOf('event: reload') < 200 * 1024);
  publisher.publish('after', () => notice('after'));
  await until('the next one', async () => got.text.includes('"after"'));
  client.destroy();
});

test('clients with the same view share the work for it', async () => {
  const { publisher, opened } = openStreams();
  let asked = 0;
  const wants = () => ++asked > 0;
  const clients = Array.from({ length: 50 }, (_, index) => opened({ user: `${index}`, view: { key: () => 'same', wants } }));
  const got = clients.map(read);
  for (let index = 0; index < 10; index++) publisher.publish(`${index}`, () => notice(`${index}`));
  await until('all', async () => got.every(({ text }) => text.includes('"9"')));
  assert.ok(asked <= 20, `${asked} questions for 10 notices`);
  for (const client of clients) client.destroy();
});

test('the number of streams is limited, and places become free', async () => {
  const { streams, open, opened } = openStreams({ max: 2, maxOfUser: 1 });
  const first = opened();
  assert.equal(open(), 'too many of this user');
  assert.equal(open({ user: 'JEZ' }), 'too many of this user');
  const second = opened({ user: 'other' });
  assert.equal(open({ user: 'third' }), 'too many');
  first.destroy();
  await until('the place', async () => streams.size === 1);
  opened().destroy();
  second.destroy();
});

test('signs of life carry the newest id, also for clients that want none of the notices', async () => {
  const { publisher, opened } = openStreams({ heartbeatMs: 10 });
  const client = opened({ view: { key: () => 'none', wants: () => false } });
  const got = read(client);
  publisher.publish('a', () => notice('a'));
  await until('the beat', async () => got.text.includes(`: still here\nid: ${publisher.log!.epoch}-1\n\n`));
  assert.ok(!got.text.includes('event: pipeline'));
  assert.match(got.text, /^retry: \d{4}\n\n/);
  client.destroy();
});

test('a client that never reads is cut off', async () => {
  const { publisher, streams, opened } = openStreams({ heartbeatMs: 10 });
  const client = opened();
  client.read(0);
  for (let index = 0; index < 5000; index++) publisher.publish(`${index}`, () => notice(`a long name of a pipeline ${index}`));
  await until('the end', async () => streams.size === 0);
  assert.ok(client.destroyed);
});

test('streams end when another server does the work', async () => {
  const { publisher, streams, opened } = openStreams();
  const got = read(opened());
  publisher.end();
  await until('the end', async () => streams.size === 0);
  assert.match(got.text, /Come back with the last id/);
});
