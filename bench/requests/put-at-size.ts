// PUT in a configuration of full size, beside the same PUT in a small one: the cost of a write must not grow with the configuration.
import { compareAtSizes } from '../support/datasets/at-size.ts';
import { createEnvironments, environmentName, putEnvironment } from '../support/datasets/environments.ts';
import type { Measurement } from '../support/measurement.ts';

const FEW_ENVIRONMENTS = 10;
const MAX_RATIO = 1.15;
/** Has no common factor with the counts, so every environment gets its turn, and neighbours in time are not neighbours on disk. */
const STEP = 7919;

export const putAtSize: Measurement = {
  name: 'put-at-size',
  what: 'PUT with 10,000 environments in the configuration',
  beside: 'the same with 10',
  goal: `p50 ≤ ${MAX_RATIO} ×`,
  run: async (lab) => {
    const small = await lab.startServer(lab.newPath());
    const full = await lab.startServer(await lab.fullDataDir());
    await createEnvironments(small.url, FEW_ENVIRONMENTS, lab.basic);
    const side = (url: string, count: number) => ({
      url,
      request: (turn: number) => putEnvironment(environmentName((turn * STEP) % count), turn, lab.basic),
    });
    const outcome = await compareAtSizes(side(full.url, lab.scale.environments), side(small.url, FEW_ENVIRONMENTS), lab.scale.requests, {
      p50: MAX_RATIO,
    });
    await Promise.all([full.stop(), small.stop()]);
    return outcome;
  },
};
