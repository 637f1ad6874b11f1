// Times the same write in a large and in a small configuration, in turns, and compares.
import { Connection, type RequestLine } from '../connection.ts';
import type { Outcome } from '../outcome.ts';
import { percentile } from '../statistics.ts';

/** One side: where it runs, and the request of each turn. */
export interface SizedSide {
  readonly url: string;
  request(turn: number): RequestLine;
}

export interface SizeGoals {
  readonly p50: number;
  readonly p99?: number;
}

const WARM_UP_REQUESTS = 300;

export async function compareAtSizes(full: SizedSide, small: SizedSide, requests: number, goals: SizeGoals): Promise<Outcome> {
  const writeFull = await writer(full);
  const writeSmall = await writer(small);
  const fullTimes: number[] = [];
  const smallTimes: number[] = [];
  for (let turn = 1; turn <= WARM_UP_REQUESTS + requests; turn++) {
    const [fullTime, smallTime] = [await writeFull(turn), await writeSmall(turn)];
    if (turn <= WARM_UP_REQUESTS) continue;
    fullTimes.push(fullTime);
    smallTimes.push(smallTime);
  }
  const numbers = {
    fullP50: percentile(fullTimes, 0.5),
    smallP50: percentile(smallTimes, 0.5),
    fullP99: percentile(fullTimes, 0.99),
    smallP99: percentile(smallTimes, 0.99),
  };
  const ratio = numbers.fullP50 / numbers.smallP50;
  const ratioP99 = numbers.fullP99 / numbers.smallP99;
  return {
    figure: `p50 ${ratio.toFixed(3)} ×, p99 ${ratioP99.toFixed(2)} ×`,
    isMet: ratio <= goals.p50 && (goals.p99 === undefined || ratioP99 <= goals.p99),
    numbers: { ratio, ratioP99, ...numbers },
    notes: [`${describeTimes('p50', numbers.fullP50, numbers.smallP50)}; ${describeTimes('p99', numbers.fullP99, numbers.smallP99)}`],
  };
}

async function writer({ url, request }: SizedSide): Promise<(turn: number) => Promise<number>> {
  const connection = await Connection.open(url);
  return async (turn) => {
    const bytes = connection.compose(request(turn));
    const startedAt = performance.now();
    const status = await connection.send(bytes);
    if (status !== 200) throw new Error(`A write was answered with status ${status}.`);
    return performance.now() - startedAt;
  };
}

function describeTimes(what: string, full: number, small: number): string {
  return `${what} ${full.toFixed(2)} ms beside ${small.toFixed(2)} ms`;
}
