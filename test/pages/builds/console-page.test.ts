// The console of a job in a real browser: long lines, the line in the address, and the colours that programs print.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { stage } from '../../builds/run-lab.ts';
import type { FakeAgent } from '../../support/builds/fake-agent.ts';
import { until } from '../../support/until.ts';
import { BrowserLab } from '../browser-lab.ts';
import { agentOf, begin } from './job-lab.ts';

let lab: BrowserLab;
let agent: FakeAgent;
const AT = '/tab/build/detail/web/1/build/1/compile';
const COLOURS = ['38;5;208', '38;2;250;250;90', '38:2::0:0:90', '48;5;22', '48;5;231', '7', '7;31', '7;92;44', '9', '4;9', '7;38;5;240'];
const OUTPUT = [
  '!!|09:30:00.000 Task: one',
  ...Array.from({ length: 300 }, (_, index) => `&1|09:30:01.000 line ${index}`),
  '?0|09:30:02.000 passed',
  '!!|09:30:03.000 Task: two',
  `&1|09:30:04.000 ${'long '.repeat(5_000)}`,
  ...COLOURS.map((codes) => `&1|09:30:05.000 \u001b[${codes}mcodes ${codes}\u001b[0m`),
  '&1|09:30:05.000 \u001b[35mbegins',
  '&1|09:30:05.000 goes on',
  '?0|09:30:06.000 passed',
];

before(async () => {
  lab = await BrowserLab.start();
  await lab.builds.pipeline('web', { stages: [stage('build', {}, ['compile'])] });
  await lab.builds.poll();
  await lab.builds.run('web', 1);
  agent = await agentOf(lab);
  const work = await begin(agent);
  await agent.print(work, `${OUTPUT.join('\n')}\n`);
  await agent.complete(work);
});
after(async () => {
  await agent?.stop();
  await lab?.stop();
});
afterEach(() => lab.endTest());

const log = (page: Page) => page.getByRole('log');

const number = (page: Page, line: number) => log(page).getByRole('link', { name: String(line), exact: true });
const isInSight = (page: Page, line: number) =>
  number(page, line).evaluate((link) => {
    const [row, box] = [link.getBoundingClientRect(), link.closest('.log')!.getBoundingClientRect()];
    return row.top >= box.top && row.bottom <= box.bottom;
  });

describe('the console of a job', () => {
  it('marks a text that a long line holds thousands of times', async () => {
    const page = await lab.visit(`${AT}#L304`);
    const long = log(page).locator('.log-row', { hasText: 'long long' });
    await long.waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('LO');
    await page.getByText('1 line', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    const marks = await long.locator('mark').allTextContents();
    assert.equal(marks.length, 200);
    assert.deepEqual(new Set(marks), new Set(['lo']));
    // Shown up to 20,000 bytes, and nothing of that is lost between the marks.
    assert.match((await long.locator('.log-text').textContent())!, /^(?:long ){3997}lo … \(the line goes on: see the file\)$/);
    await page.getByRole('searchbox', { name: 'Search in the console' }).fill('');
    await until('no marks', async () => (await log(page).locator('mark').count()) === 0);
    await long.waitFor();
  });

  it('goes to the line in the address, also when it changes later', async () => {
    const page = await lab.visit(AT);
    await number(page, 1).waitFor();
    await page.evaluate("location.hash = '#L100'");
    await until('line 100', async () => (await number(page, 100).count()) === 1 && (await isInSight(page, 100)));
    await log(page).locator('.is-selected', { hasText: 'line 98' }).waitFor();
    await page.getByRole('button', { name: 'Fold tasks' }).click();
    await page.getByText('(301 lines)').waitFor();
    await page.evaluate("location.hash = '#L200'");
    await until('line 200', async () => (await number(page, 200).count()) === 1 && (await isInSight(page, 200)));
    await page.goBack();
    await until('line 100 again', async () => (await number(page, 100).count()) === 1 && (await isInSight(page, 100)));
    await log(page).hover();
    await page.mouse.wheel(0, -20_000);
    await until('line 1', async () => (await number(page, 1).count()) === 1 && (await isInSight(page, 1)));
  });

  it('has an address for each line, for keys and for the mouse', async () => {
    const page = await lab.visit(AT);
    await page.getByText(`${OUTPUT.length} lines`).waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await log(page).locator('.is-selected', { hasText: 'line 0' }).waitFor();
    assert.equal(new URL(page.url()).hash, '#L2');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.waitForURL(`**${AT}#L1`);
    await page.getByRole('button', { name: 'Fold tasks' }).click();
    await page.getByText('(301 lines)').waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(`**${AT}#L303`); // the next line that is not folded away
    await page.getByRole('button', { name: 'Unfold tasks' }).click();
    await page.keyboard.press('j');
    await page.waitForURL(`**${AT}#L304`);
    const [other] = await Promise.all([page.context().waitForEvent('page'), number(page, 303).click({ modifiers: ['ControlOrMeta'] })]);
    assert.ok(other.url().endsWith(`${AT}#L303`), other.url());
    assert.equal(new URL(page.url()).hash, '#L304');
  });

  it('has colours that can be read, whatever a program prints', async () => {
    const page = await lab.visit(`${AT}#L310`);
    await log(page).locator('.ansi-3', { hasText: 'codes 38;5;208' }).waitFor();
    await log(page).locator('.ansi-1.ansi-inverse', { hasText: 'codes 7;31' }).waitFor();
    await log(page).locator('.ansi-struck', { hasText: 'codes 4;9' }).waitFor();
    await log(page).locator('.ansi-5', { hasText: 'goes on' }).waitFor();
    assert.equal(await log(page).locator('.ansi-5', { hasText: 'passed' }).count(), 0);
    await lab.assertAccessible(page);
    // Also where the search marks them.
    await page.keyboard.press('Control+f');
    await page.keyboard.type('codes 7');
    await until('marks', async () => (await log(page).locator('.ansi-inverse mark').count()) === 4);
    await lab.assertAccessible(page);
  });
});
