// GET of one artifact store with a bearer token, beside node:http that sends the same bytes.
import { getStore, sideOf, startServerWithStore } from '../support/get-store.ts';
import type { Measurement } from '../support/measurement.ts';
import { record } from '../support/recording.ts';
import { compareRates } from '../support/side-by-side.ts';

export const getOne: Measurement = {
  name: 'get-one',
  what: 'GET one artifact store, bearer token',
  beside: 'bare node:http, same bytes and headers',
  goal: '≥ 0.80',
  run: async (lab) => {
    const server = await startServerWithStore(lab);
    const request = getStore(server.bearer);
    const bare = await lab.startBareServer(await record(server.url, request, 200));
    const outcome = await compareRates(sideOf(server, request, 200), sideOf(bare, request, 200), lab.scale.pace, {
      goal: 0.8,
      isProcessorBound: true,
    });
    await Promise.all([server.stop(), bare.stop()]);
    return outcome;
  },
};
