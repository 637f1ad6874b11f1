// The history page and the dashboard of a server with a very long past, beside one that has hardly begun.
import { join } from 'node:path';
import { Connection } from '../support/connection.ts';
import { addRuns } from '../support/datasets/add-runs.ts';
import { createPipelines, pipelineName } from '../support/datasets/pipelines.ts';
import type { Lab } from '../support/lab.ts';
import type { Measurement } from '../support/measurement.ts';
import { median } from '../support/statistics.ts';

const MANY = 1_000_000;
/** On a quick look, which is only meant to see that it works. */
const MANY_QUICKLY = 100_000;
const FULL_REQUESTS = 4000;
const FEW = 1000;
const PIPELINES = 100;
const GOAL = 1.2;
const WARM_UP = 50;
const MAX_TURNS = 500;

export const dashboard: Measurement = {
  name: 'dashboard',
  what: 'history page, and dashboard after something has happened, at 1,000,000 runs',
  beside: 'the same at 1,000 runs',
  goal: `≤ ${GOAL} ×, ≤ ${GOAL} ×`,
  run: async (lab) => {
    const runs = lab.scale.requests < FULL_REQUESTS ? MANY_QUICKLY : MANY;
    const sides = { many: await Side.open(lab, runs), few: await Side.open(lab, FEW) };
    // In turns: other load on the machine affects both.
    for (let turn = 0; turn < WARM_UP + Math.min(MAX_TURNS, lab.scale.requests); turn++)
      for (const side of Object.values(sides)) await side.measure(turn >= WARM_UP, turn % 2 === 0);
    const [history, whole, rows] = (['history', 'whole', 'rows'] as const).map((what) => {
      const [many, few] = [median(sides.many.times[what]), median(sides.few.times[what])];
      return { many, few, ratio: many / few };
    }) as [Figure, Figure, Figure];
    for (const side of Object.values(sides)) await side.stop();
    return {
      figure: `${history.ratio.toFixed(2)} ×, ${whole.ratio.toFixed(2)} ×`,
      isMet: history.ratio <= GOAL && whole.ratio <= GOAL,
      numbers: { history: history.ratio, dashboard: whole.ratio, rows: rows.ratio, historyMs: history.many, dashboardMs: whole.many },
      notes: [
        `history ${describeFigure(history)}; dashboard ${describeFigure(whole)}; rows since the last token ${describeFigure(rows)}; ${runs} runs of ${PIPELINES} pipelines`,
      ],
    };
  },
};

interface Figure {
  readonly many: number;
  readonly few: number;
  readonly ratio: number;
}

function describeFigure({ many, few }: Figure): string {
  return `${many.toFixed(2)} ms beside ${few.toFixed(2)} ms`;
}

class Side {
  readonly times = { history: [] as number[], whole: [] as number[], rows: [] as number[] };
  readonly #url: string;
  readonly #authorization: string;
  readonly #connection: Connection;
  readonly #end: () => Promise<void>;
  #token = '';

  private constructor(url: string, authorization: string, connection: Connection, end: () => Promise<void>) {
    this.#url = url;
    this.#authorization = authorization;
    this.#connection = connection;
    this.#end = end;
  }

  static async open(lab: Lab, runs: number): Promise<Side> {
    const dataDir = lab.newPath();
    const settings = ['--material-interval', '0'];
    const first = await lab.startServer(dataDir, settings);
    await createPipelines(first.url, PIPELINES, await lab.newBearer(first.url));
    await first.stop();
    addRuns(join(dataDir, 'slipway.db'), runs, PIPELINES);
    const server = await lab.startServer(dataDir, settings);
    return new Side(server.url, await lab.newBearer(server.url), await Connection.open(server.url), () => server.stop());
  }

  async measure(counts: boolean, isPause: boolean): Promise<void> {
    const name = pipelineName(PIPELINES / 2);
    await this.#send('POST', `/api/pipelines/${name}/${isPause ? 'pause' : 'unpause'}`, 1);
    const times = {
      rows: await this.#send('GET', `/api/dashboard/rows?since=${this.#token}`, 1),
      whole: await this.#send('GET', '/api/dashboard', 4),
      history: await this.#send('GET', `/api/pipelines/${name}/history`, 1),
    };
    const reply = await fetch(`${this.#url}/api/dashboard/rows`, { headers: this.#headers(1) });
    this.#token = ((await reply.json()) as { token: string }).token;
    if (counts) for (const what of ['history', 'whole', 'rows'] as const) this.times[what].push(times[what]);
  }

  async stop(): Promise<void> {
    this.#connection.close();
    await this.#end();
  }

  async #send(method: 'GET' | 'POST', path: string, version: number): Promise<number> {
    const bytes = this.#connection.compose({ method, path, headers: this.#headers(version) });
    const began = performance.now();
    const status = await this.#connection.send(bytes);
    if (status !== 200) throw new Error(`${method} ${path} was answered with status ${status}.`);
    return performance.now() - began;
  }

  #headers(version: number): Record<string, string> {
    return { Accept: `application/vnd.svc.v${version}+json`, Authorization: this.#authorization, 'X-Svc-Confirm': 'true' };
  }
}
