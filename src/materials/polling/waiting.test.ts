import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenHg } from '../../../test/support/configuration/written-material.ts';
import type { Material } from '../catalogue/material.ts';
import { WaitingPolls } from './waiting.ts';

const UNUSED: Pick<Material, 'uses' | 'configRepos'> = { uses: [], configRepos: [] };

function schedule(url: string, more: { readonly dueAt?: number; readonly isDue?: boolean; readonly isRunning?: boolean } = {}) {
  const written = writtenHg(url);
  const material = {
    ...UNUSED,
    fingerprint: url,
    type: written.type,
    autoUpdate: true,
    written,
    definition: undefined,
    toPoll: assert.fail,
  };
  return { material, dueAt: 1, isDue: false, isRunning: false, ...more };
}

test('a poll that waits is reported after five minutes, with the polls that take the places', () => {
  const waiting = new WaitingPolls();
  const waits = schedule('waits', { isDue: true });
  const all = [
    waits,
    schedule('idle'),
    ...Array.from({ length: 12 }, (_, count) => schedule(`slow-${count}`, { isRunning: true, isDue: true })),
  ];
  for (let minute = 0; minute < 5; minute++) assert.equal(waiting.check(all), undefined);
  const wait = waiting.check(all);
  assert.match(wait!.detail, /^1 material is overdue by more than 5 minutes, .* - URL: slow-0; .*URL: slow-9 and 2 more$/);
  waits.isDue = false;
  assert.equal(waiting.check(all), undefined);
});

test('a material that was polled in between has not waited', () => {
  const waiting = new WaitingPolls();
  const often = schedule('often', { isDue: true });
  for (let minute = 0; minute < 20; minute++) {
    often.dueAt = Math.floor(minute / 3);
    assert.equal(waiting.check([often]), undefined);
  }
});
