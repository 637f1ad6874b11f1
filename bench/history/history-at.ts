// GET of an entity as it was 100,000 revisions ago, beside a plain GET; and pages of a long list of revisions, beside a short one.

import { startServerWithHistory } from '../support/datasets/long-history.ts';
import { getStore, sideOf } from '../support/get-store.ts';
import type { Measurement } from '../support/measurement.ts';
import { compareRates } from '../support/side-by-side.ts';

const MANY = 100_000;
const FEW = 1000;
const MIN_SHARE = 0.1;
const MIN_PAGE_SHARE = 0.8;
const REVISIONS_PATH = '/api/admin/config/revisions';

export const historyAt: Measurement = {
  name: 'history-at',
  what: 'GET one artifact store as it was 100,000 revisions ago, bearer token',
  beside: 'plain GET of the same store',
  goal: `≥ ${MIN_SHARE}`,
  run: async (lab) => {
    const server = await startServerWithHistory(lab, MANY);
    const plain = getStore(server.bearer);
    const then = { ...plain, path: `${plain.path}?at=${server.first}` };
    const outcome = await compareRates(sideOf(server, then, 200), sideOf(server, plain, 200), lab.scale.pace, {
      goal: MIN_SHARE,
      isProcessorBound: true,
    });
    await server.stop();
    return outcome;
  },
};

export const revisionPages: Measurement = {
  name: 'revision-pages',
  what: 'page of 50 revisions from the middle of 100,000, filtered by actor',
  beside: 'first such page of 1,000',
  goal: `≥ ${MIN_PAGE_SHARE}`,
  run: async (lab) => {
    const [long, short] = [await startServerWithHistory(lab, MANY), await startServerWithHistory(lab, FEW)];
    const page = (bearer: string, more = '') => ({ ...getStore(bearer), path: `${REVISIONS_PATH}?actor=jez${more}` });
    const middle = page(long.bearer, `&cursor=${long.first + MANY / 2}`);
    const outcome = await compareRates(sideOf(long, middle, 200), sideOf(short, page(short.bearer), 200), lab.scale.pace, {
      goal: MIN_PAGE_SHARE,
      isProcessorBound: true,
    });
    await Promise.all([long.stop(), short.stop()]);
    return outcome;
  },
};
