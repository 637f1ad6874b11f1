// The checks of `audit verify`, on a PostgreSQL database: events and revisions without a gap, and the configuration that they record.
import assert from 'node:assert/strict';
import { verifyChain } from '../../../src/events/verify-chain.ts';
import { stateFaults } from '../../../src/events/verify-state.ts';
import { openEventRows } from '../../../src/store/source.ts';

export async function assertWholeChain(url: string): Promise<void> {
  const rows = (await openEventRows({ postgres: { url, password: undefined } }))!;
  try {
    const newestRevision = await rows.newestRevision();
    const verdict = await verifyChain({
      rows: rows.all(),
      revisionAt: (revision) => rows.revision(revision),
      entitiesOf: (revision) => rows.changes(revision),
      newestRevision,
      names: await rows.names(),
    });
    assert.ok(verdict.isWhole, JSON.stringify(verdict));
    assert.deepEqual(await Array.fromAsync(stateFaults(rows.states())), []);
    for (let revision = 1; revision <= newestRevision; revision++)
      assert.ok(await rows.revision(revision), `revision ${revision} is missing`);
  } finally {
    await rows.close();
  }
}
