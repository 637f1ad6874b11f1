// The rules for the settings of an Amazon ECS agent that go beyond required settings.
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, isDecimal, isInteger, isTrue, mustNotBeBlank, readText } from '../../setting-values.ts';
import { ecsSizes, mustBeSizes, readBytes, SMALLEST_CONTAINER_BYTES } from './sizes.ts';

export function checkProfile(values: SettingValues): readonly SettingProblem[] {
  return [
    ...mustRead(values, 'Platform', isPlatform, 'Should be one of `linux`, `windows`.'),
    ...checkMemory(values),
    ...mustRead(values, 'CPU', isDecimal, 'must be number'),
    ...mustRead(values, 'BindMount', isJsonArray, 'There were errors parsing the BindMount JSON, check if the given JSON is valid.'),
    ...(isTrue(values, 'RunAsSpotInstance') ? checkSpotInstance(values) : []),
  ];
}

function isPlatform(text: string): boolean {
  return ['linux', 'windows'].includes(text.toLowerCase());
}

function checkMemory(values: SettingValues): readonly SettingProblem[] {
  const isWindows = readText(values, 'Platform').toLowerCase() === 'windows';
  return [
    ...mustBeSizes(ecsSizes, values, ['MaxMemory', 'ReservedMemory']),
    ...(isWindows ? [] : mustNotBeBlank(values, ['ReservedMemory'])),
    ...checkMaxMemory(values),
  ];
}

function checkMaxMemory(values: SettingValues): readonly SettingProblem[] {
  const key = 'MaxMemory';
  const max = readBytes(ecsSizes, values, key);
  const reserved = readBytes(ecsSizes, values, 'ReservedMemory');
  if (max === undefined) return [];
  if (max < SMALLEST_CONTAINER_BYTES) {
    return [{ key, message: `Invalid size: \`${readText(values, key)}\`. Minimum size for container to start is 4M` }];
  }
  return reserved !== undefined && reserved > max ? [{ key, message: 'Must be greater than or equal to `ReservedMemory`.' }] : [];
}

function checkSpotInstance(values: SettingValues): readonly SettingProblem[] {
  return [
    ...mustRead(values, 'SpotPrice', isDecimal, 'Error parsing Spot Price, should be a valid double.'),
    ...mustRead(values, 'SpotRequestExpiresAfter', isInteger, 'Error parsing Spot Request Expires After, should be a valid integer.'),
  ];
}

function mustRead(values: SettingValues, key: string, isReadable: (text: string) => boolean, message: string): readonly SettingProblem[] {
  return isBlank(values, key) || isReadable(readText(values, key)) ? [] : [{ key, message }];
}

function isJsonArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}
