// A copy whose state cannot be kept: it is tried again, and the server goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HealthMessages } from '../../health/messages.ts';
import type { CopyOutcome } from '../record.ts';
import { copyBackup, UNCOPIED } from './copy-backup.ts';

const BUCKET = { endpoint: 'http://store', name: 'backups', region: 'here', prefix: '', accessKeyId: 'id', secretAccessKey: 'secret' };

test('a state that cannot be written while the job runs is no unhandled rejection; the copy is tried again', async () => {
  const health = new HealthMessages();
  const outcomes: CopyOutcome[] = [];
  const parts = {
    table: {
      copyState: async () => undefined,
      saveCopyState: () => Promise.reject(new Error('the database is away')),
    },
    runJob: async (_: 'copy', __: object, { onProgress }: { onProgress: (progress: { note: unknown }) => void }) => {
      onProgress({ note: {} });
      await setImmediate(); // long enough for Node to find a rejection that nobody handles
      await setImmediate();
      return { bytes: 1 };
    },
    signal: new AbortController().signal,
    health,
    onProgress: () => {},
  };
  await copyBackup(parts, { id: 1, path: '/backups/one' }, BUCKET, async (outcome) => void outcomes.push(outcome));
  assert.deepEqual(
    outcomes.map(({ status, message }) => [status, message]),
    [
      ['running', ''],
      ['waiting', 'the database is away'],
    ],
  );
  assert.equal(health.find(UNCOPIED)?.detail, 'the database is away');
});
