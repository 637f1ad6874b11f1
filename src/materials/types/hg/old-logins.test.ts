import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { removeOldLogins } from './old-logins.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-old-logins-'));
after(() => rmSync(directory, { recursive: true }));

test('files with logins that were left behind are removed, and nothing else', async () => {
  mkdirSync(join(directory, 'material', 'mirror.hg', '.hg'), { recursive: true });
  const file = (...path: string[]) => {
    writeFileSync(join(directory, ...path), '[auth]');
    return join(directory, ...path);
  };
  const old = file('material', `hgrc-${randomUUID()}`);
  const others = [file('material', 'hgrc-notes'), file(`hgrc-${randomUUID()}`), file('material', 'mirror.hg', '.hg', 'hgrc')];
  await removeOldLogins(directory);
  assert.ok(!existsSync(old));
  assert.deepEqual(
    others.filter((other) => !existsSync(other)),
    [],
  );
});

test('a missing directory has no logins to remove', () => removeOldLogins(join(directory, 'missing')));
