// A publication and a purge of the same stage run at the same time: one comes after the other, and each row has its file.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Purger } from '../../src/artifacts/retention/purger.ts';
import { KEPT_FOLDERS } from '../../src/artifacts/stage-run.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { PurgeableRuns } from '../../src/store/artifacts/purgeable-runs.ts';
import { Purges } from '../../src/store/artifacts/purges.ts';
import { factsOf, PublicationLab, usageOf } from './publication-lab.ts';

const FOLDER = 'pipelines/App/1/build/1';

class Race {
  readonly lab: PublicationLab;
  readonly publications: PublicationLab['publications'];
  /** Called before the commit of a purge. */
  beforePurge: () => Promise<void> = async () => {};
  readonly #purger: Purger;

  constructor(lab: PublicationLab) {
    this.lab = lab;
    const { database, storage } = lab;
    this.publications = lab.publications;
    this.#purger = new Purger({
      database,
      write: async (writes) => {
        await this.beforePurge();
        await database.writeTransaction(writes.flatMap(({ statements }) => statements));
        lab.events.push(...writes.flatMap(({ events }) => events));
      },
      runs: new PurgeableRuns(database, KEPT_FOLDERS),
      purges: new Purges(database, KEPT_FOLDERS),
      storage,
      publications: this.publications,
      log: { warn: () => {} },
    });
  }

  static async for(context: TestContext): Promise<Race> {
    return new Race(await PublicationLab.for(context));
  }

  async purge() {
    const run = await new PurgeableRuns(this.lab.database, KEPT_FOLDERS).byId(1);
    return this.#purger.purge(run!, 'a test');
  }

  /** Refused once the stage run is purged, as the server does it. */
  async publish(id: number, path: string, content = path) {
    const job = this.lab.job(id);
    await this.lab.send(job, { [path]: content });
    return this.publications.publish(job, { type: 'build', files: [factsOf(path, content)], folders: [] }, () => this.#mayTake());
  }

  async extend(id: number, path: string, before: string, content: string) {
    const job = this.lab.job(id);
    await this.lab.send(job, { [path]: content });
    const row = { job_id: id, created_at: 0, ...factsOf(path, before) };
    return this.publications.extend(job, row, factsOf(path, content), async () => void (await this.#mayTake()));
  }

  has(path: string): boolean {
    return existsSync(join(this.lab.root, FOLDER, path));
  }

  /** Asserts that each row has its file, and that the usage counts exactly these. */
  async mustBeWhole(): Promise<number> {
    let [files, bytes] = [0, 0];
    for (const [id, name] of [
      [1, 'compile'],
      [3, 'test'],
    ] as const)
      for (const row of await this.lab.artifacts.page(id, {}, 1000)) {
        assert.ok(this.has(join(name, row.path)), `${name}/${row.path} is known, and gone`);
        files++;
        bytes += row.bytes;
      }
    const usage = await usageOf(this.lab.database, 'app');
    assert.deepEqual([usage?.files ?? 0, usage?.bytes ?? 0], [files, bytes]);
    return files;
  }

  async isPurged(): Promise<boolean> {
    const { query } = this.lab.database;
    const row = await query.selectFrom('stage_runs').select('artifacts_deleted').where('id', '=', 1).executeTakeFirst();
    return row?.artifacts_deleted === 1;
  }

  async #mayTake(): Promise<boolean> {
    if (await this.isPurged()) throw new Refusal('conflict', 'purged');
    return true;
  }
}

const purged = (failure: unknown) => failure instanceof Refusal && failure.message === 'purged';
const kinds = ({ lab }: Race) => lab.events.map(({ type }) => type);

test('a purge in the middle of a publication comes after it', async (t) => {
  const race = await Race.for(t);
  let purging: Promise<unknown> | undefined;
  race.lab.beforeCommit = async () => {
    assert.ok(race.has('compile/a'));
    purging = race.purge();
    // It would be through by then.
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(await race.isPurged(), false);
  };
  assert.deepEqual(await race.publish(1, 'a'), []);
  assert.deepEqual(await purging, { files: 1, bytes: 1 });
  assert.equal(await race.mustBeWhole(), 0);
  assert.equal(race.has('compile/a'), false);
  assert.deepEqual(kinds(race), ['artifacts.published', 'artifacts.purged']);
});

test('a purge in the middle of an append to a file comes after it', async (t) => {
  const race = await Race.for(t);
  await race.publish(1, 'a', 'one');
  let purging: Promise<unknown> | undefined;
  race.lab.beforeCommit = async () => {
    purging = race.purge();
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  assert.equal(await race.extend(1, 'a', 'one', 'one two'), true);
  assert.deepEqual(await purging, { files: 1, bytes: 7 });
  assert.equal(await race.mustBeWhole(), 0);
  assert.equal(race.has('compile/a'), false);
});

test('a publication in the middle of a purge is refused', async (t) => {
  const race = await Race.for(t);
  await race.publish(1, 'old');
  let publishing: Promise<unknown> | undefined;
  race.beforePurge = async () => {
    publishing = assert.rejects(race.publish(3, 'new'), purged);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(race.has('test/new'), false);
  };
  await race.purge();
  await publishing;
  assert.equal(await race.mustBeWhole(), 0);
  assert.equal(race.has('test/new'), false);
});

test('many publications and purges at once agree with the files, in any order', async (t) => {
  const race = await Race.for(t);
  for (let round = 0; round < 10; round++) {
    await race.lab.database.writeTransaction([race.lab.database.query.updateTable('stage_runs').set({ artifacts_deleted: 0 }).compile()]);
    const works = Array.from({ length: 12 }, (_, number) => {
      if (number === round) return race.purge();
      return race.publish(number % 2 === 0 ? 1 : 3, `${round}-${number}`).catch((failure) => assert.ok(purged(failure), String(failure)));
    });
    await Promise.all(works);
    await race.mustBeWhole();
    assert.equal(await race.isPurged(), true);
  }
});
