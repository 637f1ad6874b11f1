import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { mustBeOpen } from './closed-ground.ts';

const root = mkdtempSync(join(tmpdir(), 'slipway-ground-'));
const closedTo = join(root, 'data');
const directory = join(closedTo, 'pipelines', 'one');
const outside = join(root, 'data-outside');
mkdirSync(directory, { recursive: true });
mkdirSync(outside);
symlinkSync(closedTo, join(outside, 'link'));
after(() => rmSync(root, { recursive: true }));

const REFUSED = /^Error: The address leads into the data directory of this server\.$/;

test('no way leads into the directory', () => {
  const ways = [
    closedTo,
    `${closedTo}/`,
    join(closedTo, 'history.git'),
    join(outside, 'link', 'pipelines'),
    `${outside}/../data/x`,
    '../two/mirror.git',
    'mirror.git',
    `file://${closedTo}/x`,
    `file:${closedTo}/x`,
    `FILE://localhost${closedTo}/x`,
    `file://${closedTo.replace(basename(closedTo), '%64ata')}/x`,
    `file://${closedTo.slice(1)}/x`,
  ];
  for (const url of ways) assert.throws(() => mustBeOpen(url, { closedTo, directory }), REFUSED, url);
});

test('other addresses do not matter', () => {
  for (const url of [
    outside,
    `${outside}/x`,
    `file://${outside}`,
    `file://localhost${outside}`,
    `${root}/..data`,
    `https://host${closedTo}`,
    `git@host:${closedTo}`,
    'file://%zz',
  ]) {
    mustBeOpen(url, { closedTo, directory });
  }
  mustBeOpen(closedTo, { directory });
});
