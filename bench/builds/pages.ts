// The pages in a real browser beside a bare page that fetches the same bytes: sizes, the dashboard, live changes, a long console, maps, typing.

import { availableParallelism, loadavg } from 'node:os';
import type { Measurement } from '../support/measurement.ts';
import { MeasuringBrowser } from '../support/pages/browser.ts';
import { type Budget, describeBudget, isMet } from '../support/pages/budget.ts';
import { consoleBudgets } from '../support/pages/console.ts';
import { dashboardBudgets, GOALS } from '../support/pages/dashboard.ts';
import { liveBudgets } from '../support/pages/live.ts';
import { mapBudgets } from '../support/pages/map.ts';
import { sizeBudgets } from '../support/pages/size.ts';
import { typingBudgets } from '../support/pages/typing.ts';

const FULL_PIPELINES = 10_000;
const FULL = { lines: 1_000_000, seconds: 60, loads: 5 };
/** On a quick look, which is only meant to see that it works. */
const QUICK = { lines: 200_000, seconds: 5, loads: 1 };

export const pages: Measurement = {
  name: 'pages',
  what: 'pages in a browser: sizes, dashboard, live changes, console, maps, typing',
  beside: 'a bare page that fetches the same bytes',
  goal: 'every budget',
  run: async (lab) => {
    const { lines, seconds, loads } = lab.scale.pipelines < FULL_PIPELINES ? QUICK : FULL;
    const browser = await MeasuringBrowser.launch();
    const budgets: Budget[] = sizeBudgets();
    const goals = GOALS.filter(({ pipelines }) => pipelines <= lab.scale.pipelines);
    const parts: (() => Promise<Budget[]>)[] = [
      ...goals.map((goal) => () => dashboardBudgets(lab, browser, goal, loads)),
      () => liveBudgets(browser, seconds),
      () => consoleBudgets(browser, lines),
      () => mapBudgets(browser),
      () => typingBudgets(browser),
    ];
    try {
      for (const part of parts) {
        const found = await part();
        for (const budget of found) process.stderr.write(`  ${describeBudget(budget)}\n`);
        budgets.push(...found);
      }
    } finally {
      await browser.close();
    }
    const met = budgets.filter(isMet).length;
    return {
      figure: `${met} of ${budgets.length} met`,
      isMet: met === budgets.length,
      // A browser and a server need a processor each.
      isReliable: loadavg()[0]! <= availableParallelism() + 1,
      numbers: Object.fromEntries(
        budgets.flatMap(({ name, value, unit, bare }) => [
          [`${name}, ${unit}`, value],
          ...(bare === undefined ? [] : [[`${name}, bare, ${unit}`, bare] as const]),
        ]),
      ),
      notes: budgets.map(describeBudget),
    };
  },
};
