// PUT in a configuration of full size, beside the same PUT in a small one: the cost of a write must not grow with the configuration.
import { Connection } from './support/connection.ts';
import { createEnvironments, environmentName, putEnvironment } from './support/environments.ts';
import type { Measurement } from './support/measurement.ts';
import type { Program } from './support/process.ts';
import { percentile } from './support/statistics.ts';

const FEW_ENVIRONMENTS = 10;
const MOST_RATIO = 1.15;
/** Has no common factor with the counts, so every environment gets its turn, and neighbours in time are not neighbours on disk. */
const STEP = 7919;
const WARM_UP_REQUESTS = 300;

export const putAtSize: Measurement = {
  name: 'put-at-size',
  what: 'PUT with 10,000 environments in the configuration',
  beside: 'the same with 10',
  goal: `p50 ≤ ${MOST_RATIO} ×`,
  run: async (lab) => {
    const small = await lab.startServer(lab.newPath());
    const full = await lab.startServer(await lab.fullDataDir());
    await createEnvironments(small.url, FEW_ENVIRONMENTS, lab.basic);
    const writeFull = await writer(full, lab.scale.environments, lab.basic);
    const writeSmall = await writer(small, FEW_ENVIRONMENTS, lab.basic);
    const fullTimes: number[] = [];
    const smallTimes: number[] = [];
    for (let turn = 1; turn <= WARM_UP_REQUESTS + lab.scale.requests; turn++) {
      const [fullTime, smallTime] = [await writeFull(turn), await writeSmall(turn)];
      if (turn <= WARM_UP_REQUESTS) continue;
      fullTimes.push(fullTime);
      smallTimes.push(smallTime);
    }
    await Promise.all([full.stop(), small.stop()]);
    const numbers = {
      fullP50: percentile(fullTimes, 0.5),
      smallP50: percentile(smallTimes, 0.5),
      fullP99: percentile(fullTimes, 0.99),
      smallP99: percentile(smallTimes, 0.99),
    };
    const ratio = numbers.fullP50 / numbers.smallP50;
    return {
      figure: `p50 ${ratio.toFixed(3)} ×, p99 ${(numbers.fullP99 / numbers.smallP99).toFixed(2)} ×`,
      isMet: ratio <= MOST_RATIO,
      numbers: { ratio, ratioP99: numbers.fullP99 / numbers.smallP99, ...numbers },
      notes: [`${inWords('p50', numbers.fullP50, numbers.smallP50)}; ${inWords('p99', numbers.fullP99, numbers.smallP99)}`],
    };
  },
};

/** Writes one environment after the other and tells how many milliseconds each took. */
async function writer({ url }: Program, environments: number, authorization: string): Promise<(turn: number) => Promise<number>> {
  const connection = await Connection.open(url);
  return async (turn) => {
    const request = connection.compose(putEnvironment(environmentName((turn * STEP) % environments), turn, authorization));
    const startedAt = performance.now();
    const status = await connection.send(request);
    if (status !== 200) throw new Error(`An environment could not be updated: status ${status}.`);
    return performance.now() - startedAt;
  };
}

function inWords(what: string, full: number, small: number): string {
  return `${what} ${full.toFixed(2)} ms beside ${small.toFixed(2)} ms`;
}
