import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Material } from '../../catalogue/material.ts';
import { findByUuid } from './find-by-uuid.ts';

const A = 'aaaaaaaa-0000-0000-0000-000000000000';
const B = 'bbbbbbbb-0000-0000-0000-000000000000';
const material = (fingerprint: string) => ({ fingerprint }) as Material;
const signal = new AbortController().signal;

/** Servers that answer when `answer` is called. */
class Servers {
  readonly kept: Map<string, string>;
  readonly asked: string[] = [];
  readonly #waiting = new Map<string, (uuid: string | undefined) => void>();

  constructor(kept: Readonly<Record<string, string>> = {}) {
    this.kept = new Map(Object.entries(kept));
  }

  known({ fingerprint }: Material): string | undefined {
    return this.kept.get(fingerprint);
  }

  ask({ fingerprint }: Material): Promise<string | undefined> {
    this.asked.push(fingerprint);
    return new Promise((resolve) => this.#waiting.set(fingerprint, resolve));
  }

  async answer(fingerprint: string, uuid: string | undefined): Promise<void> {
    this.#waiting.get(fingerprint)!(uuid);
    await turn();
  }
}

function search(servers: Servers, ...names: readonly string[]) {
  const later: string[] = [];
  const state: { result?: { found: string[]; notQueried: string[] } } = {};
  const fingerprints = (materials: readonly Material[]) => materials.map(({ fingerprint }) => fingerprint);
  const finding = findByUuid(A.toUpperCase(), names.map(material), servers, { signal, onFoundLater: (one) => later.push(one.fingerprint) });
  const done = finding.then(({ found, notQueried }) => {
    state.result = { found: fingerprints(found), notQueried: fingerprints(notQueried) };
  });
  return { later, state, done };
}

test('a known repository need not be asked, and the search does not wait for the others, which count nevertheless', async () => {
  const servers = new Servers({ one: A, two: A, other: B });
  const { later, state, done } = search(servers, 'one', 'two', 'other', 'new', 'slow');
  await done;
  assert.deepEqual(state.result, { found: ['one', 'two'], notQueried: [] });
  assert.deepEqual(servers.asked, ['new', 'slow']);
  await servers.answer('new', A);
  await servers.answer('slow', undefined);
  assert.deepEqual(later, ['new']);
});

test('the first that is found is enough for an answer', async () => {
  const servers = new Servers({ other: B });
  const { later, state, done } = search(servers, 'other', 'dead', 'one', 'two');
  await servers.answer('dead', undefined);
  assert.ok(!('result' in state));
  await servers.answer('one', A);
  await done;
  assert.deepEqual(state.result?.found, ['one']);
  assert.deepEqual(servers.asked, ['dead', 'one', 'two']);
  await servers.answer('two', A);
  assert.deepEqual(later, ['two']);
});

test('a search asks first those repositories that were others the last time', async () => {
  const servers = new Servers({ replaced: B });
  const { state, done } = search(servers, 'replaced', 'new');
  await servers.answer('new', B);
  await servers.answer('replaced', A);
  await done;
  assert.deepEqual(state.result?.found, ['replaced']);
});

test('a search without a result names the repositories that could not be asked', async () => {
  const servers = new Servers({ known: B });
  const { state, done } = search(servers, 'known', 'dead', 'other');
  await servers.answer('dead', undefined);
  await servers.answer('other', B);
  await servers.answer('known', undefined);
  await done;
  assert.deepEqual(state.result, { found: [], notQueried: ['dead', 'known'] });
  const none = search(new Servers());
  await none.done;
  assert.deepEqual(none.state.result, { found: [], notQueried: [] });
});
