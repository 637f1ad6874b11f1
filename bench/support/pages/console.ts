// A console of a million lines in the browser: first line, all lines, scrolling, searching, memory.
import { percentile } from '../statistics.ts';
import { appearance, bareTime, frames, type MeasuringBrowser, until, type Window } from './browser.ts';
import type { Budget } from './budget.ts';
import { StandIn } from './stand-in.ts';

const ADDRESS = '/tab/build/detail/web/1/build/1/compile';
const FILE = '/files/web/1/build/1/compile/cruise-output/console.log';
const JOB_PATH = '/api/jobs/web/1/build/1/compile';
const JOB = {
  name: 'compile',
  state: 'Completed',
  result: 'Passed',
  scheduled_date: 1_800_000_000_000,
  completed_date: 1_800_000_060_000,
  waiting_ms: 1000,
  duration_ms: 59_000,
  job_state_transitions: ['Scheduled', 'Assigned', 'Preparing', 'Building', 'Completing', 'Completed'].map((state, step) => ({
    state,
    state_change_time: 1_800_000_000_000 + step * 10_000,
  })),
  agent: null,
  pipeline_label: '1',
  environment: null,
  material_revisions: [],
  tabs: [],
};
const ROW = 18;
const TALLEST = 8_000_000;
const SCROLLED_FRAMES = 120;
const NEEDLE = 'needle in line';
const FRAME_MS = 1000 / 60;

export async function consoleBudgets(browser: MeasuringBrowser, lines: number): Promise<Budget[]> {
  const log = logOf(lines);
  const server = await StandIn.start((path) => (path.startsWith('/files/') ? log : path === JOB_PATH ? JOB : undefined));
  const window = await browser.window(server.url, { watch: '.log-row' });
  try {
    await window.page.goto(ADDRESS);
    const first = await appearance(window.page);
    const all = await allShown(window, lines);
    const scroll = await scrolled(window);
    const search = await searched(window);
    const memory = await browser.largestPageMb();
    const read = await decoded(window);
    await window.close();
    const bare = await browser.window(server.url);
    const bareAll = await bareTime(bare.page, [server.url + FILE]);
    const bareScroll = percentile(
      await frames(bare.page, `new Promise((resolve) => setTimeout(resolve, ${SCROLLED_FRAMES * FRAME_MS}))`),
      0.95,
    );
    await bare.close();
    return [
      { name: `console of ${lines} lines, first`, value: first, unit: 'ms', max: 300 },
      { name: 'console, all', value: all, unit: 'ms', max: 2000, bare: bareAll },
      // A frame of 60 a second is 16.7 ms: browsers round the time.
      { name: 'console, frame p95 while scrolling', value: scroll, unit: 'ms', max: 17, bare: bareScroll },
      { name: 'console, search', value: search, unit: 'ms', max: 500, bare: read },
      { name: 'console, memory', value: memory, unit: 'MB', max: 350 },
    ];
  } finally {
    await server.stop();
  }
}

function logOf(lines: number): Buffer {
  const all = Array.from({ length: lines }, (_, number) =>
    number % 10_007 === 0
      ? `&1|12:00:00.000 ${NEEDLE} ${number}`
      : `&1|12:00:00.000 line ${number} of what a program prints as it goes along`,
  );
  return Buffer.from(`${all.join('\n')}\n`);
}

/** The box is as high as there are lines. */
function allShown({ page }: Window, lines: number): Promise<number> {
  const height = Math.min(lines * ROW, TALLEST);
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const isThere = document.querySelector('.log-height').offsetHeight >= ${height} - 1;
      if (!isThere) return requestAnimationFrame(look);
      document.querySelector('.log').scrollTop = ${TALLEST} * 2;
      const end = () => [...document.querySelectorAll('.log-number')].some(({ hash }) => hash === '#L${lines}') ? resolve(performance.now()) : requestAnimationFrame(end);
      end();
    };
    look();
  })`);
}

async function scrolled({ page }: Window): Promise<number> {
  const times = await frames(
    page,
    `new Promise((resolve) => {
      const box = document.querySelector('.log');
      let frame = 0;
      const step = () => {
        box.scrollTop = (box.scrollHeight * (frame * 7919 % ${SCROLLED_FRAMES})) / ${SCROLLED_FRAMES};
        if (frame++ < ${SCROLLED_FRAMES}) requestAnimationFrame(step); else resolve();
      };
      step();
    })`,
  );
  return percentile(times, 0.95);
}

async function searched({ page }: Window): Promise<number> {
  const began = performance.now();
  await page.locator('.console-toolbar input[type=search]').fill(NEEDLE);
  await until(page, "/^[1-9]\\d* lines$/.test(document.querySelector('.console-toolbar [role=status]').textContent.trim())");
  return performance.now() - began;
}

/** Beside the search: the time to make one text of as many bytes, in the same page. */
function decoded({ page }: Window): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const bytes = await (await fetch(${JSON.stringify(FILE)})).arrayBuffer();
    const began = performance.now();
    new TextDecoder().decode(bytes).indexOf('nothing like this');
    return performance.now() - began;
  })()`);
}
