// Value stream maps in the browser: from the answer of the server to the drawn map.
import type { Page } from 'playwright-core';
import { bareTime, type MeasuringBrowser, until } from './browser.ts';
import type { Budget } from './budget.ts';
import { StandIn } from './stand-in.ts';

const LEVELS = 12;
const PARENTS = 3;

export async function mapBudgets(browser: MeasuringBrowser): Promise<Budget[]> {
  const sizes = [
    { count: 300, max: 100 },
    { count: 1000, max: 300 },
  ];
  const budgets: Budget[] = [];
  for (const { count, max } of sizes) {
    const server = await StandIn.start((path) =>
      path.includes('/value_stream_map') && path.startsWith('/api/') ? mapOf(count) : undefined,
    );
    const window = await browser.window(server.url);
    await window.page.goto('/pipelines/value_stream_map/pipeline-0/1');
    await until(window.page, `document.querySelectorAll('.map-node').length >= ${count}`);
    // The second time everything but the map is there, and scripts are warm: only the map is measured.
    const value = await redrawn(window.page);
    await window.close();
    const bare = await browser.window(server.url);
    const bareMs = await bareTime(bare.page, [`${server.url}/api/pipelines/pipeline-0/1/value_stream_map`]);
    await bare.close();
    await server.stop();
    budgets.push({ name: `map of ${count} nodes`, value, unit: 'ms', max, bare: bareMs });
  }
  return budgets;
}

/** Another map: from the end of the answer to the frame with all nodes. */
function redrawn(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const count = document.querySelectorAll('.map-node').length;
    performance.clearResourceTimings();
    history.pushState(null, '', '/pipelines/value_stream_map/pipeline-1/1');
    dispatchEvent(new PopStateEvent('popstate'));
    const read = () => performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/api/pipelines/pipeline-1/1/value_stream_map'));
    await new Promise((resolve) => {
      const look = () => read() && document.querySelectorAll('.map-node').length >= count ? resolve() : requestAnimationFrame(look);
      requestAnimationFrame(look);
    });
    const end = performance.now();
    const { responseEnd } = read();
    return end - responseEnd;
  })()`);
}

function mapOf(count: number): object {
  const perLevel = Math.ceil(count / LEVELS);
  const nameOf = (number: number) => `pipeline-${number}`;
  const levelOf = (number: number) => Math.floor(number / perLevel);
  const parentsOf = (number: number) =>
    levelOf(number) === 0
      ? []
      : Array.from({ length: PARENTS }, (_, turn) => nameOf((levelOf(number) - 1) * perLevel + ((number * 7 + turn * 13) % perLevel)));
  const numbers = Array.from({ length: count }, (_, number) => number);
  const dependents = Map.groupBy(
    numbers.flatMap((number) => parentsOf(number).map((parent) => ({ parent, child: nameOf(number) }))),
    ({ parent }) => parent,
  );
  const nodes = numbers.map((number) => ({
    id: nameOf(number),
    name: nameOf(number),
    node_type: 'PIPELINE',
    parents: [...new Set(parentsOf(number))],
    dependents: [...new Set((dependents.get(nameOf(number)) ?? []).map(({ child }) => child))],
    can_view: true,
    view_type: null,
    locator: `/pipeline/activity/${nameOf(number)}`,
    instances: [
      {
        counter: 1,
        label: '1',
        locator: `/pipelines/value_stream_map/${nameOf(number)}/1`,
        stages: ['build', 'test'].map((name) => ({
          name,
          status: 'Passed',
          duration: 12,
          locator: `/pipelines/${nameOf(number)}/1/${name}/1`,
        })),
      },
    ],
  }));
  const levels = Map.groupBy(nodes, (_, number) => levelOf(number));
  return {
    current_pipeline: 'pipeline-0',
    current_counter: 1,
    is_truncated: false,
    levels: [...levels.values()].map((inside) => ({ nodes: inside })),
  };
}
