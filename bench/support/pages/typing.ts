// Typing in the editor of a large pipeline and in a long form: from a key to the frame that shows it, beside a bare field in the same browser.
import type { Page } from 'playwright-core';
import { formBody, formJson } from '../../../src/api/endpoints/forms/json.ts';
import { ALL_RIGHTS } from '../../../src/api/endpoints/forms/rights.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindsOf, resourceName } from '../../../src/shape/resource.ts';
import { percentile } from '../statistics.ts';
import { type MeasuringBrowser, until } from './browser.ts';
import type { Budget } from './budget.ts';
import { StandIn } from './stand-in.ts';

const JOBS = 100;
const VARIABLES = 500;
const KEYS = 100;
const MAX_MS = 50;
const SETTINGS = 300;
const RULES = 300;
const EDITOR = '/admin/pipelines/large/edit';
/** The fields to type into: the name of a job, which the tree shows, too, and values among many. */
const TYPED_FIELDS = [
  {
    name: `typing in a pipeline with ${JOBS} jobs, p95`,
    address: `${EDITOR}?part=stages.0.jobs.${JOBS / 2}`,
    field: 'input[required]',
  },
  {
    name: `typing among ${VARIABLES} variables, p95`,
    address: `${EDITOR}?part=environment_variables`,
    field: `[aria-label="Value of V${VARIABLES / 2}"]`,
  },
  {
    name: `typing in a form with ${SETTINGS} settings and ${RULES} rules, p95`,
    address: '/admin/secret_configs/large',
    field: `[aria-label="Value of K${SETTINGS / 2}"]`,
  },
] as const;

export async function typingBudgets(browser: MeasuringBrowser): Promise<Budget[]> {
  const known = answers();
  const server = await StandIn.start((address) => known.get(address.split('?')[0]!));
  try {
    const bareMs = await bareTyping(browser, server.url);
    const budgets: Budget[] = [];
    for (const { name, address, field } of TYPED_FIELDS) {
      const { page, close } = await browser.window(server.url);
      await page.goto(address);
      await until(page, `document.querySelector('${field}') !== null`);
      await page.locator(field).focus();
      const value = await typed(page);
      await close();
      budgets.push({ name, value, unit: 'ms', max: MAX_MS, bare: bareMs });
    }
    return budgets;
  } finally {
    await server.stop();
  }
}

async function bareTyping(browser: MeasuringBrowser, url: string): Promise<number> {
  const { page, close } = await browser.window(url);
  await page.goto('/api/session');
  await page.evaluate("document.body.replaceChildren(document.createElement('input')); document.querySelector('input').focus()");
  const ms = await typed(page);
  await close();
  return ms;
}

/** Milliseconds from a key to the end of the frame that follows it, p95. */
async function typed(page: Page): Promise<number> {
  await page.evaluate(`(() => {
    globalThis.keyTimes = [];
    addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => keyTimes.push(performance.now() - timeStamp);
      port2.postMessage(null);
    }), { capture: true });
  })()`);
  for (let count = 1; count <= KEYS; count++) {
    await page.keyboard.press('a');
    await until(page, `keyTimes.length >= ${count}`);
  }
  return percentile(await page.evaluate<number[]>('keyTimes'), 0.95);
}

function answers(): ReadonlyMap<string, object> {
  const kind = kindsOf(registry).find((one) => resourceName(one) === 'secret_configs')!;
  const form = formJson(kind, { routes: [], isSet: () => false, isReferredTo: () => false }, ALL_RIGHTS);
  return new Map<string, object>([
    ['/api/admin/pipelines/large', largePipeline()],
    ['/api/forms', { forms: [form] }],
    ['/api/forms/secret_configs', { ...form, ...formBody(kind) }],
    ['/api/admin/secret_configs/large', longSecretConfig()],
  ]);
}

/** Of a plugin that is not installed: its keys are typed, too. */
function longSecretConfig(): object {
  return {
    id: 'large',
    description: '',
    plugin_id: 'org.example.secrets',
    properties: Array.from({ length: SETTINGS }, (_, number) => ({ key: `K${number}`, value: 'x' })),
    rules: Array.from({ length: RULES }, (_, number) => ({
      directive: 'allow',
      action: 'refer',
      type: 'environment',
      resource: `environment-${number}`,
    })),
  };
}

function largePipeline(): object {
  const tasks = [{ type: 'exec', attributes: { run_if: [], command: 'make', arguments: ['test'] } }];
  const common = { environment_variables: [], resources: [], tabs: [], artifacts: [], tasks };
  const jobs = Array.from({ length: JOBS }, (_, number) => ({
    name: `job-${number}`,
    run_instance_count: null,
    timeout: null,
    elastic_profile_id: null,
    ...common,
  }));
  return {
    name: 'large',
    group: 'shop',
    origin: { type: 'gocd' },
    label_template: `\${COUNT}`,
    lock_behavior: 'none',
    template: null,
    parameters: [],
    environment_variables: Array.from({ length: VARIABLES }, (_, number) => ({ name: `V${number}`, secure: false, value: 'x' })),
    materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/large.git', branch: 'main', auto_update: true } }],
    stages: [
      {
        name: 'all',
        fetch_materials: true,
        clean_working_directory: false,
        never_cleanup_artifacts: false,
        approval: { type: 'success', allow_only_on_success: false, authorization: { users: [], roles: [] } },
        environment_variables: [],
        jobs,
      },
    ],
    tracking_tool: null,
    timer: null,
  };
}
