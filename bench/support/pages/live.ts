// A dashboard that is left open while very much happens: how smooth it stays, and whether it keeps memory it does not need.
import { setInterval as every } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import { appearance, frames, type MeasuringBrowser, type Window } from './browser.ts';
import type { Budget } from './budget.ts';
import { StandIn } from './stand-in.ts';

const PIPELINES = 10_000;
const PATCHES_PER_SECOND = 1000;
const TICK_MS = 50;
/** Memory that the browser itself keeps meanwhile, such as times of requests. */
const MAX_GROWTH_MB = 3;
const MAX_FRAME_MS = 20;
const BASE = 1_800_000_000_000;
const MB = 1_000_000;

/** `seconds`: at 16 events a second, a minute of these is an hour. */
export async function liveBudgets(browser: MeasuringBrowser, seconds: number): Promise<Budget[]> {
  const patches = new Patches();
  const server = await StandIn.start((path) => (path.startsWith('/api/dashboard/rows') ? patches.answer(path) : undefined));
  const window = await browser.window(server.url, { watch: '.dashboard-row' });
  try {
    await window.page.goto('/pipelines');
    await appearance(window.page);
    await patches.feed(server, WARM_UP_SECONDS);
    const before = await heapMb(window);
    const [times] = await Promise.all([frames(window.page, waiting(seconds)), patches.feed(server, seconds)]);
    const after = await heapMb(window);
    await window.close();
    const bare = await browser.window(server.url);
    await bare.page.goto('/api/session');
    const [bareTimes] = await Promise.all([frames(bare.page, asking(seconds)), patches.feed(server, seconds)]);
    await bare.close();
    return [
      {
        name: `live, ${PATCHES_PER_SECOND} patches a second, frame p95`,
        value: percentile(times, 0.95),
        unit: 'ms',
        max: MAX_FRAME_MS,
        bare: percentile(bareTimes, 0.95),
      },
      { name: `growth of the heap after ${seconds * PATCHES_PER_SECOND} events`, value: after - before, unit: 'MB', max: MAX_GROWTH_MB },
      { name: 'heap of the page', value: after, unit: 'MB', max: 100 },
    ];
  } finally {
    await server.stop();
  }
}

const WARM_UP_SECONDS = 3;

const waiting = (seconds: number) => `new Promise((resolve) => setTimeout(resolve, ${seconds * 1000}))`;

/** Sends the requests of the page, as often, and ignores the answers. */
const asking = (seconds: number) => `(async () => {
  const end = performance.now() + ${seconds * 1000};
  let { token } = await (await fetch('/api/dashboard/rows')).json();
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ token } = await (await fetch('/api/dashboard/rows?since=' + token)).json());
  }
})()`;

async function heapMb({ cdp, page }: Window): Promise<number> {
  await page.waitForTimeout(500);
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize / MB;
}

/** Rows in the form of the server, of which some change all the time. */
class Patches {
  #made = 0;

  answer(path: string): object {
    const since = new URL(path, 'http://localhost').searchParams.get('since');
    const from = since === null ? 0 : Number(since);
    const count = since === null ? PIPELINES : Math.min(PIPELINES, this.#made - from);
    const numbers = Array.from({ length: count }, (_, index) => (since === null ? index : numberOf(from + index)));
    return {
      token: String(this.#made),
      full: since === null,
      columns: ['name', 'place', 'flags', 'run', 'others', 'pause', 'exceptions'],
      flags: { canOperate: 1, canAdminister: 2, canPause: 4, locked: 8, paused: 16 },
      statuses: ['Unknown', 'Building', 'Failing', 'Passed', 'Failed', 'Cancelled'],
      base: BASE,
      texts: [null, 'changes', ...Array.from({ length: 200 }, (_, group) => `group-${group}`)],
      stages: [
        ['build', 0, 0],
        ['test', 0, 0],
      ],
      places: Array.from({ length: 200 }, (_, group) => [group + 2]),
      patterns: [
        [1, '33', 0, 1],
        [1, '10', 0, 1],
        [1, '43', 0, 1],
      ],
      rows: [...new Set(numbers)].map((number) => [
        nameOf(number),
        Math.floor(number / 50),
        7,
        [this.#made + 1, (number + this.#made) % 3, number],
      ]),
    };
  }

  /** Sends the patches of so many seconds, a quarter of them of pipelines in sight. */
  async feed(server: StandIn, seconds: number): Promise<void> {
    const began = performance.now();
    const first = this.#made;
    for await (const _ of every(TICK_MS)) {
      const elapsed = (performance.now() - began) / 1000;
      const due = Math.min(Math.floor(elapsed * PATCHES_PER_SECOND), seconds * PATCHES_PER_SECOND) - (this.#made - first);
      const notices = Array.from({ length: due }, (_, index) => ({ name: nameOf(numberOf(this.#made + index)) }));
      this.#made += due;
      if (notices.length > 0) server.send('pipeline', notices);
      if (elapsed >= seconds) return;
    }
  }
}

/** Every fourth is one of the first, which are in sight. */
function numberOf(patch: number): number {
  return patch % 4 === 0 ? (patch / 4) % 40 : (patch * 7919) % PIPELINES;
}

function nameOf(number: number): string {
  return `pipeline-${String(number).padStart(5, '0')}`;
}
