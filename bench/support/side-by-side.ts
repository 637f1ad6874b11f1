// Measures the rates of two sides in turns, A B B A …, so that other load on the machine affects both.
import type { Outcome } from './outcome.ts';
import { processorSeconds } from './process.ts';
import { median } from './statistics.ts';

export interface Side {
  readonly pid: number;
  /** Loads it for some seconds and returns requests for each second. */
  readonly load: (seconds: number) => Promise<number>;
}

export interface Pace {
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly roundSeconds: number;
}

/** A write runs so much code that it gets faster for half a minute of load: until then V8 compiles. Reads are soon as fast as they get. */
const LONG_WARM_UP_FACTOR = 10;

export function longWarmUp(pace: Pace): Pace {
  return { ...pace, warmUpSeconds: LONG_WARM_UP_FACTOR * pace.warmUpSeconds };
}

export interface Expectation {
  readonly goal: number;
  /** Whether the processor limits both sides, and not the disk. */
  readonly isProcessorBound: boolean;
}

/** Rounds that differ more than this were disturbed by something else on the machine. */
const STEADY_SHARE = 0.75;
const BUSY_SHARE = 0.85;

interface Round {
  readonly rate: number;
  /** How busy the server's process was, in processors; far below 1 means that something else was the limit. */
  readonly busy: number;
}

export async function compareRates(ours: Side, beside: Side, pace: Pace, expectation: Expectation): Promise<Outcome> {
  const rounds = new Map<Side, Round[]>([
    [ours, []],
    [beside, []],
  ]);
  for (const side of rounds.keys()) await side.load(pace.warmUpSeconds);
  for (let turn = 0; turn < pace.rounds; turn++) {
    for (const side of turn % 2 === 0 ? [ours, beside] : [beside, ours]) rounds.get(side)!.push(await measure(side, pace.roundSeconds));
  }
  return outcomeOf(rounds.get(ours)!, rounds.get(beside)!, expectation);
}

async function measure({ pid, load }: Side, seconds: number): Promise<Round> {
  const startedAt = performance.now();
  const before = processorSeconds(pid);
  const rate = await load(seconds);
  return { rate, busy: (processorSeconds(pid) - before) / ((performance.now() - startedAt) / 1000) };
}

function outcomeOf(ours: readonly Round[], beside: readonly Round[], { goal, isProcessorBound }: Expectation): Outcome {
  const [oursMiddle, besideMiddle] = [middle(ours), middle(beside)];
  const ratio = oursMiddle.rate / besideMiddle.rate;
  const fastestRatio = fastest(ours) / fastest(beside);
  const processorRatio = ratio * (besideMiddle.busy / oursMiddle.busy);
  const others = Number.isNaN(processorRatio) ? '' : `, by processor time ${processorRatio.toFixed(2)}`;
  return {
    figure: ratio.toFixed(3),
    isMet: ratio >= goal,
    isReliable: [ours, beside].every((rounds) => isSteady(rounds) && (!isProcessorBound || isBusy(rounds))),
    numbers: {
      ratio,
      fastestRatio,
      ...(!Number.isNaN(processorRatio) && { processorRatio, oursBusy: oursMiddle.busy, besideBusy: besideMiddle.busy }),
      oursPerSecond: oursMiddle.rate,
      besidePerSecond: besideMiddle.rate,
    },
    notes: [
      `ours ${describeRound(oursMiddle)}; beside ${describeRound(besideMiddle)}; ratio of the fastest rounds ${fastestRatio.toFixed(2)}${others}`,
    ],
  };
}

function middle(rounds: readonly Round[]): Round {
  return { rate: median(rounds.map(({ rate }) => rate)), busy: median(rounds.map(({ busy }) => busy)) };
}

function fastest(rounds: readonly Round[]): number {
  return Math.max(...rounds.map(({ rate }) => rate));
}

function isSteady(rounds: readonly Round[]): boolean {
  return middle(rounds).rate >= STEADY_SHARE * fastest(rounds);
}

/** Where the system does not report its load, it is taken for busy. */
function isBusy(rounds: readonly Round[]): boolean {
  return !(middle(rounds).busy < BUSY_SHARE);
}

function describeRound({ rate, busy }: Round): string {
  const load = Number.isNaN(busy) ? '' : ` (processor ${Math.round(busy * 100)} % busy)`;
  return `${Math.round(rate)} requests/s${load}`;
}
