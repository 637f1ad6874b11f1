// One browser for all test files of a process: starting one takes longer than many a test.
import { type Browser, chromium } from 'playwright-core';
import { ensureDebianPackages, findProgram } from '../support/services/debian.ts';

/** Tests often run as root, where the sandbox of the browser does not work, and seldom on machines with a graphics card. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-extensions', '--disable-background-networking'];
/** The next file of the process asks for it at once. */
const IDLE_MS = 2000;

let running: Promise<Browser> | undefined;
let users = 0;
let closing: NodeJS.Timeout | undefined;

export async function takeBrowser(): Promise<Browser> {
  clearTimeout(closing);
  users++;
  const browser = await (running ??= launch());
  if (browser.isConnected()) return browser;
  // It has crashed, which has failed the test that used it, and shall not fail those after it.
  running = launch();
  return running;
}

export function leaveBrowser(): void {
  users--;
  if (users === 0) closing = setTimeout(close, IDLE_MS);
}

async function launch(): Promise<Browser> {
  await ensureDebianPackages(['chromium-headless-shell']);
  return chromium.launch({ executablePath: (await findProgram('chromium-headless-shell'))!, args: FLAGS });
}

async function close(): Promise<void> {
  const last = await running;
  // A test that takes a browser from now on gets a new one.
  if (users > 0) return;
  running = undefined;
  await last?.close();
}
