import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConfiguration } from './data-files.ts';

test('usual files of a data directory count as configuration', () => {
  for (const name of ['password.properties', 'cipher.key', 'ldap-ca.pem', 'Team A']) assert.ok(isConfiguration(name), name);
});

test('a backup leaves out its files in every spelling that some file system takes for the same name', () => {
  const names = [
    'plugins',
    'Plugins',
    'PLUGINS.',
    'plugins ',
    'ｐlugins',
    'Artifacts',
    'initial-admin-passWord',
    'SLIPWAY.DB-wal',
    '.hidden',
    '...',
  ];
  for (const name of names) assert.ok(!isConfiguration(name), name);
});
