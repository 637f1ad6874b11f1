// The search for a text in the history: its matches in values, texts that it must not find, and how much it looks at.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MAX_SEARCHED, searchText } from '../../src/history/text-search.ts';
import type { EntityNamed } from '../../src/shape/configuration.ts';
import { seal } from '../../src/shape/secrets/secret.ts';
import { type LoggedChange, type LoggedRevision, RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';

const END = Number.MAX_SAFE_INTEGER;
const AUTHOR = { actor: 'ann', token: null, address: null, reason: null };

let configuration: TestConfiguration;
before(async () => {
  configuration = await TestConfiguration.open();
});
after(() => configuration.close());

async function put(name: string, environmentVariables: EntityNamed<'environments'>['environmentVariables']): Promise<number> {
  const { config, changes } = configuration;
  await changes.apply(AUTHOR, (draft) => void draft.put(config.kind('environments'), name, { name, pipelines: [], environmentVariables }));
  return config.revision;
}

async function found(text: string): Promise<number[]> {
  const { config, database } = configuration;
  const parts = { log: new RevisionLog(database.query), kinds: config.kinds };
  const { revisions, next } = await searchText({ text, filter: {}, before: END, size: 50 }, parts);
  assert.equal(next, undefined);
  return revisions.map(({ revision }) => revision);
}

describe('a text is found', () => {
  test('a text is found in values that a revision set or removed, and not in those it left as they were', async () => {
    const created = await put('values', [{ name: 'REGION', value: 'Über "north"' }]);
    const other = await put('values', [
      { name: 'REGION', value: 'Über "north"' },
      { name: 'OTHER', value: 'x' },
    ]);
    const changed = await put('values', [
      { name: 'REGION', value: 'south' },
      { name: 'OTHER', value: 'x' },
    ]);
    assert.deepEqual(await found('über "NORTH'), [changed, created]);
    assert.deepEqual(await found('SOUTH'), [changed]);
    assert.deepEqual(await found('OTHER'), [other]);
    assert.deepEqual(await found('environmentVariables'), [], 'it is no value');
  });

  test('a text is found in ids and actors', async () => {
    const created = await put('some-id', []);
    assert.deepEqual(await found('SOME-id'), [created]);
    assert.equal((await found('ann')).length, configuration.config.revision);
  });
});

test('nothing stored of a secret is found by a search for a text', async () => {
  const value = seal('plain-text-91', configuration.cipher);
  await put('secret', [{ name: 'KEY', value }]);
  for (const text of ['plain-text-91', value.cipherText, value.digest.slice(0, 12), '(secret)', 'cipherText']) {
    assert.deepEqual(await found(text), [], text);
  }
});

describe('how much is looked at', () => {
  /** Revisions that change so many entities each, newest first, and that have the text nowhere. */
  function search(counts: readonly number[], value = '{}') {
    const revisions = counts.map((changeCount, index): LoggedRevision => {
      const facts = { time: '', actor: 'ann', token: null, address: null, reason: null, name: null };
      return { revision: counts.length - index, changeCount, ...facts };
    });
    const change = (revision: number, position: number): LoggedChange => {
      return { revision, position, operation: 'update', kind: 'environments', key: 'k', before: value, after: value, created: 1 };
    };
    let looked = 0;
    const log = {
      page: async (_: object, before: number, size: number) => {
        const rest = revisions.filter(({ revision }) => revision < before);
        return { revisions: rest.slice(0, size), next: rest.length > size ? rest[size - 1]!.revision : undefined };
      },
      having: async () => new Set<number>(),
      changes: async (revision: number, from: number, max: number) => {
        const { changeCount } = revisions.find((one) => one.revision === revision)!;
        const count = Math.max(0, Math.min(max, changeCount - from));
        looked += count;
        return Array.from({ length: count }, (_, index) => change(revision, from + index));
      },
    };
    const page = (before: number) =>
      searchText({ text: 'nowhere', filter: {}, before, size: 50 }, { log, kinds: configuration.config.kinds });
    return { page, looked: () => looked };
  }

  test('a page of a search looks at a limited number of revisions', async () => {
    const { page } = search(Array.from({ length: MAX_SEARCHED.revisions + 10 }, () => 0));
    const { revisions, next } = await page(END);
    assert.deepEqual([revisions, next], [[], 11]);
    assert.equal((await page(next!)).next, undefined);
  });

  test('a page of a search looks at a limited number of changes; a revision begun late is left to the next page', async () => {
    const { page, looked } = search([1500, 1500, 10]);
    assert.equal((await page(END)).next, 3);
    assert.ok(looked() <= MAX_SEARCHED.changes + 50);
    assert.equal((await page(3)).next, undefined);
  });

  test('a page of a search looks at a limited number of characters', async () => {
    const { page } = search([1, 1, 1], `"${'x'.repeat(MAX_SEARCHED.characters / 2)}"`);
    assert.equal((await page(END)).next, 3);
    assert.equal((await page(3)).next, 2);
  });

  test('a search looks only at the first changes of a revision that is too large', async () => {
    const { page, looked } = search([10_000, 5]);
    assert.equal((await page(END)).next, 2);
    assert.ok(looked() <= MAX_SEARCHED.changes + 50);
    assert.equal((await page(2)).next, undefined);
  });
});
