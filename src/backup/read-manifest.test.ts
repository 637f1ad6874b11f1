import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../kit/bytes/hash.ts';
import type { JsonObject } from '../shape/json/json.ts';
import { NotABackup, readManifest } from './read-manifest.ts';

const ENTRY = { at: 0, bytes: 1, mode: 0o600, marks: ['00000000'] };
const WHOLE = {
  format: 1,
  version: '1',
  backup: { id: 1, time: '2026-01-31T02:30:00Z', user: 'ada' },
  schema: 6,
  revision: 1,
  tables: { entities: 3 },
  etags: 'e',
  commit: null,
  files: { 'version.txt': { bytes: 1, crc32: '00000000' }, 'db.zip': { bytes: 1, entries: { 'slipway.db': ENTRY }, frame: '00000000' } },
  verified: null,
};

const sealed = (json: object) => JSON.stringify({ ...json, seal: sha256(JSON.stringify(json)) });
const archive = (entries: unknown) => ({ ...WHOLE, files: { 'db.zip': { bytes: 1, entries, frame: '0' } } });

test('a manifest is read as it was written, with or without the optional members', () => {
  assert.deepEqual(readManifest(sealed(WHOLE)), WHOLE);
  const verified = { ...WHOLE, commit: 'c', verified: { at: '2026', sha256: { 'db.zip': 'd' } } };
  assert.deepEqual(readManifest(sealed(verified)), verified);
  const { commit: _, verified: __, ...less } = WHOLE;
  assert.deepEqual(readManifest(sealed(less)), WHOLE);
  assert.deepEqual(readManifest(sealed({ ...WHOLE, later: [1] })), WHOLE, 'what a later version adds is not looked at');
});

test('a member of the wrong type is named', () => {
  const cases: readonly (readonly [json: object, problem: string])[] = [
    [{ ...WHOLE, format: '1' }, 'format has to be a whole number'],
    [{ ...WHOLE, version: 5 }, 'version has to be a text'],
    [{ ...WHOLE, backup: undefined }, 'backup has to be an object'],
    [{ ...WHOLE, backup: { ...WHOLE.backup, user: {} } }, 'backup.user has to be a text'],
    [{ ...WHOLE, backup: { ...WHOLE.backup, id: Number.NaN } }, 'backup.id has to be a whole number'],
    [{ ...WHOLE, schema: '99' }, 'schema has to be a whole number'],
    [{ ...WHOLE, revision: -1 }, 'revision has to be a whole number'],
    [{ ...WHOLE, tables: null }, 'tables has to be an object'],
    [{ ...WHOLE, tables: { entities: '3' } }, 'tables.entities has to be a whole number'],
    [{ ...WHOLE, commit: 1 }, 'commit has to be a text'],
    [{ ...WHOLE, verified: 'yes' }, 'verified has to be an object'],
    [{ ...WHOLE, files: undefined }, 'files has to be an object'],
    [{ ...WHOLE, files: [] }, 'files has to be an object'],
    [{ ...WHOLE, files: { 'db.zip': 'x' } }, 'files.db.zip has to be an object'],
    [{ ...WHOLE, files: { '\u001b[2J': null } }, 'files."\\u001b[2J" has to be an object'],
    [{ ...WHOLE, files: { '\u009b2J': null } }, 'files."\\u{009b}2J" has to be an object'],
    [{ ...WHOLE, files: { 'version.txt': { bytes: 5e9, crc32: '0' } } }, 'files.version.txt.bytes has to be at most 1048576'],
    [archive(null), 'files.db.zip.entries has to be an object'],
    [archive({ a: null }), 'files.db.zip.entries.a has to be an object'],
    [archive({ a: { ...ENTRY, at: 'abc' } }), 'files.db.zip.entries.a.at has to be a whole number'],
    [archive({ a: { ...ENTRY, bytes: -5 } }), 'files.db.zip.entries.a.bytes has to be a whole number'],
    [archive({ a: { ...ENTRY, mode: 0.5 } }), 'files.db.zip.entries.a.mode has to be a whole number'],
    [archive({ a: { ...ENTRY, marks: 'x' } }), 'files.db.zip.entries.a.marks has to be a list of texts'],
  ];
  for (const [json, problem] of cases) {
    assert.throws(() => readManifest(sealed(json)), new NotABackup(`manifest.json is not that of a backup: ${problem}.`));
  }
});

test('a text that is no manifest, or was changed, is refused', () => {
  assert.throws(() => readManifest('[]'), new NotABackup('manifest.json is not that of a backup: it has to be a JSON object.'));
  assert.throws(() => readManifest('\u001b[2J'), /^Error: manifest\.json is damaged: \P{Cc}*$/u);
  const changed: JsonObject = { ...WHOLE, revision: 2, seal: sha256(JSON.stringify(WHOLE)) };
  assert.throws(() => readManifest(JSON.stringify(changed)), /manifest\.json is damaged: it is not what was written/);
  const deep = `{"format":1,"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assert.throws(() => readManifest(deep), /manifest\.json is damaged: it is not what was written/);
});
