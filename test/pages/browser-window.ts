// A window of a browser that tests use one after the other: to open one takes longer than many a test.
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface View {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

/** Slow machines run several browsers at once. */
const PATIENCE_MS = 60_000;

/** Of the server itself: for a document of another origin, the browser starts another process. */
const SMALL_DOCUMENT = '/api/v1/health';

export class BrowserWindow {
  readonly page: Page;
  readonly #view: View;
  /** Stops what each document of the current user runs first. */
  #endVisit: (() => Promise<void>) | undefined;
  #visits = 0;

  private constructor(page: Page, view: View) {
    this.page = page;
    this.#view = view;
  }

  static async open(browser: Browser, view: View, baseURL: string): Promise<BrowserWindow> {
    const context = await browser.newContext({ viewport: sizeOf(view), ...coloursOf(view), baseURL });
    context.setDefaultTimeout(PATIENCE_MS);
    return new BrowserWindow(await context.newPage(), view);
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  isLike({ width, scheme }: View): boolean {
    return this.#view.width === width && this.#view.scheme === scheme;
  }

  /** Lets the next document find what a browser has stored in which somebody has just signed in. */
  async startVisit(): Promise<void> {
    const script = await this.page.addInitScript({ content: noteLogin(++this.#visits) });
    this.#endVisit = () => script.dispose();
  }

  /** Leaves nothing of a visit for the next one. False: it cannot be used again. */
  async reset(): Promise<boolean> {
    if (this.#endVisit === undefined || this.page.isClosed()) return false;
    const others = this.context.pages().filter((page) => page !== this.page);
    await Promise.all([this.#endVisit(), this.page.unrouteAll(), ...others.map((page) => page.close())]);
    try {
      await this.page.goto(SMALL_DOCUMENT);
    } catch {
      return false; // the test has stopped the server
    }
    await this.context.clearCookies();
    await this.page.setViewportSize(sizeOf(this.#view));
    await this.page.emulateMedia(coloursOf(this.#view));
    await this.page.mouse.move(0, 0);
    return true;
  }
}

const sizeOf = ({ width }: View) => ({ width, height: 800 });
// With reduced motion, elements that fade in have their final contrast at once.
const coloursOf = ({ scheme }: View) => ({ colorScheme: scheme, reducedMotion: 'reduce' }) as const;

/** The pages ask for the current user only when a login is noted. Once for a visit: a logout lasts. Sandboxed files have no storage. */
const noteLogin = (visit: number) => `if (origin !== 'null' && sessionStorage.visit !== '${visit}') {
  localStorage.clear();
  sessionStorage.clear();
  sessionStorage.visit = '${visit}';
  localStorage['signed-in'] = 'yes';
}`;
