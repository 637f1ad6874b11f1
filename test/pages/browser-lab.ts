// A real server with its pages, and a real browser that looks at them. Every error in the browser fails the test.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { buildPages } from '../../tools/build-pages.mjs';
import { RunLab } from '../builds/run-lab.ts';
import { ADMIN_PASSWORD } from '../support/server/server.ts';
import { BrowserWindow, type View } from './browser-window.ts';
import { leaveBrowser, takeBrowser } from './shared-browser.ts';

const root = join(import.meta.dirname, '..', '..');
const AXE = readFileSync(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

export interface Visitor extends Partial<View> {
  readonly name?: string;
  readonly password?: string;
  /** The test needs a window that has loaded nothing yet: it holds up a file that others may have left in the cache. */
  readonly hasEmptyCache?: boolean;
}

/** A lab for runs that also has windows of a browser. */
export class BrowserLab {
  readonly builds: RunLab;
  readonly #browser: Browser;
  /** The windows of the current test. */
  readonly #used = new Set<BrowserWindow>();
  /** Those that earlier tests have left. */
  readonly #idle = new Set<BrowserWindow>();
  readonly #problems: string[] = [];
  /** Errors that the browser may log, because the test provokes them. */
  readonly #expected: RegExp[] = [];

  private constructor(builds: RunLab, browser: Browser) {
    this.builds = builds;
    this.#browser = browser;
  }

  static async start(options: Readonly<Record<string, string>> = {}): Promise<BrowserLab> {
    const browser = await takeBrowser();
    const builds = await RunLab.start(options, { pagesFolder: await builtPages() });
    return new BrowserLab(builds, browser);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#used, ...this.#idle].map(({ context }) => context.close()));
    leaveBrowser();
    await this.builds.stop();
  }

  get url(): string {
    return this.builds.server.url;
  }

  /** A new window, without a login. */
  async window(visitor: Visitor = {}): Promise<Page> {
    return (await this.#open(viewOf(visitor))).page;
  }

  /** Opens an address as a signed-in user. */
  async visit(address: string, visitor: Visitor = {}): Promise<Page> {
    const { name: login_name = 'admin', password = ADMIN_PASSWORD, hasEmptyCache = false } = visitor;
    const view = viewOf(visitor);
    const window = (hasEmptyCache ? undefined : this.#reused(view)) ?? (await this.#open(view));
    const { page, context } = window;
    const answer = await context.request.post(`${this.url}/api/session`, { data: { login_name, password } });
    assert.equal(answer.status(), 200, await answer.text());
    await window.startVisit();
    await page.goto(address);
    return page;
  }

  /** The browser may complain about this. */
  expect(complaint: RegExp): void {
    this.#expected.push(complaint);
  }

  /** Nothing went wrong so far: no error of a script, nothing refused by the policy, no request to another place. */
  assertQuiet(): void {
    const problems = this.#problems.filter((problem) => !this.#expected.some((expected) => expected.test(problem)));
    assert.deepEqual(problems, []);
  }

  /** Empties all windows, because they would go on to draw changes, and fails if errors happened in them. */
  async endTest(): Promise<void> {
    const used = [...this.#used];
    this.#used.clear();
    await Promise.all(used.map((window) => this.#leave(window)));
    this.assertQuiet();
  }

  /** The page keeps the rules of axe in light colours; in dark ones, the rules that colours matter to. */
  async assertAccessible(page: Page): Promise<void> {
    // Evaluated by the debugger of the browser, which the policy of the page does not bind. It stays until the next document.
    if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
    for (const [scheme, rules] of [['light'], ['dark', OF_COLOURS]] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      assert.deepEqual(await page.evaluate(violations, rules), [], `${page.url()} ${scheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  /** Nothing reaches over the edge on a phone. */
  async assertNarrow(page: Page, width = 360): Promise<void> {
    await page.setViewportSize({ width, height: 700 });
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.ok(overflow <= 0, `${page.url()} is ${overflow} pixels too wide`);
    const broken = `[...document.querySelectorAll('.header nav a')].filter((link) => link.offsetHeight > 40).map((link) => link.innerText)`;
    assert.deepEqual(await page.evaluate<string[]>(broken), [], `${page.url()}: words of the navigation take two lines`);
  }

  async #open(view: View): Promise<BrowserWindow> {
    const window = await BrowserWindow.open(this.#browser, view, this.url);
    this.#used.add(window);
    this.#watch(window);
    return window;
  }

  #reused(view: View): BrowserWindow | undefined {
    const found = [...this.#idle].find((window) => window.isLike(view));
    if (found) {
      this.#idle.delete(found);
      this.#used.add(found);
    }
    return found;
  }

  async #leave(window: BrowserWindow): Promise<void> {
    if (await window.reset()) this.#idle.add(window);
    else await window.context.close();
  }

  #watch(window: BrowserWindow): void {
    // Requests that the end of a test cuts off are no problem.
    const note = (problem: string) => void (this.#used.has(window) && this.#problems.push(problem));
    window.page.on('console', (message) => {
      if (message.type() === 'error') note(`${message.text()} ${message.location().url}`);
    });
    window.page.on('pageerror', (failure) => note(String(failure.stack)));
    window.context.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(this.url).origin) note(`a request to ${request.url()}`);
    });
  }
}

function viewOf({ width = 1280, scheme = 'light' }: Visitor): View {
  return { width, scheme };
}

const OF_COLOURS: readonly string[] = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
}

/** Runs in the browser. */
async function violations(rules: readonly string[] | undefined): Promise<{ id: string; nodes: string[] }[]> {
  const { axe } = globalThis as unknown as { axe: Axe };
  // Passed rules are not described, and nothing is fetched: both take longer than the rules, and no rule needs the latter.
  const options = { resultTypes: ['violations'], preload: false };
  const { violations: found } = await axe.run(rules === undefined ? options : { ...options, runOnly: { type: 'rule', values: rules } });
  return found.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`) }));
}

/** The folder of the built pages, those of the whole test run if it has built them. */
async function builtPages(): Promise<string> {
  const { TEST_BUILD: ofRun } = process.env;
  if (ofRun !== undefined) return join(ofRun, 'pages');
  const folder = mkdtempSync(join(tmpdir(), 'slipway-built-pages-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildPages(build, folder);
  return folder;
}

export async function signIn(page: Page, { name = 'admin', password = ADMIN_PASSWORD }: Visitor = {}): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
