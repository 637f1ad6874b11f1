// `audit verify` on the database of a real server: tampering is found, and the first bad event is named.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { accepted } from '../support/requests/callers.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { TestServer } from '../support/server/server.ts';

const ENVIRONMENTS = '/api/admin/environments';

let server: TestServer;
let folder: string;
let count = 0;
describe('audit', ABOUT_EMBEDDED, () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-audit-'));
    server = await TestServer.start();
    for (let n = 0; n < 20; n++) accepted(await server.post(ENVIRONMENTS, { name: `e-${n}` }, { headers: { 'X-Svc-Reason': `no. ${n}` } }));
    const name = (text: string) => server.patch('/api/admin/config/revisions/4', { name: text });
    for (const text of ['old', 'tested']) accepted(await name(text));
    accepted(await server.delete(`${ENVIRONMENTS}/e-19`));
    await server.restart(() => copyFileSync(join(server.dataDir, 'slipway.db'), join(folder, 'whole.db')));
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  interface Ending {
    readonly status: number;
    readonly out: string;
    readonly err: string;
  }

  function audit(...args: readonly string[]): Promise<Ending> {
    return new Promise((resolve) => {
      execFile(process.execPath, [COMMAND_LINE, 'audit', ...args], { env: bareEnvironment() }, (failure, out, err) =>
        resolve({ status: failure === null ? 0 : Number(failure.code), out, err }),
      );
    });
  }

  /** Verifies a copy of the database that was tampered with. */
  async function tampered(tamper: (database: DatabaseSync) => void, ...args: readonly string[]): Promise<Ending> {
    const path = join(folder, `${++count}.db`);
    copyFileSync(join(folder, 'whole.db'), path);
    const database = new DatabaseSync(path);
    tamper(database);
    database.close();
    return audit('verify', '--database', path, ...args);
  }

  function found({ status, err }: Ending, number: number, reason: RegExp): void {
    assert.match(err, new RegExp(`^Event ${number} is not as it was written\\. `));
    assert.match(err, reason);
    assert.equal(status, 1);
  }

  /** Writes the hashes from here on anew, as an attacker would who knows how they are made. */
  function rehash(database: DatabaseSync, from: number): void {
    const rows = database.prepare('select * from events where number >= ? order by number').all(from - 1);
    let previous = rows.shift()!.hash;
    for (const row of rows) {
      const body = JSON.stringify({ ...JSON.parse(String(row.body)), previous_hash: previous });
      previous = createHash('sha256').update(body).digest('hex');
      database.prepare('update events set body = ?, hash = ? where number = ?').run(body, previous, row.number!);
    }
  }

  describe('an untouched database', () => {
    test('passes, also while the server runs and writes', async () => {
      const writing = Array.from({ length: 20 }, (_, n) => server.post(ENVIRONMENTS, { name: `more-${n}` }));
      const { status, out } = await audit('verify', '--data-dir', server.dataDir);
      assert.match(out, /^All \d+ events are as they were written, from \S+ to \S+\.\nThe last one is \d+:[0-9a-f]{64}\n$/);
      assert.equal(status, 0);
      for (const reply of await Promise.all(writing)) accepted(reply);
    });

    test('still has the last event that was noted', async () => {
      const noted = /last one is (\S+)/.exec((await tampered(() => {})).out)![1]!;
      assert.equal((await tampered(() => {}, '--expect', noted)).status, 0);
    });
  });

  describe('tampering that is found', () => {
    test('an event with another text', async () => {
      found(
        await tampered((database) => database.exec(`update events set body = replace(body, '"admin"', '"eve"') where number = 7`)),
        7,
        /hashed/,
      );
    });

    test('an event with another text and a new hash for it', async () => {
      const ending = await tampered((database) => {
        const { body } = database.prepare('select body from events where number = 7').get()!;
        const other = String(body).replace('"admin"', '"eve"');
        const hash = createHash('sha256').update(other).digest('hex');
        database.prepare('update events set body = ?, hash = ? where number = 7').run(other, hash);
      });
      found(ending, 7, /change log says other things of revision/);
    });

    test('an event with another text, new hashes after it and an adapted change log, by the noted hash', async () => {
      const noted = /last one is (\S+)/.exec((await tampered(() => {})).out)![1]!;
      const forge = (database: DatabaseSync) => {
        database.exec(`update events set body = replace(body, '"admin"', '"eve"') where number = 7`);
        database.exec(
          `update revisions set actor = 'eve' where revision = (select json_extract(body, '$.data.revision') from events where number = 7)`,
        );
        rehash(database, 7);
      };
      assert.equal((await tampered(forge)).status, 0, 'nobody can know without a note');
      found(await tampered(forge, '--expect', noted), Number(noted.split(':')[0]), /not the event that is expected/);
    });

    test('an event taken out of the middle', async () => {
      found(await tampered((database) => database.exec('delete from events where number = 9')), 9, /missing/);
    });

    test('an event taken out, with the others moved up and all hashes made anew', async () => {
      const ending = await tampered((database) => {
        database.exec('delete from events where number = 9');
        for (const { number } of database.prepare('select number from events where number > 9 order by number').all()) {
          const moved = `update events set number = ?, body = json_set(body, '$.number', ?) where number = ?`;
          database.prepare(moved).run(Number(number) - 1, Number(number) - 1, number!);
        }
        rehash(database, 9);
      });
      found(ending, 9, /reports revision \d+, and the one before reports \d+/);
    });

    test('two events that changed places', async () => {
      const ending = await tampered((database) => {
        database.exec('update events set number = -1 where number = 5');
        database.exec('update events set number = 5 where number = 6');
        database.exec('update events set number = 6 where number = -1');
      });
      found(ending, 5, /that of event 6/);
    });

    test('the last events taken away', async () => {
      found(
        await tampered((database) => database.exec('delete from events where number > 20')),
        21,
        /missing: the configuration has revision/,
      );
    });

    test('all events taken away', async () => {
      found(await tampered((database) => database.exec('delete from events')), 1, /no events at all/);
    });

    test('an event put in', async () => {
      const ending = await tampered((database) => database.exec("insert into events values (0, '{}', '')"));
      found(ending, 0, /./);
    });

    for (const [what, statement] of Object.entries({
      'a changed value in the change log': "update changes set after = replace(after, 'e-7', 'e-x') where key = 'e-7'",
      'a change of another entity': "update changes set key = 'other' where key = 'e-7'",
      'a change of another operation': "update changes set operation = 'update', before = after where key = 'e-7'",
      'a change that was taken out': "delete from changes where key = 'e-7'",
      'a change that was put in':
        "insert into changes select revision, 1, operation, kind, 'invented', before, after, created, owner, former_owner, label from changes where key = 'e-7'",
    })) {
      test(`audit finds ${what}`, async () => {
        const ending = await tampered((database) => database.exec(statement));
        assert.match(ending.err, /The change log has other changes in revision \d+ than were made/);
        assert.equal(ending.status, 1);
      });
    }

    test('an entry of the change log that differs from its event', async () => {
      found(
        await tampered((database) => database.exec("update revisions set reason = 'none' where revision = 4")),
        5,
        /change log says other things/,
      );
      const without = await tampered((database) => database.exec('PRAGMA foreign_keys = OFF; delete from revisions where revision = 4'));
      found(without, 5, /does not have/);
    });
  });

  describe('rows that are found', () => {
    for (const [what, { statement, says }] of Object.entries({
      'a value': {
        statement: "update entities set value = replace(value, 'e-7', 'e-x') where key = 'e-7'",
        says: /^Table entities, kind environments, key "e-7": its value is not the one it got in revision \d+\.$/m,
      },
      'an ETag': {
        statement: "update entities set etag = 'x' where key = 'e-7'",
        says: /key "e-7": its ETag is not the one of its value/,
      },
      'a revision': {
        statement: "update entities set revision = revision - 1 where key = 'e-7'",
        says: /key "e-7": its revision is \d+, and it was last changed in revision \d+/,
      },
      'a place in the list': {
        statement: "update entities set created = 0 where key = 'e-7'",
        says: /key "e-7": its place among its kind is 0, and was \d+/,
      },
      'an entity that is gone': {
        statement: "delete from entities where key = 'e-7'",
        says: /key "e-7": it is missing: its last change, in revision \d+, did not delete it/,
      },
      'an entity that was put in': {
        statement: "insert into entities select kind, 'invented', created, revision, etag, value from entities where key = 'e-7'",
        says: /key "invented": it is there, and the change log knows nothing of it/,
      },
      'an entity that was deleted': {
        statement: "insert into entities select kind, 'e-19', created, revision, etag, value from entities where key = 'e-7'",
        says: /key "e-19": it is there, and revision \d+ deleted it/,
      },
      'another name': {
        statement: "update revision_names set name = 'eve'",
        says: /^Table revision_names, revision 4: its name is "eve", and the last event about it says "tested"\.$/m,
      },
      'who gave it': {
        statement: "update revision_names set named_by = 'eve'",
        says: /revision 4: it was named by admin, as its event says, and not by eve/,
      },
      'a name that is gone': { statement: 'delete from revision_names', says: /revision 4: its name "tested" is missing/ },
      'a name that was put in': {
        statement: "insert into revision_names values (5, 'good', 'eve', '')",
        says: /revision 5: it has the name "good", and no event gave it one/,
      },
    })) {
      test(`audit finds ${what}`, async () => {
        const { status, err } = await tampered((database) => database.exec(statement));
        assert.match(err, says);
        assert.equal(err.split('\n').length, 3, 'that row alone');
        assert.equal(status, 1);
      });
    }

    test('the first of many rows are listed', async () => {
      const { err } = await tampered((database) => database.exec("delete from entities; update revision_names set name = 'eve'"));
      assert.equal(err.match(/^Table /gm)!.length, 20);
      assert.match(err, /There are more such rows/);
    });

    test('a change without a revision', async () => {
      const invent = `PRAGMA foreign_keys = OFF; insert into changes
      select 9999, 0, 'update', kind, key, value, replace(value, 'e-7', 'e-x'), created, null, null, null from entities where key = 'e-7'`;
      const { err } = await tampered((database) => database.exec(invent));
      assert.match(err, /It is missing: the configuration has revision 9999/);
    });
  });

  describe('commands that fail, and help', () => {
    const wrong: readonly (readonly [args: string[], says: RegExp])[] = [
      [[], /^Name the whole command: audit verify\.\n/],
      [['prove'], /^Unknown command audit prove\. There are: audit verify\.\n/],
      [['verify', 'this'], /^Unexpected: this\.\n/],
      [['verify', '--quietly'], /quietly/],
      [['verify', '--expect', '12'], /--expect must be/],
      [['verify', '--database', 'x', '--data-dir', 'y'], /not both/],
    ];
    for (const [args, says] of wrong) {
      test(`audit ${args.join(' ')}`, async () => {
        const { status, err } = await audit(...args);
        assert.equal(status, 2);
        assert.match(err, says);
        assert.match(err, /^See: npm run slipway -- .*--help$/m);
      });
    }

    test('a missing database, one without events, and a file that is no database', async () => {
      for (const [path, says] of [
        [join(folder, 'nowhere.db'), /There is no database/],
        [COMMAND_LINE, /cannot be read: file is not a database/],
      ] as const) {
        const { status, err } = await audit('verify', '--database', path);
        assert.equal(status, 2);
        assert.match(err, says);
      }
      const { status, err } = await tampered((database) => database.exec('drop table events'));
      assert.match(err, /from before there were events/);
      assert.equal(status, 2);
    });

    test('the help explains audit verify', async () => {
      const { status, out } = await audit('--help');
      assert.match(out, /audit verify/);
      assert.equal(status, 0);
    });
  });
});
