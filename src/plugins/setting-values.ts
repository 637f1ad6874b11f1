// Reads single settings of a plugin and words the problems that several plugins share.

import type { SettingField, SettingProblem, SettingValues } from '../contracts/plugins/plugin.ts';
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../kit/text/control-characters.ts';

/** An absent setting reads as empty. */
export function readText(values: SettingValues, key: string): string {
  return values.get(key) ?? '';
}

export function isBlank(values: SettingValues, key: string): boolean {
  return readText(values, key).trim() === '';
}

export function isTrue(values: SettingValues, key: string): boolean {
  return readText(values, key).toLowerCase() === 'true';
}

export function isInteger(text: string): boolean {
  return /^[+-]?\d+$/.test(text);
}

export function isDecimal(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text);
}

/** Fields that are neither required nor secret. */
export function plainFields(...keys: readonly string[]): readonly SettingField[] {
  return keys.map((key) => ({ key }));
}

export function mustNotBeBlank(values: SettingValues, keys: readonly string[]): readonly SettingProblem[] {
  return keys.filter((key) => isBlank(values, key)).map((key) => ({ key, message: blankMessage(key) }));
}

/** The path of a file on the server. */
export function mustBePath(values: SettingValues, key: string): readonly SettingProblem[] {
  return hasControlCharacter(readText(values, key)) ? [{ key, message: NO_CONTROL_CHARACTERS }] : [];
}

export function blankMessage(label: string): string {
  return `${label} must not be blank.`;
}

/** A blank setting stands for its default and is not checked. */
export function mustBeOneOf(values: SettingValues, key: string, choices: readonly string[]): readonly SettingProblem[] {
  if (isBlank(values, key) || choices.includes(readText(values, key))) return [];
  return [{ key, message: `Should be one of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` }];
}
