// Plugins choose and write files in the server, and their files are parsed in a thread: neither may know a plugin that the other does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWERS } from '../../src/formats/external/protocol.ts';
import { fileParsers } from '../../src/formats/file-parsers.ts';
import { bundledPlugins } from '../../src/plugins/installed.ts';

test('every plugin for config repos that comes with the server has a parser', () => {
  const plugins = bundledPlugins.filter(({ kind }) => kind === 'configrepo').map(({ id }) => id);
  const parsers = fileParsers.map(({ id }) => id).filter((id) => id !== ANSWERS);
  assert.ok(plugins.length > 0);
  assert.deepEqual(parsers.toSorted(), plugins.toSorted());
});
