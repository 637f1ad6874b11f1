import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedLocation, scriptEnvironment } from './rules.ts';

const folders = { artifactsDir: '/data/artifacts', backupsDir: '/data/artifacts/serverBackups', pipelinesDir: '/data/pipelines' };

test('a script may lie anywhere but where others can put files', () => {
  for (const path of ['/opt/script', '/data/script', '/data/artifacts-of-mine/script', '/data/artifacts/serverBackups/script'])
    assert.ok(isAllowedLocation(path, folders), path);
  for (const path of [
    '/data/artifacts/script',
    '/data/artifacts/pipelines/p/1/s/1/j/script',
    '/data/pipelines/p/script',
    '/data/artifacts',
  ])
    assert.ok(!isAllowedLocation(path, folders), path);
});

test('the script gets the facts of the backup as environment variables', () => {
  const facts = { time: '2018-08-29T14:00:35.123Z', path: '/b/backup_1', backupsDir: '/b' };
  const byUser = scriptEnvironment({ ...facts, via: 'USER', user: 'ada' });
  assert.deepEqual(byUser, {
    SVC_BACKUP_STATUS: 'success',
    SVC_BACKUP_TIMESTAMP: '2018-08-29T14:00:35Z',
    SVC_BACKUP_BASE_DIR: '/b',
    SVC_BACKUP_PATH: '/b/backup_1',
    SVC_BACKUP_INITIATED_BY_USER: 'ada',
    GOCD_BACKUP_STATUS: 'success',
    GOCD_BACKUP_TIMESTAMP: '2018-08-29T14:00:35Z',
    GOCD_BACKUP_BASE_DIR: '/b',
    GOCD_BACKUP_PATH: '/b/backup_1',
    GOCD_BACKUP_INITIATED_BY_USER: 'ada',
  });
  const byTimer = scriptEnvironment({ ...facts, via: 'TIMER', user: 'timer' });
  assert.equal(byTimer.SVC_BACKUP_INITIATED_VIA, 'TIMER');
  assert.ok(!('SVC_BACKUP_INITIATED_BY_USER' in byTimer));
});
