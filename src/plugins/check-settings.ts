// Checks the settings given for one block of a plugin: the rules all plugins share, then the plugin's own.
import type { ServerFacts, SettingProblem, SettingsBlock, SettingValues } from '../contracts/plugins/plugin.ts';
import { blankMessage, isBlank } from './setting-values.ts';

export function checkSettings(block: SettingsBlock, values: SettingValues, server: ServerFacts): SettingProblem[] {
  return withoutDuplicates([...findBlanks(block, values), ...findUnknownKeys(block, values), ...(block.check?.(values, server) ?? [])]);
}

const ANY_SERVER: ServerFacts = { contextPath: '', secureSiteUrl: undefined };

/** The settings that cannot be left empty, whether the fields say so or only the check of the plugin does. */
export function neededKeys(block: SettingsBlock): ReadonlySet<string> {
  return new Set(checkSettings(block, new Map(), ANY_SERVER).map(({ key }) => key));
}

function findBlanks(block: SettingsBlock, values: SettingValues): readonly SettingProblem[] {
  return block.fields
    .filter((field) => field.required && isBlank(values, field.key))
    .map((field) => ({ key: field.key, message: blankMessage(field.label ?? field.key) }));
}

function findUnknownKeys(block: SettingsBlock, values: SettingValues): readonly SettingProblem[] {
  const message = block.unknownKey;
  if (message === undefined) return [];
  const knownKeys = new Set(block.fields.map((field) => field.key));
  return [...values.keys()].filter((key) => !knownKeys.has(key)).map((key) => ({ key, message }));
}

function withoutDuplicates(problems: readonly SettingProblem[]): SettingProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify([problem.key, problem.message]), problem])).values()];
}
