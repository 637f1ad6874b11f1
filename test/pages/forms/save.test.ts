// Saving without a browser: drafts, plans, conflicts, and where the pages of administrators are.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnsOf, entriesOf, foundEntries } from '../../../pages/admin/list.ts';
import { groupsOf } from '../../../pages/admin/overview-groups.ts';
import type { JsonObject } from '../../../pages/api/json.ts';
import { areaAt, isNewPage, pageOfAny, pageOfEntity, pageOfForm, pageOfNew } from '../../../pages/forms/areas.ts';
import { draftKey, dropDraft, keepDraft, readDraft } from '../../../pages/forms/drafts/drafts.ts';
import { offeredNames } from '../../../pages/forms/names/offered.ts';
import { conflictIn, sidesOf } from '../../../pages/forms/save/conflict.ts';
import { planIn } from '../../../pages/forms/save/plan.ts';
import { valueText } from '../../../pages/forms/save/value-text.ts';

class Store {
  readonly #kept = new Map<string, string>();
  getItem = (key: string): string | null => this.#kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.#kept.set(key, value);
  removeItem = (key: string): void => void this.#kept.delete(key);
}

describe('drafts', () => {
  const draft = { keptAt: 12, etag: 'e', body: { id: 'a' } };

  it('are kept, read and dropped, each user having their own', () => {
    const store = new Store();
    keepDraft(store, draftKey('ann', 'form'), draft);
    assert.deepEqual(readDraft(store, draftKey('ann', 'form')), draft);
    assert.equal(readDraft(store, draftKey('bob', 'form')), undefined);
    assert.notEqual(draftKey('ann x', 'y'), draftKey('ann', 'x y'));
    dropDraft(store, draftKey('ann', 'form'));
    assert.equal(readDraft(store, draftKey('ann', 'form')), undefined);
  });

  it('drafts that cannot be parsed are ignored, and a browser without storage is no failure', () => {
    const store = new Store();
    for (const text of ['{', '[]', '{"keptAt":1}', '{"body":{}}']) {
      store.setItem('key', text);
      assert.equal(readDraft(store, 'key'), undefined, text);
    }
    const refuse = () => {
      throw new Error('no room');
    };
    const full = { getItem: refuse, setItem: refuse, removeItem: refuse };
    keepDraft(full, 'key', draft);
    dropDraft(full, 'key');
    assert.equal(readDraft(full, 'key'), undefined);
  });
});

describe('a plan', () => {
  it('is the plan of the answer, or says that nothing changes', () => {
    assert.deepEqual(planIn({ id: 'a' }), { changes: [], affected: [] });
    const difference = { path: '/id', operation: 'replace', before: 'a', after: 'b', words: 'id changed' };
    const plan = planIn({
      _plan: {
        changes: [{ resource: 'auth_configs', id: 'staff', operation: 'update', differences: [difference] }],
        affected: [
          { resource: 'roles', id: 'a' },
          { resource: 'roles', id: 'b' },
        ],
      },
    });
    assert.deepEqual(plan.changes[0]?.differences, [difference]);
    assert.equal(plan.affected.length, 2);
  });
});

describe('a conflict', () => {
  it('shows each field as it was, as it is here and as it is there', () => {
    const change = (path: string, before: string, after: string) => ({ path, operation: 'replace', words: '', before, after });
    const conflict = conflictIn({
      message: 'stale',
      data: {
        base: { revision: 3 },
        changes: [],
        yours: [change('/a', '1', '2'), change('/rules/0/b', 'x', 'y')],
        theirs: [change('/a', '1', '3'), change('/c', 'p', 'q')],
        overlaps: [{ path: '/a', base: '1', yours: '2', theirs: '3' }],
        can_be_merged: false,
      },
    })!;
    assert.deepEqual(sidesOf(conflict), [
      { field: 'a', base: '1', yours: '2', theirs: '3', changedBy: 'both' },
      { field: 'rules › 1 › b', base: 'x', yours: 'y', theirs: 'x', changedBy: 'mine' },
      { field: 'c', base: 'p', yours: 'p', theirs: 'q', changedBy: 'theirs' },
    ]);
    const replaced = (after: string) => [
      { path: '/users/0', operation: 'remove' as const, words: '', before: 'ann' },
      { path: '/users/0', operation: 'add' as const, words: '', after },
    ];
    assert.deepEqual(sidesOf({ base: null, changes: [], yours: replaced('bob'), theirs: replaced('cid') }), [
      { field: 'users › 1', base: 'ann', yours: 'bob', theirs: 'cid', changedBy: 'both' },
    ]);
    assert.equal(conflictIn({ message: 'stale' }), undefined);
  });
});

describe('members of lists in a conflict', () => {
  const added = (name: string) => ({
    path: '/environment_variables/0',
    operation: 'add' as const,
    field: `environment variable '${name}'`,
    after: { name, value: 'low', secure: false },
    words: '',
  });

  it('have the names that they have in the preview, and only the same member is a conflict', () => {
    assert.deepEqual(sidesOf({ base: null, changes: [], yours: [added('A')], theirs: [added('B')], overlaps: [], can_be_merged: true }), [
      { field: "environment variable 'A'", base: '', yours: 'name: A\nvalue: low\nsecure: false', theirs: '', changedBy: 'mine' },
      { field: "environment variable 'B'", base: '', yours: '', theirs: 'name: B\nvalue: low\nsecure: false', changedBy: 'theirs' },
    ]);
  });

  it('are found by their names where others have moved them, and shown as removed', () => {
    const timeout = (path: string, after: number) => ({
      path,
      operation: 'replace' as const,
      field: "job 'x', timeout",
      before: 1,
      after,
      words: '',
    });
    const gone = { path: '/jobs/1', operation: 'remove' as const, field: "job 'y'", before: { name: 'y', tasks: [] }, words: '' };
    const yours = [timeout('/jobs/0/timeout', 2), gone];
    assert.deepEqual(sidesOf({ base: null, changes: [], yours, theirs: [timeout('/jobs/3/timeout', 3)] }), [
      { field: "job 'x', timeout", base: '1', yours: '2', theirs: '3', changedBy: 'both' },
      { field: "job 'y'", base: 'name: y', yours: 'removed', theirs: 'name: y', changedBy: 'mine' },
    ]);
  });

  it('members of lists in a conflict that both have changed can be merged where the server says so', () => {
    const order = (after: string[]) => ({
      path: '/stages',
      operation: 'move' as const,
      field: 'stages',
      before: ['a', 'b'],
      after,
      words: '',
    });
    const conflict = { base: null, changes: [], yours: [order(['b', 'a'])], theirs: [order(['a', 'b', 'c'])], can_be_merged: true };
    assert.equal(sidesOf(conflict)[0]?.changedBy, 'merged');
  });

  it('are shown in words', () => {
    const tasks = [{ type: 'exec', attributes: { command: 'make', arguments: ['a', 'b'], run_if: [] } }];
    assert.equal(
      valueText({ name: 'x', tasks, resources: [], jobs: [{ name: 'one' }, { name: 'two' }] }),
      'name: x\ntasks: type: exec, command: make, arguments: a; b\njobs: one; two',
    );
    assert.equal(valueText(['a', 'b']), 'a; b');
  });
});

describe('pages', () => {
  const form = (resource: string, path: string, isSingleton = false) => ({ resource, path, is_singleton: isSingleton });
  const forms = [
    form('artifact_stores', '/api/admin/artifact_stores'),
    form('auth_configs', '/api/admin/security/auth_configs'),
    form('profiles', '/api/elastic/profiles'),
    form('mailserver', '/api/config/mailserver', true),
    form('system_admins', '/api/admin/security/system_admins', true),
    form('made_up', '/api/things/made_up'),
  ];

  it('have the addresses that people know, or addresses by rule', () => {
    assert.deepEqual(forms.map(pageOfForm), [
      '/admin/artifact_stores',
      '/admin/security/auth_configs',
      '/admin/elastic_agent_configurations',
      '/admin/server_configuration/mailserver',
      '/admin/security/system_admins',
      '/admin/things/made_up',
    ]);
  });

  it('tell a new entity from an entity called new', () => {
    const [stores] = forms;
    assert.equal(pageOfNew(stores!), '/admin/artifact_stores/new');
    assert.equal(pageOfEntity(stores!, 'new'), '/admin/artifact_stores/new?id=new');
    assert.ok(isNewPage('new', '?at=3'));
    assert.ok(!isNewPage('new', '?id=new'));
    assert.ok(!isNewPage('other', ''));
  });

  it('are those of entities of any kind, where the user may see them', () => {
    const viewed = [...forms, form('pipelines', '/api/admin/pipelines'), form('pipeline_groups', '/api/admin/pipeline_groups')];
    const page = (resource: string, id: string, canView = true) =>
      pageOfAny(
        { resource, id },
        viewed.map((one) => ({ ...one, can_view: canView })),
      );
    assert.equal(page('profiles', 'a b'), '/admin/elastic_agent_configurations/a%20b');
    assert.equal(page('system_admins', ''), '/admin/security/system_admins');
    assert.equal(page('pipelines', 'web'), '/admin/pipelines/web/edit');
    assert.equal(page('pipeline_groups', 'the shop'), '/admin/pipelines?q=the+shop');
    assert.equal(page('pipelines', 'web', false), undefined);
    assert.equal(page('not_known', 'x'), undefined);
  });

  it('stand in groups, and entries that no group names at the end', () => {
    const entry = (title: string, resource?: string) => ({ title, about: '', href: `/admin/${title}`, ...(resource && { resource }) });
    const groups = groupsOf([entry('Made up', 'made_up'), entry('Roles', 'roles'), entry('users'), entry('Pipelines', 'pipelines')]);
    assert.deepEqual(
      groups.map(({ title, entries }) => [title, ...entries.map((one) => one.title)]),
      [
        ['Pipelines', 'Pipelines'],
        ['Security', 'users', 'Roles'],
        ['More', 'Made up'],
      ],
    );
  });

  it('show a list, or an entity of it by its name', () => {
    const [stores] = forms;
    assert.deepEqual(areaAt('/admin/artifact_stores/', forms), { form: stores, name: undefined });
    assert.deepEqual(areaAt(pageOfEntity(stores!, 'a/b c'), forms), { form: stores, name: 'a/b c' });
    assert.equal(areaAt('/admin/artifact_storesx', forms), undefined);
    assert.deepEqual(areaAt('/admin/artifact_stores/%', forms)?.name, '%');
  });
});

describe('a list', () => {
  const members = { id_field: 'id', address_field: 'id', name_field: 'name' };
  const entities: readonly JsonObject[] = [
    { _links: {}, id: '1', name: 'tools', rules: [1, 2], auto_update: true, plugin: { id: 'git' }, empty: null, origin: { type: 'svc' } },
    { id: '2', name: 'other', auto_update: false, origin: { type: 'config_repo', id: 'team' } },
  ];

  it('has two facts of each entity, and where it comes from', () => {
    const columns = columnsOf(entities, members);
    assert.deepEqual(columns, ['auto_update', 'plugin']);
    assert.deepEqual(columnsOf([{ id: '1', rules: [] }], members), ['rules']);
    const entries = entriesOf(entities, members, columns);
    assert.deepEqual(entries[0], { address: '1', name: 'tools', facts: ['yes', 'git'], repo: undefined });
    assert.equal(entries[1]?.repo, 'team');
    assert.deepEqual(
      foundEntries(entries, 'no OTHER').map(({ name }) => name),
      ['other'],
    );
  });
});

describe('names', () => {
  const names = [{ id: 'staff', hint: 'ldap' }, { id: 'guests' }];

  it('are narrowed by the typed text, and all are offered once a whole name is typed', () => {
    const offered = (typed: string) => offeredNames(names, typed).map(({ key }) => key);
    assert.deepEqual(offered(''), ['staff', 'guests']);
    assert.deepEqual(offered('LDA'), ['staff']);
    assert.deepEqual(offered('guests'), ['guests', 'staff']);
    assert.deepEqual(offered('x'), []);
  });
});
