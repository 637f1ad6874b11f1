// Makes the pictures of the README: a real server with a real agent runs examples, and a browser takes pictures of its pages.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { ensureDebianPackages, findProgram } from '../test/support/services/debian.ts';

const root = join(import.meta.dirname, '..');
const pictures = join(root, 'docs', 'pictures');
const folder = mkdtempSync(join(tmpdir(), 'slipway-pictures-'));
const PASSWORD = 'pictures';
const PORT = 8157;
const URL_OF_SERVER = `http://127.0.0.1:${PORT}`;
const MAX_BYTES = 150_000;
const PATIENCE_MS = 120_000;
const SIZE = { width: 1200, height: 480 };

interface Example {
  readonly name: string;
  readonly group: string;
  readonly script: string;
  readonly after?: string;
}

const COMPILE = 'for file in cart order user; do echo "compiling $file.ts"; done; printf "\\033[32m42 tests passed\\033[0m\\n"';
const EXAMPLES: readonly Example[] = [
  { name: 'shop-web', group: 'shop', script: COMPILE },
  { name: 'shop-api', group: 'shop', script: `${COMPILE}; echo "order.test.ts: expected 3, got 2" >&2; exit 1` },
  { name: 'shop-release', group: 'shop', script: COMPILE, after: 'shop-web' },
  { name: 'mail-gateway', group: 'platform', script: COMPILE },
  { name: 'search-index', group: 'platform', script: COMPILE },
];

function run(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}

/** Agents run as another user, who has to be able to read it. */
function makeRepository(): string {
  const path = join(folder, 'code');
  const git = (...args: string[]) => run('git', ['-C', path, '-c', 'user.name=Maria', '-c', 'user.email=maria@example.org', ...args]);
  chmodSync(folder, 0o755);
  mkdirSync(path);
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(path, 'readme.md'), 'The shop.\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Count the items of an order');
  return path;
}

async function ask(method: string, path: string, body?: object): Promise<Response> {
  const headers = { Accept: 'application/vnd.svc+json', 'Content-Type': 'application/json', 'X-Svc-Confirm': 'true' };
  const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  return fetch(URL_OF_SERVER + path, {
    method,
    headers: { ...headers, Authorization: authorization },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(200)) if (await holds()) return;
  throw new Error(`It took too long: ${what}`);
}

async function addPipeline({ name, group, script, after }: Example, repository: string): Promise<void> {
  const stage = (stageName: string, job: string, text: string, approval?: object) => ({
    name: stageName,
    ...(approval && { approval }),
    jobs: [{ name: job, tasks: [{ type: 'exec', attributes: { command: 'sh', arguments: ['-c', text] } }] }],
  });
  const material = after
    ? { type: 'dependency', attributes: { pipeline: after, stage: 'build' } }
    : { type: 'git', attributes: { url: repository, branch: 'main' } };
  const stages = [stage('build', 'compile', script), stage('deploy', 'ship', 'true', { type: 'manual' })];
  const answer = await ask('POST', '/api/admin/pipelines', { group, pipeline: { name, materials: [material], stages } });
  if (!answer.ok) throw new Error(await answer.text());
  await ask('POST', `/api/pipelines/${name}/unpause`);
}

async function hasEnded({ name }: Example): Promise<boolean> {
  const answer = await ask('GET', `/api/stages/${name}/1/build/1`);
  return answer.ok && ['Passed', 'Failed'].includes(((await answer.json()) as { result: string }).result);
}

async function take(page: Page, address: string, ready: string, file: string): Promise<void> {
  await page.goto(URL_OF_SERVER + address);
  await page.locator(ready).first().waitFor();
  // Where something failed, readers look for the error.
  const nextError = page.getByRole('button', { name: 'Next error' });
  if (await nextError.isVisible()) await nextError.click();
  // Text below the lines in sight, and fonts, come a moment later.
  await delay(1000);
  const path = join(pictures, file);
  await page.screenshot({ path });
  const { size } = statSync(path);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}.`);
  process.stdout.write(`${path}: ${size} bytes\n`);
}

async function takeAll(): Promise<void> {
  const browser = await chromium.launch({ executablePath: (await findProgram('chromium-headless-shell'))!, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    await page.goto(`${URL_OF_SERVER}/auth/login`);
    await page.getByLabel('Name').fill('admin');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/pipelines');
    await take(page, '/pipelines', '.dashboard-row', 'dashboard.png');
    await take(page, '/tab/build/detail/shop-api/1/build/1/compile', '.log-row', 'job.png');
  } finally {
    await browser.close();
  }
}

await ensureDebianPackages(['chromium-headless-shell']);
run(process.execPath, [join(root, 'tools', 'build.mjs')]);
const settings = ['--data-dir', join(folder, 'data'), '--port', String(PORT), '--admin-password', PASSWORD, '--material-interval', '2'];
const server = spawn(process.execPath, [join(root, 'build', 'start.js'), ...settings], { stdio: 'ignore' });
try {
  await until('the start', async () => (await ask('GET', '/api/version').catch(() => undefined))?.ok ?? false);
  const repository = makeRepository();
  for (const example of EXAMPLES) await addPipeline(example, repository);
  for (const example of EXAMPLES) await until(`the run of ${example.name}`, () => hasEnded(example));
  await takeAll();
} finally {
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}
