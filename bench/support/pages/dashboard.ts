// The dashboard of a real server in the browser: how long until pipelines are seen, and how long a keystroke in its search takes.
import { join } from 'node:path';
import { addRuns } from '../datasets/add-runs.ts';
import { importDocument, readDocument } from '../datasets/document.ts';
import { pipelineName } from '../datasets/pipelines.ts';
import type { Lab } from '../lab.ts';
import type { Program } from '../process.ts';
import { median } from '../statistics.ts';
import { appearance, bareTime, fetched, type MeasuringBrowser, type Window } from './browser.ts';
import type { Budget } from './budget.ts';

const ADDRESS = '/pipelines';
const STAGES = 2;
const PER_GROUP = 50;
const MAX_TIMES = 3;
const SLOWED = 4;
const MAX_NODES = 1500;
const ROW = '.dashboard-row';

interface Goal {
  readonly pipelines: number;
  readonly max: number;
  readonly maxSlowed: number;
}

export const GOALS: readonly Goal[] = [
  { pipelines: 1000, max: 500, maxSlowed: 1200 },
  { pipelines: 10_000, max: 700, maxSlowed: 1500 },
];

export async function dashboardBudgets(lab: Lab, browser: MeasuringBrowser, goal: Goal, loads: number): Promise<Budget[]> {
  const { pipelines, max, maxSlowed } = goal;
  const server = await filledServer(lab, pipelines);
  try {
    const stored = await signedIn(lab, browser, server.url);
    const load = (slowed: number) => loaded(browser, server.url, { stored, slowed, loads });
    const normal = await load(1);
    const slow = await load(SLOWED);
    const name = `dashboard of ${pipelines}`;
    const budgets: Budget[] = [
      { name, value: normal.ours, unit: 'ms', max, bare: normal.bare, maxRatio: MAX_TIMES },
      {
        name: `${name}, processor slowed ${SLOWED} ×`,
        value: slow.ours,
        unit: 'ms',
        max: maxSlowed,
        bare: slow.bare,
        maxRatio: MAX_TIMES,
      },
      { name: `${name}, nodes in the document`, value: normal.nodes, unit: 'nodes', max: MAX_NODES },
      { name: `${name}, rows`, value: normal.rowsKb, unit: 'kB', max: pipelines * 0.045 + 2 },
    ];
    const window = await browser.window(server.url, { stored, watch: ROW });
    await window.page.goto(ADDRESS);
    await appearance(window.page);
    const { keystroke, frame } = await typed(window);
    await window.close();
    return [...budgets, { name: `${name}, keystroke in the search`, value: keystroke, unit: 'ms', max: 50, bare: frame }];
  } finally {
    await server.stop();
  }
}

/** Taken over as one document, with runs written into the database: one by one they would take minutes. */
async function filledServer(lab: Lab, pipelines: number): Promise<Program> {
  const dataDir = lab.newPath();
  const settings = ['--material-interval', '0'];
  const first = await lab.startServer(dataDir, settings);
  const empty = await readDocument(first.url, lab.basic);
  await importDocument(first.url, lab.basic, empty.replace(/(?=<\/cruise>)/, groupsOf(pipelines)));
  await first.stop();
  addRuns(join(dataDir, 'slipway.db'), pipelines, pipelines, STAGES);
  return lab.startServer(dataDir, settings);
}

function groupsOf(pipelines: number): string {
  const stages = Array.from(
    { length: STAGES },
    (_, stage) => `<stage name="stage-${stage}"><jobs><job name="job-0"><tasks><exec command="true"/></tasks></job></jobs></stage>`,
  ).join('');
  const pipeline = (number: number) =>
    `<pipeline name="${pipelineName(number)}"><materials><git url="https://scm.example.org/${number}.git"/></materials>${stages}</pipeline>`;
  const groups = Array.from({ length: Math.ceil(pipelines / PER_GROUP) }, (_, group) => {
    const inside = Array.from({ length: Math.min(PER_GROUP, pipelines - group * PER_GROUP) }, (_, index) =>
      pipeline(group * PER_GROUP + index),
    );
    return `<pipelines group="group-${group}">${inside.join('')}</pipelines>`;
  });
  return groups.join('');
}

type StoredState = NonNullable<Parameters<MeasuringBrowser['window']>[1]>['stored'];

async function signedIn(lab: Lab, browser: MeasuringBrowser, url: string): Promise<StoredState> {
  const { page, close } = await browser.window(url);
  const [name, password] = Buffer.from(lab.basic.slice('Basic '.length), 'base64').toString().split(':');
  await page.goto('/auth/login');
  await page.locator('input[name=username]').fill(name!);
  await page.locator('input[name=password]').fill(password!);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`**${ADDRESS}`);
  const stored = await page.context().storageState();
  await close();
  return stored;
}

interface Loads {
  readonly stored: StoredState;
  readonly slowed: number;
  readonly loads: number;
}

/** In turns with the bare page: other load on the machine affects both. */
async function loaded(browser: MeasuringBrowser, url: string, { stored, slowed, loads }: Loads) {
  const times = { ours: [] as number[], bare: [] as number[] };
  let nodes = 0;
  let rowsKb = 0;
  for (let turn = 0; turn < loads; turn++) {
    const ours = await browser.window(url, { stored, slowed, watch: ROW });
    await ours.page.goto(ADDRESS);
    times.ours.push(await appearance(ours.page));
    const addresses = await fetched(ours.page);
    nodes = await ours.page.evaluate<number>("document.querySelectorAll('*').length");
    rowsKb =
      (await ours.page.evaluate<number>(
        "performance.getEntriesByType('resource').find(({ name }) => name.includes('/api/dashboard/rows')).decodedBodySize",
      )) / 1000;
    await ours.close();
    const bare = await browser.window(url, { stored, slowed });
    times.bare.push(await bareTime(bare.page, addresses));
    await bare.close();
  }
  return { ours: median(times.ours), bare: median(times.bare), nodes, rowsKb };
}

/** From a keystroke to the frame that shows the matches; and how long a frame takes in which nothing happens. */
async function typed({ page }: Window): Promise<{ keystroke: number; frame: number }> {
  const times = await page.evaluate<{ keys: number[]; frames: number[] }>(`(async () => {
    const field = document.querySelector('.dashboard-toolbar input[type=search]');
    const status = document.querySelector('.dashboard-count');
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const keys = [], frames = [];
    // Each matches another number of pipelines than the one before, so that the count shows when it is drawn.
    for (const text of ['1', '12', '123', '12', '1', '', '5', '53', '7', '71']) {
      await drawn();
      let began = performance.now();
      await drawn();
      frames.push(performance.now() - began);
      const before = status.textContent;
      began = performance.now();
      set.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      do await drawn(); while (status.textContent === before && performance.now() - began < 2000);
      keys.push(performance.now() - began);
    }
    return { keys, frames };
  })()`);
  return { keystroke: median(times.keys), frame: median(times.frames) };
}
