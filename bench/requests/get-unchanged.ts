// GET with If-None-Match that is answered with 304, beside node:http that answers the same 304.
import { getStore, sideOf, startServerWithStore } from '../support/get-store.ts';
import type { Measurement } from '../support/measurement.ts';
import { record } from '../support/recording.ts';
import { compareRates } from '../support/side-by-side.ts';

export const getUnchanged: Measurement = {
  name: 'get-unchanged',
  what: 'the same with If-None-Match → 304',
  beside: 'bare node:http 304',
  goal: '≥ 0.80',
  run: async (lab) => {
    const server = await startServerWithStore(lab);
    const request = getStore(server.bearer, { 'If-None-Match': server.etag });
    const bare = await lab.startBareServer(await record(server.url, request, 304));
    const outcome = await compareRates(sideOf(server, request, 304), sideOf(bare, request, 304), lab.scale.pace, {
      goal: 0.8,
      isProcessorBound: true,
    });
    await Promise.all([server.stop(), bare.stop()]);
    return outcome;
  },
};
