// A server on either engine has the same document, the same commits in its history, and passes the same audit.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { Changes } from '../../src/config/change.ts';
import { verifyChain } from '../../src/events/verify-chain.ts';
import { stateFaults } from '../../src/events/verify-state.ts';
import { HealthMessages } from '../../src/health/messages.ts';
import { openDocument } from '../../src/server/open/document.ts';
import { openEventWriter } from '../../src/server/open/event-log.ts';
import { type DatabaseSource, openEventRows } from '../../src/store/source.ts';
import { lastIndexed } from '../../src/store/sqlite/history-index.ts';
import type { Tables } from '../../src/store/tables.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';
import { type PostgresEngine, postgres, type TestDatabase } from './engines.ts';

const AUTHOR = { actor: 'ann', token: null, address: null, reason: 'why not' };
const TABLES: readonly (keyof Tables)[] = ['revisions', 'changes', 'entities', 'events'];

let configuration: TestConfiguration;
let changes: Changes;
let engine: PostgresEngine;
let shared: TestDatabase;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-in-use-'));
  configuration = await TestConfiguration.open();
  const { config, database } = configuration;
  changes = new Changes(config, (await openEventWriter(database, [...config.kinds.values()])).commit);
  engine = await postgres();
});
after(async () => {
  await shared?.close();
  await engine?.stop();
  await configuration?.close();
  rmSync(folder, { recursive: true });
});

/** Keeps some environments, and their number in each of them. */
async function change(first: number, count: number): Promise<void> {
  const kind = configuration.config.kind('environments');
  await changes.apply(AUTHOR, (draft) => {
    for (let n = first; n < first + count; n++) {
      const name = `e-${n}`;
      draft.put(kind, name, { name, pipelines: [], environmentVariables: [{ name: 'FIRST', value: String(first) }] });
    }
  });
}

/** Copies everything as if it had been written there, in one commit, because threads read meanwhile. */
async function share(): Promise<void> {
  const embedded = new DatabaseSync(join(configuration.dataDir, 'slipway.db'), { readOnly: true });
  shared ??= await engine.create();
  await shared.replace(new Map(TABLES.map((table) => [table, embedded.prepare(`select * from ${table}`).all()])));
  embedded.close();
}

function open(name: string, source: DatabaseSource) {
  const { config } = configuration;
  return openDocument({
    dataDir: join(folder, name),
    source,
    config,
    changes,
    health: new HealthMessages(),
    log: pino({ level: 'silent' }),
  });
}

test('the document and its history are the same on both engines', async () => {
  const embedded = { sqlite: join(configuration.dataDir, 'slipway.db') };
  await change(0, 700);
  for (let n = 0; n < 30; n++) await change(n * 7, 10);
  await share();
  const documents = [open('one', embedded), open('other', shared.source)];
  const compare = async () => {
    const [one, other] = await Promise.all(documents.map((document) => document.documents.current()));
    assert.equal(Buffer.from(other!.bytes).toString(), Buffer.from(one!.bytes).toString());
    assert.match(Buffer.from(other!.bytes).toString(), /e-699/);
    await Promise.all(documents.map((document) => document.projection.upToDate()));
    const [last, otherLast] = ['one', 'other'].map((name) => lastIndexed(join(folder, name, 'history', 'index.db')));
    assert.equal(last!.revision, configuration.config.revision);
    assert.deepEqual(otherLast, last);
  };
  try {
    await compare();
    await change(3, 1);
    await share();
    await compare();
    await shared.close();
    await engine.server.restart('immediate');
    await compare();
  } finally {
    for (const document of documents) await document.close();
  }
  // Opened again, a document takes back the revisions that its history has not recorded yet.
  await change(5, 600);
  shared = await engine.create();
  await share();
  documents.splice(0, 2, open('one', embedded), open('other', shared.source));
  try {
    await compare();
  } finally {
    for (const document of documents) await document.close();
  }
});

test('the audit is the same on both engines', async () => {
  await share();
  const verified = async () => {
    const rows = (await openEventRows(shared.source))!;
    const { newestRevision, names } = { newestRevision: await rows.newestRevision(), names: await rows.names() };
    const parts = { newestRevision, names, rows: rows.all() };
    const verdict = await verifyChain({ ...parts, revisionAt: (at) => rows.revision(at), entitiesOf: (at) => rows.changes(at) });
    const faults = await Array.fromAsync(stateFaults(rows.states()));
    await rows.close();
    return { verdict, faults };
  };
  const { verdict, faults } = await verified();
  assert.ok(verdict.isWhole, JSON.stringify(verdict));
  assert.deepEqual(faults, []);
  shared.runAtOnce("update entities set value = replace(value, 'FIRST', 'LAST') where key = 'e-650'");
  assert.deepEqual((await verified()).faults.length, 1);
  shared.runAtOnce("update changes set after = replace(after, 'FIRST', 'LAST') where key = 'e-650' and operation = 'create'");
  const tampered = (await verified()).verdict;
  assert.match(tampered.isWhole ? '' : tampered.reason, /other changes in revision 1 than were made/);
});
