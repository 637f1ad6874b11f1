// The preview of a purge: page by page, equal to the later purge, and it changes nothing.
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { FIRST_PAGE, type PreviewCursor, type PurgePreview, previewPurge } from '../../src/artifacts/retention/preview.ts';
import { DAY_MS, GIGABYTE, type LabEngine, RetentionLab, sqliteEngine } from './retention-lab.ts';

let engine: LabEngine;
before(() => {
  engine = sqliteEngine();
});
after(() => engine.stop());

async function open(context: TestContext): Promise<RetentionLab> {
  const lab = await RetentionLab.on(engine);
  context.after(() => lab.close());
  return lab;
}

async function pages(lab: RetentionLab, limit: number, free?: number): Promise<PurgePreview[]> {
  const found: PurgePreview[] = [];
  for (let from: PreviewCursor | undefined = FIRST_PAGE; from; from = found.at(-1)!.next)
    found.push(await previewPurge(lab.facts, { from, limit, free }));
  return found;
}

const idsOf = (found: readonly PurgePreview[]) => found.flatMap(({ items }) => items.map(({ run, by }) => `${by} ${run.id}`));

describe('the preview lists', () => {
  test('stage runs by rules first, then by space, on pages of any size, as the purge deletes them', async (context) => {
    const lab = await open(context);
    for (const counter of [1, 2, 3, 4, 5, 6]) await lab.stageRun({ counter, completedAt: lab.now - (counter === 4 ? 9 : 1) * DAY_MS });
    for (const counter of [1, 2, 3]) await lab.stageRun({ pipeline: 'web', counter, jobs: [['x', 'cruise-output/y'], ['z/']] });
    lab.rules = [{ pipelines: 'app', keepRuns: 1, keepDays: 5 }];
    lab.kept.add('app/none');
    lab.disk = 12 * GIGABYTE;
    lab.settings = { start: 5, upto: 6 };
    // There are 12 files; one goes by the rule, and then 6 more until more than 6 GB are free.
    const expected = ['rules 4', 'space 1', 'space 2', 'space 3', 'space 5', 'space 6', 'space 7'];
    for (const size of [1, 2, 3, 100]) {
      const found = await pages(lab, size);
      assert.deepEqual(idsOf(found), expected, `pages of ${size}`);
      assert.ok(found.every(({ items }) => items.length <= size));
      const { isLow, isEnough, isSet, free } = found.at(-1)!;
      assert.deepEqual({ isLow, isEnough, isSet, free }, { isLow: true, isEnough: true, isSet: true, free: 0 });
    }
    assert.deepEqual(await lab.purgedIds(), []);
    const [{ items }] = (await pages(lab, 100)) as [PurgePreview];
    assert.deepEqual(
      items.map(({ files, bytes, reason }) => [files, bytes, reason]),
      [
        [1, GIGABYTE, "By the rule for 'app': not of the last run, and older than 5 days."],
        ...Array.from({ length: 6 }, () => [1, GIGABYTE, 'Less than 5 GB of disk space were free.']),
      ],
    );
    await lab.retention().work(new AbortController().signal);
    assert.deepEqual(await lab.purgedIds(), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(
      (await lab.purgeEvents()).map((event) => (event as { reason: string }).reason),
      items.map(({ reason }) => reason),
    );
  });

  test('stage runs for a given free space', async (context) => {
    const lab = await open(context);
    for (let number = 1; number <= 3; number++) await lab.stageRun();
    lab.settings = { start: 5, upto: 6 };
    assert.deepEqual(idsOf(await pages(lab, 10, 5 * GIGABYTE)), []);
    assert.deepEqual(idsOf(await pages(lab, 10, 5 * GIGABYTE - 1)), ['space 1', 'space 2']);
    const [short] = (await pages(lab, 10, 0)) as [PurgePreview];
    assert.deepEqual([short.items.length, short.isLow, short.isEnough], [3, true, false]);
    const [first] = await pages(lab, 1, 0);
    assert.deepEqual([first?.isLow, first?.isEnough], [true, null]);
  });

  test('the preview lists nothing if neither limits nor rules are set', async (context) => {
    const lab = await open(context);
    await lab.stageRun();
    lab.disk = 0;
    const [all] = (await pages(lab, 10)) as [PurgePreview];
    assert.deepEqual([all.items, all.isSet, all.isLow, all.isEnough, all.next], [[], false, false, true, undefined]);
  });
});
