// The units for systemd: systemd itself finds nothing wrong with them, and they stay as closed as the documentation says.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SETTINGS, variableOf } from '../../src/server/settings.ts';
import { ROOT } from './package-lab.ts';

const UNITS = { 'slipway-server.service': 1.6, 'slipway-agent.service': 2.4 } as const;
const folder = mkdtempSync(join(tmpdir(), 'slipway-units-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const skip = spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'systemd-analyze is not installed';

for (const [unit, max] of Object.entries(UNITS)) {
  const path = join(ROOT, 'deploy', 'systemd', unit);

  test(`${unit}: systemd-analyze verify accepts it`, { skip }, () => {
    // Slipway is not installed here, and a unit without its program is refused.
    const copy = join(folder, unit);
    writeFileSync(copy, readFileSync(path, 'utf8').replaceAll('/opt/slipway/bin/slipway', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', copy], { encoding: 'utf8' });
    const own = stderr.split('\n').filter((line) => line.includes(unit));
    assert.deepEqual([status, own], [0, []]);
  });

  test(`${unit}: its exposure is at most ${max}`, { skip }, () => {
    const output = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', path], { encoding: 'utf8' });
    const [, exposure = ''] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? [];
    assert.ok(exposure !== '' && Number(exposure) <= max, output);
  });
}

test('the units name only existing settings', () => {
  const known = new Set([...SETTINGS.map(({ flag }) => variableOf(flag)), 'SLIPWAY_SERVER', 'SLIPWAY_AGENT_KEY']);
  const texts = Object.keys(UNITS).map((unit) => readFileSync(join(ROOT, 'deploy', 'systemd', unit), 'utf8'));
  const named = texts.flatMap((text) => text.match(/SLIPWAY_[A-Z_]+/g) ?? []);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});
