// Reads memory sizes such as 512M, in the spelling each elastic agent plugin accepts.
import type { SettingProblem, SettingValues } from '../../../contracts/plugins/plugin.ts';
import { isBlank, readText } from '../../setting-values.ts';

export interface SizeSpelling {
  /** Its first group is the number, its second the unit. */
  readonly pattern: RegExp;
  /** Bytes per unit; units are in lower case. */
  readonly units: ReadonlyMap<string, number>;
}

export type SizeReading = { readonly bytes: number } | { readonly problem: string };

const MEGABYTE = 1024 ** 2;

/** Container engines do not start a container with less. */
export const SMALLEST_CONTAINER_BYTES = 4 * MEGABYTE;

const prefixes = [
  { letter: 'k', word: 'kilo', factor: 1024 },
  { letter: 'm', word: 'mega', factor: MEGABYTE },
  { letter: 'g', word: 'giga', factor: 1024 ** 3 },
  { letter: 't', word: 'tera', factor: 1024 ** 4 },
] as const;

const letterUnits = new Map<string, number>(prefixes.filter(({ letter }) => letter !== 'k').map(({ letter, factor }) => [letter, factor]));

const wordUnits = new Map<string, number>([
  ...['b', 'byte', 'bytes'].map((unit): [string, number] => [unit, 1]),
  ...prefixes.flatMap(({ letter, word, factor }) =>
    [letter, `${letter}b`, `${letter}ib`, `${word}byte`, `${word}bytes`].map((unit): [string, number] => [unit, factor]),
  ),
]);

const clusterUnits = new Map<string, number>([
  ...wordUnits,
  ['', 1],
  ...prefixes.map(({ letter, factor }): [string, number] => [`${letter}i`, factor]),
]);

export const dockerSizes: SizeSpelling = { pattern: /^(\d+(?:\.\d+)?)([a-z])$/i, units: letterUnits };
export const swarmSizes: SizeSpelling = { pattern: /^(\d+)\s*([a-z]+)$/i, units: wordUnits };
export const kubernetesSizes: SizeSpelling = { pattern: /^(\d+)\s*([a-z]*)$/i, units: clusterUnits };
export const ecsSizes: SizeSpelling = { pattern: /^(\d+(?:\.\d)?)\s*([a-z]+)$/i, units: wordUnits };

export function readSize(spelling: SizeSpelling, text: string): SizeReading {
  const [, amount, unit] = spelling.pattern.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return { problem: `Invalid size: ${text}` };
  const bytesPerUnit = spelling.units.get(unit.toLowerCase());
  if (bytesPerUnit === undefined) return { problem: `Invalid size: ${text}. Wrong size unit` };
  return { bytes: Number(amount) * bytesPerUnit };
}

/** The bytes of a setting, or undefined when it is blank or cannot be read. */
export function readBytes(spelling: SizeSpelling, values: SettingValues, key: string): number | undefined {
  const reading = readSize(spelling, readText(values, key));
  return 'bytes' in reading ? reading.bytes : undefined;
}

export function mustBeSizes(spelling: SizeSpelling, values: SettingValues, keys: readonly string[]): readonly SettingProblem[] {
  return keys.flatMap((key) => {
    if (isBlank(values, key)) return [];
    const reading = readSize(spelling, readText(values, key));
    return 'problem' in reading ? [{ key, message: reading.problem }] : [];
  });
}
