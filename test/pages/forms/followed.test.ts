// Forms of settings follow what other users do, without a reload, and without taking away what is typed.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { BrowserLab } from '../browser-lab.ts';
import { controlOf } from './filler.ts';

const MAIL = '/api/config/mailserver';
const SETTINGS = { hostname: 'mail.example.org', port: 25, sender_email: 'slipway@example.org', admin_email: 'admin@example.org' };

const store = (id: string) => ({ id, plugin_id: 'cd.go.artifact.s3', properties: [{ key: 'S3Bucket', value: 'first' }] });

let lab: BrowserLab;
before(async () => {
  lab = await BrowserLab.start();
  lab.expect(/404 .*\/api\//);
});
after(() => lab?.stop());
afterEach(() => lab.endTest());

describe('settings that another user sets and removes', () => {
  it('are shown as they are, and what is typed is offered there', async () => {
    const page = await lab.visit('/admin/server_configuration/mailserver');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const host = page.getByLabel('Host name');
    await host.fill('typed.example.org');
    accepted(await lab.builds.post(MAIL, SETTINGS));
    await page.getByText('Another user has set this.').waitFor();
    await lab.assertAccessible(page);
    assert.equal(await host.inputValue(), 'typed.example.org');
    await button('Show it as it is now').click();
    await page.getByText('You have an unsaved draft').waitFor();
    await button('Discard').click();
    assert.equal(await host.inputValue(), 'mail.example.org');
    await button('Remove …').waitFor();
    assert.equal(await page.getByText('Another user').count(), 0);
    accepted(await lab.builds.server.ask('DELETE', MAIL, { headers: { 'X-Svc-Confirm': 'true' } }));
    await page.getByText('Another user has deleted this.').waitFor();
    await button('Remove …').waitFor({ state: 'detached' });
    await button('Show it as it is now').click();
    await page.getByText('Another user').waitFor({ state: 'detached' });
    assert.equal(await host.inputValue(), '');
  });

  it('can be removed as soon as they are set, where they have defaults', async () => {
    const page = await lab.visit('/admin/server_configuration/extensions');
    await page.getByRole('button', { name: 'Preview and save …' }).waitFor();
    const remove = page.getByRole('button', { name: 'Remove …' });
    assert.equal(await remove.count(), 0);
    const path = '/api/config/backup/extensions';
    const { json, etag } = await lab.builds.get(path);
    accepted(await lab.builds.server.put(path, { ...json, retention: { keep_last: 3, keep_days: null } }, etag));
    await remove.waitFor();
    await page.getByText('Another user has changed this.').waitFor();
  });
});

describe('an entity that another user deletes', () => {
  it('says so, and cannot be deleted once more', async () => {
    accepted(await lab.builds.post('/api/admin/artifact_stores', store('gone')));
    const page = await lab.visit('/admin/artifact_stores/gone');
    const remove = page.getByRole('button', { name: 'Delete …' });
    await remove.waitFor();
    accepted(await lab.builds.server.delete('/api/admin/artifact_stores/gone'));
    await page.getByText('Another user has deleted this.').waitFor();
    assert.equal(await remove.count(), 0);
  });

  it('does not call a change of one’s own that of another user', async () => {
    accepted(await lab.builds.post('/api/admin/artifact_stores', store('own')));
    const page = await lab.visit('/admin/artifact_stores/own');
    await controlOf(page.locator('main'), 'Bucket').fill('second');
    await page.getByRole('button', { name: 'Preview and save …' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved artifact store own/).waitFor();
    // A change of another entity, after which the page looks at this one.
    const looked = page.waitForResponse((answer) => answer.url().endsWith('/api/admin/artifact_stores/own'));
    accepted(await lab.builds.post('/api/admin/environments', { name: 'elsewhere' }));
    await looked;
    assert.equal(await page.getByText('Another user').count(), 0);
  });
});
