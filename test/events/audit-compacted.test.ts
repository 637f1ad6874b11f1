// `audit verify` passes for a history that was compacted, and still compares the changes that are left.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { Changes } from '../../src/config/change.ts';
import { namingOfRevision } from '../../src/events/event-facts.ts';
import { type ChainReport, verifyChain } from '../../src/events/verify-chain.ts';
import { stateFaults } from '../../src/events/verify-state.ts';
import { Retention } from '../../src/history/retention.ts';
import { openEventWriter } from '../../src/server/open/event-log.ts';
import { Compaction } from '../../src/store/revisions/compaction.ts';
import { RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { RevisionNames } from '../../src/store/revisions/revision-names.ts';
import { openEventRows } from '../../src/store/source.ts';
import { seededRandom } from '../stories/hostile/random.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';

const AUTHOR = { actor: 'ann', token: null, address: null, reason: null };
const KEYS = ['one', 'two', 'three', 'four'];
const COMPACTED = 60;
const IN_AN_HOUR = 3_600_000;

let configuration: TestConfiguration;
let path: string;
beforeEach(async () => {
  configuration = await TestConfiguration.open();
  path = join(configuration.dataDir, 'slipway.db');
  const { config, database } = configuration;
  const kind = config.kind('environments');
  const { commit, write } = await openEventWriter(database, [...config.kinds.values()]);
  const changes = new Changes(config, commit);
  const { below, pick } = seededRandom(3);
  const changeUpTo = async (revision: number) => {
    while (config.revision < revision) {
      const value = String(config.revision);
      await changes.apply(AUTHOR, (draft) => {
        // Two at a time: compacting often leaves only one of the changes of a revision.
        for (const id of [pick(KEYS), 'always']) {
          if (below(8) === 0 && draft.find(kind, id)) draft.remove(kind, id);
          else draft.put(kind, id, { name: id, pipelines: [], environmentVariables: [{ name: 'V', value }] });
        }
      });
    }
  };
  await changeUpTo(COMPACTED);
  const names = new RevisionNames(database, write);
  for (const revision of [20, 21]) {
    const row = { revision, name: 'tested', named_by: 'ann', named_at: '' };
    await names.put(row, namingOfRevision(revision, 'ann', row.name, null));
  }
  await names.remove(21, namingOfRevision(21, 'ann', null, 'tested'));
  const retention = await Retention.load({ compaction: new Compaction(database), names, log: new RevisionLog(database.query) });
  await retention.compact(0, Date.now() + IN_AN_HOUR, new AbortController().signal);
  assert.equal(retention.keptFrom, COMPACTED);
  await changeUpTo(COMPACTED + 20);
});
afterEach(() => configuration.close());

async function verified(): Promise<{ readonly verdict: ChainReport; readonly faults: readonly string[] }> {
  const rows = (await openEventRows({ sqlite: path }))!;
  try {
    const verdict = await verifyChain({
      rows: rows.all(),
      revisionAt: (revision) => rows.revision(revision),
      entitiesOf: (revision) => rows.changes(revision),
      newestRevision: await rows.newestRevision(),
      names: await rows.names(),
    });
    return { verdict, faults: await Array.fromAsync(stateFaults(rows.states())) };
  } finally {
    await rows.close();
  }
}

function tamper(statement: string): number {
  const database = new DatabaseSync(path);
  try {
    return Number(database.prepare(statement).run().changes);
  } finally {
    database.close();
  }
}

test('audit passes for an untouched database', async () => {
  const { verdict, faults } = await verified();
  assert.ok(verdict.isWhole, JSON.stringify(verdict));
  assert.deepEqual(verdict.nameFaults, []);
  assert.deepEqual(faults, []);
});

test('audit finds another value in the rest of a compacted revision', async () => {
  const changed = tamper(`update changes set after = replace(after, '"V"', '"W"') where rowid = (select one.rowid from changes one
    join changes other on other.revision = one.revision and other.position <> one.position
    where one.after is not null and other.after is null and other.operation <> 'delete' limit 1)`);
  assert.equal(changed, 1);
  const { verdict } = await verified();
  assert.ok(!verdict.isWhole);
  assert.match(verdict.reason, /The change log has other changes in revision \d+ than were made/);
});

test('audit finds a missing newest value that was taken out as if it were compacted', async () => {
  const last = "select max(revision) from changes where kind = 'environments' and key = 'always'";
  const emptied = `update changes set after = null, operation = 'update' where key = 'always' and revision = (${last})`;
  assert.equal(tamper(emptied), 1);
  assert.match((await verified()).faults.join(), /key "always": its value in the change log, of revision \d+, is missing/);
});
