// A browser to measure with, and the pages in it: each in a context of its own, so that nothing is in its cache.
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { ensureDebianPackages, findProgram } from '../../../test/support/services/debian.ts';
import { memoryMb } from '../process.ts';

type StoredState = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface Window {
  readonly page: Page;
  readonly cdp: CDPSession;
  close(): Promise<void>;
}

const PATIENCE_MS = 120_000;

/** Notes when something is first drawn: `appeared['.selector']`, in milliseconds since the page was asked for. */
const WATCH = (selector: string) => `(() => {
  const note = () => {
    if (globalThis.appearedAt !== undefined || document.querySelector(${JSON.stringify(selector)}) === null) return;
    globalThis.appearedAt = -1;
    requestAnimationFrame(() => { globalThis.appearedAt = performance.now(); });
  };
  new MutationObserver(note).observe(document, { childList: true, subtree: true });
})()`;

export class MeasuringBrowser {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<MeasuringBrowser> {
    await ensureDebianPackages(['chromium-headless-shell']);
    const executablePath = (await findProgram('chromium-headless-shell'))!;
    // Measurements often run as root, where the sandbox does not work. Collecting garbage on request makes memory comparable.
    const args = ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'];
    return new MeasuringBrowser(await chromium.launch({ executablePath, args }));
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** `slowed`: how many times slower the processor seems to be. */
  async window(
    url: string,
    { stored, slowed = 1, watch }: { stored?: StoredState; slowed?: number; watch?: string } = {},
  ): Promise<Window> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: url, storageState: stored });
    context.setDefaultTimeout(PATIENCE_MS);
    // Set by a session; servers that stand in for ours have none.
    await context.addInitScript("try { localStorage.setItem('signed-in', 'yes') } catch {}");
    if (watch !== undefined) await context.addInitScript(WATCH(watch));
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    if (slowed > 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    return { page, cdp, close: () => context.close() };
  }

  /** The memory of the largest page there is, in megabytes, as the system sees it. */
  async largestPageMb(): Promise<number> {
    const cdp = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
    await cdp.detach();
    return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryMb(id)));
  }
}

/** Waits in the page until an expression holds. The pages forbid `eval`, which `waitForFunction` uses. */
export function until(page: Page, holds: string): Promise<void> {
  return page.evaluate<void>(`new Promise((resolve) => {
    const look = () => { if (${holds}) resolve(); else requestAnimationFrame(look); };
    look();
  })`);
}

/** Milliseconds until something was drawn that `window` was told to watch for. */
export async function appearance(page: Page): Promise<number> {
  await until(page, 'globalThis.appearedAt > 0');
  return page.evaluate<number>('globalThis.appearedAt');
}

/** The addresses of all requests of a page to its server so far, but the live stream, which never ends. */
export function fetched(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.includes('/api/live'))",
  );
}

/**
 * A page that only fetches the same and reads JSON where it is: the lower bound. Milliseconds since it was asked for, as for any page: until
 * the browser has a document in which a script can run, and from then on.
 */
export async function bareTime(page: Page, addresses: readonly string[]): Promise<number> {
  await page.addInitScript(`globalThis.bareTime = Promise.all(${JSON.stringify(addresses)}.map(async (address) => {
    const headers = address.includes('/api/') ? { Accept: 'application/vnd.svc+json' } : {};
    const answer = await fetch(address, { cache: 'no-store', headers });
    if ((answer.headers.get('content-type') ?? '').includes('json')) await answer.json();
    else await answer.arrayBuffer();
  })).then(() => performance.now())`);
  // Something small of the same server, which is no page.
  await page.goto('/api/session');
  return page.evaluate<number>('globalThis.bareTime');
}

/** How long frames took while something was done in the page: milliseconds between them. `work` is code that returns a promise. */
export function frames(page: Page, work: string): Promise<number[]> {
  return page.evaluate<number[]>(`(async () => {
    const times = [];
    let last = performance.now();
    let isOver = false;
    const frame = (now) => { times.push(now - last); last = now; if (!isOver) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    await (${work});
    isOver = true;
    return times.slice(2);
  })()`);
}
