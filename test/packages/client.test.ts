// Packages as materials: each new version that a plugin finds is a modification.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type PackageMaterial, packageClient } from '../../src/materials/types/packages/client.ts';
import { httpJsonPackagePlugin } from '../../src/plugins/bundled/packages/http-json.ts';
import { ALLOW_ALL_ADDRESSES } from '../support/server/allow-all-addresses.ts';
import { startWebServer, type WebServer } from '../support/services/web-server.ts';
import { pollTools, settings } from './tools.ts';

const client = packageClient((id) => (id === httpJsonPackagePlugin.id ? httpJsonPackagePlugin : undefined));
const context = { ...ALLOW_ALL_ADDRESSES, ...pollTools(), directory: '/nowhere' };
let web: WebServer;
let version: string | undefined = '1.0';
before(async () => {
  web = await startWebServer((_, response) => {
    response.setHeader('last-modified', 'Sat, 31 Jan 2026 09:30:00 GMT');
    response.end(JSON.stringify({ version }));
  });
});
after(() => web.stop());

const material = (pluginId: string = httpJsonPackagePlugin.id): PackageMaterial => ({
  type: 'package',
  fingerprint: 'aa',
  pluginId,
  ...settings({ REPO_URL: web.url }, { PACKAGE_PATH: 'app.json', REVISION_POINTER: '/version' }),
});
const poll = async (known?: string) =>
  (await Array.fromAsync(client.poll(material(), known === undefined ? undefined : { revision: known }, context))).flat();

describe('a poll', () => {
  test('finds the present version, and later only another one', async () => {
    const location = `${web.url}/app.json`;
    assert.deepEqual(await poll(), [
      {
        revision: '1.0',
        userName: null,
        email: null,
        comment: JSON.stringify({ TYPE: 'PACKAGE_MATERIAL', TRACKBACK_URL: location, COMMENT: null }),
        modifiedTime: new Date('2026-01-31T09:30:00Z'),
        files: [],
        additionalData: JSON.stringify({ VERSION: '1.0', LOCATION: location }),
      },
    ]);
    assert.deepEqual(await poll('1.0'), []);
    version = '1.1';
    assert.deepEqual(
      (await poll('1.0')).map(({ revision }) => revision),
      ['1.1'],
    );
  });

  test('fails with a message if there is no version, or no plugin', async () => {
    version = undefined;
    await assert.rejects(poll(), /^Error: The document has nothing at \/version\.$/);
    await assert.rejects(client.checkConnection(material(), context), /The document has nothing at \/version\.$/);
    await assert.rejects(client.checkConnection(material('gone'), context), /Plugin with id 'gone' is not found\.$/);
    version = '2';
    await client.checkConnection(material(), context);
  });
});
