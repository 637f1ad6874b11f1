// Checks a repository that a plugin watches, in a directory that is removed afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckResult } from '../../../contracts/plugins/package-repository.ts';
import type { SettingValues } from '../../../contracts/plugins/plugin.ts';
import type { PollTools } from '../../../contracts/plugins/poll-tools.ts';
import type { ScmPlugin } from '../../../contracts/plugins/scm.ts';
import type { MaterialRules } from '../../clients/client.ts';
import { pluginClient } from './client.ts';

/** `configured` are the settings with references to secrets as they are written. */
export async function checkPluginRepository(
  plugin: ScmPlugin,
  settings: SettingValues,
  configured: SettingValues,
  tools: PollTools,
  rules: MaterialRules,
): Promise<CheckResult> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-check-'));
  try {
    const material = { type: 'plugin', fingerprint: '', pluginId: plugin.id, settings, configured } as const;
    return await pluginClient(() => plugin).check(material, { ...tools, ...rules, directory });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
