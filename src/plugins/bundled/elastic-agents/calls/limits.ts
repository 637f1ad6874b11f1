// Reads the limits of a cluster from its settings.
import type { SettingValues } from '../../../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../../../setting-values.ts';
import { ClusterFailure } from './cluster-failure.ts';

const MINUTE_MS = 60_000;
/** Maximum time, in minutes, that the key of an agent is valid. */
const MAX_MINUTES = 30;
const DEFAULT_MINUTES = 10;

/** Undefined: there is no limit. */
export function readCount(values: SettingValues, key: string): number | undefined {
  if (isBlank(values, key)) return undefined;
  const text = readText(values, key).trim();
  if (!/^\d{1,9}$/.test(text)) throw new ClusterFailure(`${key} of the cluster profile must be a whole number, and is '${text}'.`);
  return Number(text);
}

export function readRegisterTime(values: SettingValues, key = 'auto_register_timeout'): number {
  const minutes = readCount(values, key) ?? DEFAULT_MINUTES;
  return Math.min(Math.max(minutes, 1), MAX_MINUTES) * MINUTE_MS;
}
