// Reports of jobs, in a real browser: their style sheets, pictures and scripts work, and they can reach nothing else.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { isDue, shownView } from '../../../pages/job/report-view.ts';
import { EXPIRED, NO_VIEW } from '../../../src/api/endpoints/artifacts/view/docs.ts';
import { tokenOf } from '../../../src/api/endpoints/artifacts/view/token.ts';
import { openCipher } from '../../../src/kit/bytes/cipher.ts';
import { stage } from '../../builds/run-lab.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';
import { agentOf, begin, leave } from './job-lab.ts';

const AT = '/tab/build/detail/web/1/build/1/compile?tab=report:report';
const FOLDER = 'out/report';
const FILES = {
  [`${FOLDER}/index.html`]: `<!doctype html><title>Report</title><link rel="stylesheet" href="css/style.css">
    <h1>Report</h1><img id="picture" src="img/green.svg" alt="green"><p id="script"></p><p id="module"></p><p id="tried"></p>
    <a href="pages/more.html">More</a><script src="js/report.js"></script><script type="module" src="js/module.js"></script>`,
  [`${FOLDER}/css/style.css`]: 'h1 { color: rgb(0, 128, 0) }',
  [`${FOLDER}/img/green.svg`]:
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="green"/></svg>',
  [`${FOLDER}/js/report.js`]: `document.getElementById('script').textContent = 'script works';
    const tried = (what) => { document.getElementById('tried').textContent += what + '. '; };
    const loaded = (tag, src) => new Promise((done) => document.body.append(Object.assign(document.createElement(tag),
      { src, onload: () => done('loaded'), onerror: () => done('refused') })));
    (async () => {
      tried('fetch ' + await fetch('/api/current_user', { credentials: 'include' }).then((r) => r.status, () => 'refused'));
      tried('script ' + await loaded('script', '/api/current_user'));
      tried('own file ' + await loaded('img', '/files/web/1/build/1/compile/${FOLDER}/img/green.svg'));
      tried('file above ' + await loaded('img', '../above.svg'));
      try { tried('page ' + parent.document.title); } catch { tried('page refused'); }
    })();`,
  [`${FOLDER}/js/module.js`]: "import { word } from './word.js'; document.getElementById('module').textContent = word;",
  [`${FOLDER}/js/word.js`]: "export const word = 'module works';",
  [`${FOLDER}/pages/more.html`]: '<link rel="stylesheet" href="../css/style.css"><h1>More of it</h1>',
  'out/above.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>',
};

let lab: BrowserLab;
let job: number;
before(async () => {
  lab = await BrowserLab.start();
  const build = stage('build', {}, ['compile']);
  const jobs = [{ ...build.jobs[0], tabs: [{ name: 'report', path: `./${FOLDER}/index.html` }] }];
  await lab.builds.pipeline('web', { stages: [{ ...build, jobs }] });
  await lab.builds.poll();
  await lab.builds.run('web', 1);
  const agent = await agentOf(lab);
  const work = await begin(agent);
  job = work.job;
  await leave(agent, work, 'build', FILES);
  await agent.complete(work);
  await agent.stop();
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

/** The value of an expression in the frame. */
const inFrame = <T>(page: Page, expression: string) => page.frames()[1]!.evaluate<T>(expression);
const colourOf = (page: Page) => inFrame<string>(page, "getComputedStyle(document.querySelector('h1')).color");

/** The address of the report for a token. */
const addressFor = (token: string) => `/artifact_view/${token}/${FOLDER}/index.html`;

describe('a report', () => {
  it('has its style sheets, pictures and scripts, and cannot reach anything else', async () => {
    // The requests that it tries in vain.
    lab.expect(/api\/current_user|\/files\/web|above\.svg|connect-src/);
    const page = await lab.visit(AT);
    const frame = page.frameLocator('iframe');
    await frame.getByText('script works').waitFor();
    await frame.getByText('module works').waitFor();
    await frame.getByText('page refused').waitFor();
    assert.equal(
      (await frame.locator('#tried').textContent())?.trim(),
      'fetch refused. script refused. own file refused. file above refused. page refused.',
    );
    await until('the style sheet', async () => (await colourOf(page)) === 'rgb(0, 128, 0)');
    assert.equal(await inFrame<number>(page, "document.getElementById('picture').naturalWidth"), 30);
    await frame.getByRole('link', { name: 'More' }).click();
    await frame.getByRole('heading', { name: 'More of it' }).waitFor();
    await until('the style sheet', async () => (await colourOf(page)) === 'rgb(0, 128, 0)');
    await lab.assertNarrow(page);
  });

  it('can be opened alone', async () => {
    const page = await lab.visit(AT);
    const [alone] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Open it alone' }).click()]);
    await alone.getByText('script works').waitFor();
    assert.equal(await alone.evaluate<string>('origin'), 'null');
  });

  it('gets a new address before the old one ends, and not sooner', async () => {
    lab.expect(/api\/current_user|\/files\/web|above\.svg|connect-src/);
    const page = await lab.visit('/pipelines');
    await page.clock.install();
    await page.goto(AT);
    const frame = page.locator('iframe');
    const first = await frame.getAttribute('src');
    const given: string[] = [];
    await page.route('**/artifact_view?*', async (route) => {
      const answer = await route.fetch();
      const { url, ...more } = await answer.json();
      given.push(url);
      await route.fulfill({ response: answer, json: { url: `${url}?${given.length}`, ...more } });
    });
    await page.clock.runFor('45:00');
    assert.equal(await frame.getAttribute('src'), first);
    // One is given when the live connection opens: all that was read before is read again.
    assert.ok(given.length <= 1, given.join());
    await page.clock.runFor('10:00');
    await until('the new address', async () => (await frame.getAttribute('src')) !== first);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('is not shown with a token that is expired, forged or of an unknown user', async () => {
    lab.expect(/404|410/);
    const cipher = openCipher(join(lab.builds.server.dataDir, 'cipher.key'));
    const token = (userKey: string, expiresAt: number) =>
      tokenOf({ userKey, job, folder: FOLDER, expiresAt }, (text) => cipher.signAddress(text));
    const soon = Math.floor(Date.now() / 1000) + 60;
    const page = await lab.window();
    const shown = async (address: string) => {
      const answer = await page.goto(address);
      return [answer!.status(), await page.locator('body').innerText()];
    };
    assert.deepEqual(await shown(addressFor(token('admin', soon - 120))), [410, EXPIRED]);
    for (const wrong of [token('stranger', soon), token('admin', soon).replace(String(soon), String(soon + 60))])
      assert.deepEqual(await shown(addressFor(wrong)), [404, JSON.stringify({ message: NO_VIEW })]);
    assert.equal((await shown(addressFor(token('admin', soon))))[0], 200);
  });
});

describe('the address of a report', () => {
  it('stays as long as it works', () => {
    const minutes = (count: number) => count * 60_000;
    const [first, soon, late] = [1, 30, 51].map((count) => ({ url: `/${count}`, readAt: minutes(count) }));
    assert.equal(shownView(undefined, undefined), undefined);
    assert.equal(shownView(undefined, first), first);
    assert.equal(shownView(first, undefined), first);
    assert.equal(shownView(first, soon), first);
    assert.equal(shownView(first, late), late);
    assert.deepEqual([isDue(first!, minutes(50)), isDue(first!, minutes(51))], [false, true]);
  });
});
