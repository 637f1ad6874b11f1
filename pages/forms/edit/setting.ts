// A setting for a plugin as the API has it, and how lists of them change.
import { type KeepsStored, STORED } from './unsent.ts';

export interface Setting extends KeepsStored {
  readonly key: string;
  readonly value?: string;
  readonly encrypted_value?: string;
}

/** The index of the setting with this key; -1: there is none. Letter case does not count. */
export function indexOfKey(settings: readonly Setting[], key: string): number {
  const wanted = key.toLowerCase();
  return settings.findIndex((setting) => setting.key.toLowerCase() === wanted);
}

/** The settings with this value; an empty value is left out, so that the default counts, unless its stored secret can be taken back. The other settings keep their order. */
export function withSetting(settings: readonly Setting[], { key, ...values }: Setting): readonly Setting[] {
  const at = indexOfKey(settings, key);
  const isEmpty = (values.value ?? '') === '' && values.encrypted_value === undefined && values[STORED] === undefined;
  if (at === -1) return isEmpty ? settings : [...settings, { key, ...values }];
  return isEmpty ? settings.toSpliced(at, 1) : settings.with(at, { key: settings[at]!.key, ...values });
}
