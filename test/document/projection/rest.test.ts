// The thread that keeps the document rests when there is nothing to do, and answers stay the same.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { HealthMessages } from '../../../src/health/messages.ts';
import { openDocument } from '../../../src/server/open/document.ts';
import { TestConfiguration } from '../../support/configuration/configuration.ts';

const IDLE_MS = 50;
const AUTHOR = { actor: 'tester', token: null, address: null, reason: null };
const log = pino({ level: 'silent' });

async function open(configuration: TestConfiguration) {
  const { dataDir, config, changes } = configuration;
  return openDocument({ dataDir, config, changes, health: new HealthMessages(), log, idleMs: IDLE_MS });
}

async function addGroup({ changes, config }: TestConfiguration, name: string): Promise<void> {
  const kind = config.kind('pipelineGroups');
  const none = { users: [], roles: [] };
  const group = { name, authorization: { view: none, operate: none, admins: none } };
  await changes.apply(AUTHOR, (draft) => draft.put(kind, name, group));
}

const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => Buffer.from(bytes).toString();

test('the document of a server at rest comes from the history, and is the same', async () => {
  const configuration = await TestConfiguration.open();
  const document = await open(configuration);
  try {
    await addGroup(configuration, 'first');
    const before = await document.documents.current();
    await document.projection.upToDate();
    while (!document.projection.isIdle) await pause(10);
    const reopened = await open(configuration);
    const after = await reopened.documents.current();
    assert.ok(reopened.projection.isIdle, 'nobody had to be woken');
    assert.equal(textOf(after), textOf(before));
    assert.equal(after.md5, before.md5);
    await reopened.close();
  } finally {
    await document.close();
    await configuration.close();
  }
});

test('requests while the thread goes to rest are answered', async () => {
  const configuration = await TestConfiguration.open();
  const document = await open(configuration);
  try {
    for (let round = 0; round < 12; round++) {
      await addGroup(configuration, `group-${round}`);
      // Around the moment at which it goes to rest.
      if (round % 2 === 0) await document.projection.upToDate();
      await pause(IDLE_MS - 15 + round * 3);
      assert.match(textOf(await document.documents.current()), new RegExp(`group="group-${round}"`));
    }
    await document.projection.upToDate();
    const { md5 } = await document.documents.current();
    assert.equal(textOf((await document.documents.find(md5))!), textOf(await document.documents.current()));
  } finally {
    await document.close();
    await configuration.close();
  }
});
