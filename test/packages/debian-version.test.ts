// The order of Debian versions, compared with the one of dpkg itself.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { compareVersions } from '../../src/plugins/bundled/packages/debian-version.ts';
import { ensureDebianPackages } from '../support/services/debian.ts';

before(() => ensureDebianPackages(['dpkg']));

const VERSIONS = [
  '0',
  '0~',
  '0-0',
  '1',
  '1.0',
  '1.00',
  '1.0-0',
  '1.0~rc1',
  '1.0~~',
  '1.0a',
  '1.0+b1',
  '1.0-1',
  '1.0-1+deb12u1',
  '1.0-1~bpo12+1',
  '1.2.3-4-5',
  '1.9',
  '1.10',
  '1a',
  '1.a',
  '10000000000000000000000001',
  '0:1.0',
  '1:0.1',
  '2:0~',
  '1.0.4',
  '1.0z',
  '1.0Z',
  '20260131',
];

/** For each pair `lt`, `eq` or `gt`, as dpkg says. */
function orderByDpkg(pairs: readonly (readonly [string, string])[]): string[] {
  const script = 'while read -r a b; do for o in lt eq gt; do if dpkg --compare-versions "$a" $o "$b"; then echo $o; break; fi; done; done';
  const { stdout } = spawnSync('sh', ['-c', script], { input: pairs.map((pair) => `${pair.join(' ')}\n`).join(''), encoding: 'utf8' });
  return stdout.trim().split('\n');
}

function assertSameOrder(pairs: readonly (readonly [string, string])[]): void {
  const ours = pairs.map(([one, other]) => {
    const order = compareVersions(one, other);
    return order < 0 ? 'lt' : order > 0 ? 'gt' : 'eq';
  });
  const theirs = orderByDpkg(pairs);
  assert.deepEqual(
    pairs.map((pair, index) => [...pair, ours[index]]),
    pairs.map((pair, index) => [...pair, theirs[index]]),
  );
}

test('versions that people use are in the order of dpkg', () => {
  assertSameOrder(VERSIONS.flatMap((one, index) => VERSIONS.slice(index).map((other) => [one, other] as const)));
});

test('random versions are in the order of dpkg', () => {
  const piece = fc.stringMatching(/^[0-9a-zA-Z.+~]{0,6}$/);
  const version = fc
    .tuple(fc.constantFrom('', '0:', '1:', '23:'), fc.nat(30), piece, fc.constantFrom('', '-1', '-0', '-1~', '-a.1', '-1-2'))
    .map((parts) => parts.join(''));
  assertSameOrder(fc.sample(fc.tuple(version, version), 300));
});
