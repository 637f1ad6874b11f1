// Which materials are shown, the texts about them, and which rows of a long list are drawn.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchEntries } from '../../../pages/app/search-entries.ts';
import { heightOfList, topOfRow, windowOnto } from '../../../pages/kit/list/list-window.ts';
import {
  authorOf,
  type Material,
  outcomeOf,
  reasonOf,
  shortAddress,
  shortRevision,
  shownMaterials,
  titleOf,
} from '../../../pages/materials/material.ts';

function material(fingerprint: string, place: string, more: Partial<Material> = {}): Material {
  return {
    config: { type: 'git', fingerprint, attributes: { branch: 'main' } },
    place,
    details: [],
    can_trigger_update: true,
    pipelines: 1,
    material_update_in_progress: false,
    modification: null,
    messages: [],
    ...more,
  };
}

const FAILED = {
  level: 'ERROR',
  message: 'Modification check failed',
  description: "git ended with status 128: fatal: repository 'x' not found\nmore",
} as const;
const CHANGE = {
  revision: '0123456789abcdef0123456789abcdef01234567',
  username: 'Ann Other <ann@example.org>',
  modified_time: '',
  comment: 'Take the logo\n\nlong',
};

describe('a material', () => {
  it('is called by its name, or by the end of its address', () => {
    const named = material('a', 'https://x.example/a.git');
    assert.equal(titleOf({ ...named, config: { ...named.config, attributes: { name: 'sources' } } }), 'sources');
    assert.equal(titleOf(material('a', 'https://git.example.org/team/web.git/')), 'team/web');
    assert.equal(shortAddress('localhost:1666'), 'localhost:1666');
    assert.equal(shortAddress('/'), '/');
  });

  it('shows short revisions, names and reasons', () => {
    assert.equal(shortRevision(CHANGE.revision), '0123456789');
    assert.equal(shortRevision('1.2.3-SNAPSHOT-20260101120000'), '1.2.3-SNAPSHOT-20260101120000');
    assert.equal(authorOf(CHANGE.username), 'Ann Other');
    assert.equal(authorOf(null), 'unknown');
    assert.equal(reasonOf(FAILED.description), "repository 'x' not found");
  });
});

describe('the list of materials', () => {
  const all = [
    material('c', '/r/lib-10'),
    material('b', '/r/lib-9', { messages: [FAILED] }),
    material('a', '/r/web', { modification: CHANGE, details: [{ label: 'View', value: '//depot/web/...' }] }),
  ];
  const places = (search: string, onlyFailing = false) => shownMaterials(all, search, onlyFailing).map(({ place }) => place);

  it('is in the order of titles, numbers as numbers', () => {
    assert.deepEqual(places(''), ['/r/lib-9', '/r/lib-10', '/r/web']);
  });

  it('is searched in all shown texts, word by word', () => {
    assert.deepEqual(places('LIB git'), ['/r/lib-9', '/r/lib-10']);
    assert.deepEqual(places('logo ann'), ['/r/web']);
    assert.deepEqual(places('not found'), ['/r/lib-9']);
    assert.deepEqual(places('//depot'), ['/r/web']);
    assert.deepEqual(places('nothing like it'), []);
  });

  it('can be narrowed to materials with errors', () => {
    assert.deepEqual(places('', true), ['/r/lib-9']);
  });
});

describe('a poll that the user asked for', () => {
  const before = material('a', '/r/web', { modification: CHANGE });

  it('finds nothing, finds changes, or fails', () => {
    assert.deepEqual(outcomeOf(before, { ...before }), { kind: 'done', text: 'r/web: nothing new.' });
    const after = { ...before, modification: { ...CHANGE, revision: '7', comment: 'Fix it\nat last' } };
    assert.deepEqual(outcomeOf(before, after), { kind: 'done', text: 'r/web: 7 is new. Fix it' });
    assert.deepEqual(outcomeOf(before, { ...before, messages: [FAILED] }), {
      kind: 'failed',
      text: "r/web could not be polled: repository 'x' not found",
    });
  });
});

describe('the window onto a long list', () => {
  const closed = { count: 2_000, row: 28, open: undefined };
  const open = { ...closed, open: { index: 3, height: 500 } };

  it('holds the rows in sight and a few more', () => {
    assert.deepEqual(windowOnto(closed, { top: 0, bottom: 700 }), { first: 0, last: 31 });
    assert.deepEqual(windowOnto(closed, { top: 28_000, bottom: 28_700 }), { first: 994, last: 1031 });
    assert.deepEqual(windowOnto(closed, { top: 60_000, bottom: 60_700 }).last, 2_000);
    // A window without height, such as that of a hidden frame.
    assert.deepEqual(windowOnto(closed, { top: 0, bottom: -84 }, 0), { first: 0, last: 0 });
  });

  it('counts the open content below a row', () => {
    assert.equal(heightOfList(open), 2_000 * 28 + 500);
    assert.equal(topOfRow(3, open), 3 * 28);
    assert.equal(topOfRow(4, open), 4 * 28 + 500);
    // In the middle of the open content, its own row is drawn.
    const { first, last } = windowOnto({ ...open, open: { index: 50, height: 5_000 } }, { top: 51 * 28 + 2_000, bottom: 51 * 28 + 2_700 });
    assert.ok(first <= 50 && last > 50 && last < 65, `${first} to ${last}`);
    assert.deepEqual(windowOnto(open, { top: 28_500, bottom: 29_200 }), { first: 994, last: 1031 });
  });
});

describe('a result of the palette', () => {
  const entries = ['web', 'api-web', 'cobweb', 'website', 'deploy'].map((label) => ({
    label,
    hint: label === 'deploy' ? 'web shop' : undefined,
  }));
  const labels = (query: string, max = 10) => searchEntries(entries, query, max).map(({ label }) => label);

  it('is ordered by how well it fits', () => {
    assert.deepEqual(labels('web'), ['web', 'website', 'api-web', 'cobweb', 'deploy']);
    assert.deepEqual(labels('shop web'), ['deploy']);
    assert.deepEqual(labels('', 2), ['web', 'api-web']);
    const described = [{ label: 'Sources', about: 'A password file or an LDAP directory.' }, { label: 'ldap-sync' }];
    assert.deepEqual(
      searchEntries(described, 'ldap', 10).map(({ label }) => label),
      ['ldap-sync', 'Sources'],
    );
  });
});
