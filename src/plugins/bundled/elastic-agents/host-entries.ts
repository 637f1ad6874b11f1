// Checks lines of the form "IP-ADDRESS HOST-1 HOST-2", which become entries of a container's hosts file.
import { isIP } from 'node:net';
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { readText } from '../../setting-values.ts';

export function checkHostEntries(values: SettingValues, key: string, describe: (entry: string) => string): readonly SettingProblem[] {
  return readText(values, key)
    .split('\n')
    .map((line) => line.trim())
    .filter((entry) => entry !== '' && !isHostEntry(entry))
    .map((entry) => ({ key, message: describe(entry) }));
}

function isHostEntry(entry: string): boolean {
  const [address = '', ...hostNames] = entry.split(/\s+/);
  return isIP(address) !== 0 && hostNames.length > 0;
}
