// The last durations of very many stages and jobs, in a real database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { LastDurations } from '../../src/store/builds/last-durations.ts';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { assertInPieces } from '../support/patience.ts';

let directory: string;
let database: Database;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-durations-'));
  database = await openTestDatabase(join(directory, 'test.db'));
});
after(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

test('a stage of very many jobs lets others have their turn', async () => {
  const jobs = Array.from({ length: 6000 }, (_, index) => ({ stageKey: 's', jobKey: `j${index}` }));
  await assertInPieces('durations of jobs', () => new LastDurations(database).ofJobs('p', jobs));
});

test('a pipeline of very many stages lets others have their turn', async () => {
  const stageKeys = Array.from({ length: 6000 }, (_, index) => `s${index}`);
  await assertInPieces('durations of stages', () => new LastDurations(database).ofStages('p', stageKeys));
});
