// GET with a password, beside GET with a bearer token: both on one server.
import { getStore, sideOf, startServerWithStore } from '../support/get-store.ts';
import type { Measurement } from '../support/measurement.ts';
import { compareRates } from '../support/side-by-side.ts';

export const getBasic: Measurement = {
  name: 'get-basic',
  what: 'GET with Basic',
  beside: 'GET with bearer',
  goal: '≥ 0.90',
  run: async (lab) => {
    const server = await startServerWithStore(lab);
    const basic = sideOf(server, getStore(lab.basic), 200);
    const bearer = sideOf(server, getStore(server.bearer), 200);
    const outcome = await compareRates(basic, bearer, lab.scale.pace, { goal: 0.9, isProcessorBound: true });
    await server.stop();
    return outcome;
  },
};
