// The rules for every type of repository in the list, a new one too: none can be led where this server must not go.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { PollContext, PolledMaterial } from '../../src/materials/clients/client.ts';
import { repositoryDefinitions } from '../../src/materials/types/list.ts';
import { repositoryReach } from '../../src/server/open/network-rules.ts';
import { Lab, pollAll } from './support/polling.ts';

const METADATA_HOST = '169.254.169.254';
const FORBIDDEN_HOST = /(?:is|leads to) a link-local address, or one of the metadata service/;
const DATA_DIRECTORY = /leads into the data directory/;
/** Types whose program takes only addresses of servers. */
const WITHOUT_PATHS: ReadonlySet<string> = new Set(['tfs']);
/** Attributes of all types, as far as some of them are needed to ask. */
const ATTRIBUTES = { branch: 'main', view: '//depot/...', projectPath: '$/app', username: 'ann', password: 'secret' };

const lab = new Lab();
const closedTo = lab.newPath('data');
mkdirSync(closedTo);
after(() => lab.remove());

for (const [type, { addressedBy, load }] of repositoryDefinitions()) {
  const mustBeRefused = async (address: string, reason: RegExp) => {
    const { client } = await load();
    const material: PolledMaterial = { type, fingerprint: 'f', ...ATTRIBUTES, [addressedBy]: address };
    const networkPolicy = repositoryReach({ allowLoopback: true, allowPrivateRepositories: true });
    const context: PollContext = { ...lab.context(), closedTo, networkPolicy };
    await assert.rejects(client.checkConnection(material, context), reason);
    await assert.rejects(pollAll(client, material, undefined, context), reason);
  };

  test(`${type} does not reach the metadata service of a cloud`, async () => {
    await mustBeRefused(addressedBy === 'port' ? `${METADATA_HOST}:1666` : `https://${METADATA_HOST}/app`, FORBIDDEN_HOST);
  });

  if (addressedBy === 'url' && !WITHOUT_PATHS.has(type))
    test(`${type} does not reach the data directory of this server`, async () => {
      await mustBeRefused(`file://${join(closedTo, 'app')}`, DATA_DIRECTORY);
    });
}
