// The targets of the palette: every page, and only actions that the user may do.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { actionTargets, type Pipeline, pageTargets, pipelineActions, type Target } from '../../../pages/app/palette-targets.ts';
import type { FormFacts } from '../../../pages/forms/schema/schema.ts';

const FORM: FormFacts = {
  resource: 'artifact_stores',
  title: 'Artifact stores',
  singular: 'artifact store',
  about: 'A place outside the server.',
  is_singleton: false,
  is_set: null,
  path: '/api/admin/artifact_stores',
  version: 1,
  id_field: 'id',
  address_field: 'id',
  name_field: 'id',
  list_key: 'artifact_stores',
  can_view: true,
  can_create: true,
  can_delete: true,
  can_rename: false,
  has_usages: null,
};
const ADMIN = { isAdmin: true, can: {} };
const VIEWER = {
  isAdmin: false,
  can: { view_admin: false, administer_pipelines: false, view_config_repos: true, manage_access_tokens: true },
};
const labelsOf = (targets: readonly Target[]) => targets.map(({ label }) => label);
const hrefsOf = (targets: readonly Target[]) => targets.flatMap(({ action }) => (action.is === 'open' ? [action.href] : []));

describe('pages', () => {
  const textOf = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
  const pages = [...textOf('pages/app/routes.tsx').matchAll(/path="([^":*]+)"/g)].map(([, path]) => path!);

  it('are all offered to an administrator, each once', () => {
    assert.ok(pages.length > 20);
    const all = [
      ...pageTargets(ADMIN, []),
      ...actionTargets(ADMIN, [{ ...FORM, resource: 'pipelines', path: '/api/admin/pipelines' }], []),
    ];
    // The history page of an entity needs its name.
    const lacking = pages.filter((page) => !hrefsOf(all).includes(page) && page !== '/admin/changes/entity' && !page.endsWith('repos/new'));
    assert.deepEqual(lacking, []);
    const hrefs = hrefsOf(pageTargets(ADMIN, [FORM, { ...FORM, resource: 'webhooks', path: '/api/admin/webhooks' }]));
    assert.equal(new Set(hrefs).size, hrefs.length);
    assert.ok(hrefs.includes('/admin/artifact_stores'));
  });

  it('are all in the documentation; a part of one is documented with it', () => {
    const rows = [...textOf('docs/pages.md').matchAll(/^\|[^|]+\| `([^`]+)` \|/gm)].map(([, path]) => path!);
    const isDocumented = (page: string) => rows.some((row) => page === row || (row !== '/admin' && page.startsWith(`${row}/`)));
    assert.deepEqual(
      pages.filter((page) => !isDocumented(page)),
      [],
    );
  });

  it('pages of administrators are not offered to other users', () => {
    const labels = labelsOf(pageTargets(VIEWER, [{ ...FORM, can_view: false }]));
    assert.ok(labels.includes('Pipelines') && labels.includes('Access tokens'));
    for (const none of ['Admin', 'Users', 'Backups', 'Changes', 'Edit pipelines and groups', 'Artifact stores']) {
      assert.ok(!labels.includes(none), none);
    }
  });
});

describe('actions', () => {
  it('are offered only where the server would not refuse them', () => {
    const commands = [{ label: 'Sign out', run: () => undefined }];
    const admin = labelsOf(actionTargets(ADMIN, [FORM], commands));
    for (const one of ['Add artifact store', 'Make a backup', 'Switch maintenance mode on or off', 'Sign out'])
      assert.ok(admin.includes(one), one);
    assert.deepEqual(labelsOf(actionTargets(VIEWER, [{ ...FORM, can_create: false }], commands)), ['Make an access token', 'Sign out']);
  });

  it('actions on a pipeline or a group lead to the list of pipelines, for those who administer some', () => {
    const lead = { isAdmin: false, can: { administer_pipelines: true, manage_access_tokens: false } };
    const targets = actionTargets(lead, [], []);
    assert.ok(hrefsOf(targets).every((href) => href === '/admin/pipelines'));
    for (const one of ['Clone a pipeline', 'Export a pipeline', 'Extract a template', 'Give rights to a pipeline group'])
      assert.ok(labelsOf(targets).includes(one), one);
  });

  it('lead to the list where the list has the button', () => {
    const group = { ...FORM, resource: 'pipeline_groups', singular: 'pipeline group', path: '/api/admin/pipeline_groups' };
    const [added, inList] = actionTargets(ADMIN, [FORM, group], []);
    assert.deepEqual(hrefsOf([added!, inList!]), ['/admin/artifact_stores/new', '/admin/pipelines']);
  });
});

describe('actions on pipelines', () => {
  const pipeline = (name: string, may: Partial<Pipeline> = {}): Pipeline => ({
    name,
    group: 'shop',
    canAdminister: true,
    canOperate: true,
    canPause: true,
    ...may,
  });
  const names = [pipeline('web'), pipeline('api', { canOperate: false, canPause: false, canAdminister: false })];

  it('are found by the action and a part of the name, in either order', () => {
    assert.deepEqual(labelsOf(pipelineActions(names, 'run we')), ['Run web', 'Run web with options …']);
    assert.deepEqual(labelsOf(pipelineActions(names, 'web pau')), ['Pause web …']);
    assert.deepEqual(labelsOf(pipelineActions(names, 'unp')), ['Unpause web']);
    assert.deepEqual(labelsOf(pipelineActions(names, 'unlock')), ['Unlock web']);
    assert.deepEqual(labelsOf(pipelineActions(names, 'edit')), ['Edit web']);
    assert.deepEqual(labelsOf(pipelineActions(names, 'compare web')), ['Compare runs of web']);
  });

  it('are offered only by the word of an action, and only where the server would not refuse them', () => {
    for (const query of ['', 'web', 'r', 'run api', 'pause api', 'unlock api', 'edit api'])
      assert.deepEqual(pipelineActions(names, query), [], query);
  });
});
