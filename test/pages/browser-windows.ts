// The windows that the tests of a file use. A window that a test leaves is emptied for the next test:
// a new one starts a process of the browser, which reads and compiles the scripts of the pages again.
import type { Browser, BrowserContext, Disposable, Page } from 'playwright-core';

/** Slow machines run several browsers at once. */
const PATIENCE_MS = 60_000;
/** What an empty window shows. At `about:blank`, the browser would give it a new process. */
const SHORT_ANSWER = '/api/v1/health';

export interface View {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** Of a window that a test uses. */
interface Use {
  readonly page: Page;
  /** Runs before each document. */
  readonly preparation: Disposable;
}

export class BrowserWindows {
  readonly #browser: Browser;
  readonly #baseURL: string;
  readonly #note: (problem: string) => void;
  readonly #used = new Map<BrowserContext, Use>();
  readonly #free: Page[] = [];
  /** Windows with a clock of their own, which cannot be taken away again. */
  readonly #withClock = new Set<BrowserContext>();
  #uses = 0;

  constructor(browser: Browser, baseURL: string, note: (problem: string) => void) {
    this.#browser = browser;
    this.#baseURL = baseURL;
    this.#note = note;
  }

  /** Shows nothing yet. It has no cookies, and the pages find their storage empty but for a login. */
  async open({ width = 1280, scheme = 'light' }: View, isSignedIn: boolean): Promise<Page> {
    const page = this.#free.pop() ?? (await this.#create());
    await page.setViewportSize({ width, height: 800 });
    // With reduced motion, elements that fade in have their final contrast at once.
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    this.#watch(page);
    this.#uses++;
    this.#used.set(page.context(), { page, preparation: await page.addInitScript(preparation, [String(this.#uses), isSignedIn] as const) });
    return page;
  }

  async installClock(page: Page): Promise<void> {
    this.#withClock.add(page.context());
    await page.clock.install();
  }

  /** Empties all windows, because they would go on to draw changes. */
  async leave(): Promise<void> {
    const left = [...this.#used.values()];
    this.#used.clear();
    await Promise.all(left.map((use) => this.#empty(use)));
  }

  async close(): Promise<void> {
    const all = [...this.#used.keys(), ...this.#free.map((page) => page.context())];
    this.#used.clear();
    this.#free.length = 0;
    await Promise.all(all.map((context) => context.close()));
  }

  async #create(): Promise<Page> {
    const context = await this.#browser.newContext({ baseURL: this.#baseURL });
    context.setDefaultTimeout(PATIENCE_MS);
    context.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(this.#baseURL).origin) this.#noteIn(context, `a request to ${request.url()}`);
    });
    context.on('close', () => this.#used.delete(context));
    return context.newPage();
  }

  async #empty({ page, preparation }: Use): Promise<void> {
    const context = page.context();
    if (page.isClosed() || this.#withClock.has(context)) return context.close();
    const others = context.pages().filter((other) => other !== page);
    await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), preparation.dispose(), ...others.map((other) => other.close())]);
    await page.goto(`${this.#baseURL}${SHORT_ANSWER}`);
    await context.clearCookies();
    page.removeAllListeners();
    this.#free.push(page);
  }

  #watch(page: Page): void {
    const context = page.context();
    page.on('console', (message) => {
      if (message.type() === 'error') this.#noteIn(context, `${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (failure) => this.#noteIn(context, String(failure.stack)));
  }

  /** Requests that the end of a test cuts off are no problem. */
  #noteIn(context: BrowserContext, problem: string): void {
    if (this.#used.has(context)) this.#note(problem);
  }
}

/**
 * Runs in the browser before the scripts of each document, and prepares the storage before the first of a use: a logout lasts.
 * The pages ask for the current user only when a login is noted. Sandboxed files have no storage.
 */
function preparation([use, isSignedIn]: readonly [string, boolean]): void {
  // Reading `sessionStorage` throws where there is none.
  const page = globalThis as unknown as { readonly origin: string; readonly sessionStorage: Store; readonly localStorage: Store };
  if (page.origin === 'null' || page.sessionStorage.getItem('use') === use) return;
  page.localStorage.clear();
  page.sessionStorage.clear();
  page.sessionStorage.setItem('use', use);
  if (isSignedIn) page.localStorage.setItem('signed-in', 'yes');
}

interface Store {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  clear(): void;
}
