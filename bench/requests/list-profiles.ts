// GET of the list of 1,000 elastic agent profiles, beside node:http that sends the same bytes.
import { openConnections } from '../support/connection.ts';
import { sideOf } from '../support/get-store.ts';
import type { Measurement } from '../support/measurement.ts';
import { record } from '../support/recording.ts';
import { compareRates } from '../support/side-by-side.ts';

const PROFILES = 1000;
const CLUSTER = { id: 'farm', plugin_id: 'com.example.cluster', properties: [{ key: 'Url', value: 'https://cluster.example.org' }] };

export const listProfiles: Measurement = {
  name: 'list-profiles',
  what: 'GET the list of 1,000 elastic agent profiles, bearer token',
  beside: 'bare node:http, same bytes and headers',
  goal: '≥ 0.80',
  run: async (lab) => {
    const server = await lab.startServer(lab.newPath());
    const [connection] = await openConnections(server.url, 1);
    const post = async (path: string, version: number, body: object) => {
      const headers = { Accept: `application/vnd.svc.v${version}+json`, Authorization: lab.basic };
      const status = await connection!.send(connection!.compose({ method: 'POST', path, headers, body: JSON.stringify(body) }));
      if (status !== 200) throw new Error(`${path} was answered with ${status}.`);
    };
    await post('/api/admin/elastic/cluster_profiles', 1, CLUSTER);
    for (let index = 0; index < PROFILES; index++) {
      await post('/api/elastic/profiles', 2, {
        id: `profile-${index}`,
        cluster_profile_id: 'farm',
        properties: [{ key: 'Image', value: `image:${index}` }],
      });
    }
    connection!.close();
    const headers = { Accept: 'application/vnd.svc.v2+json', Authorization: await lab.newBearer(server.url) };
    const request = { method: 'GET', path: '/api/elastic/profiles', headers };
    const bare = await lab.startBareServer(await record(server.url, request, 200));
    const outcome = await compareRates(sideOf(server, request, 200), sideOf(bare, request, 200), lab.scale.pace, {
      goal: 0.8,
      isProcessorBound: true,
    });
    await Promise.all([server.stop(), bare.stop()]);
    return outcome;
  },
};
