// Settings of a plugin: keys with values. The declarations of the plugin are known only while the form is open.
import { type Signal, signal } from '@preact/signals';
import { isObject, type Json, textOf } from '../../api/json.ts';
import type { DeclaredSetting } from './declared.ts';
import { looksSecret } from './looks-secret.ts';

export interface Setting {
  /** Unique among the settings of a form. */
  readonly id: number;
  readonly key: Signal<string>;
  /** The label that the plugin declares; undefined: it has only its key. */
  readonly label: Signal<string | undefined>;
  readonly encrypted: string | undefined;
  /** undefined: nothing; where there is an encrypted value, that stays. */
  readonly typed: Signal<string | undefined>;
  readonly isSecret: Signal<boolean>;
  readonly problems: Signal<readonly string[]>;
  /** The server sent it or the user typed it: it is not only declared by the plugin. */
  readonly isGiven: boolean;
}

let lastId = 0;

export function settingsIn(value: Json | undefined): Setting[] {
  return (Array.isArray(value) ? value : []).filter(isObject).map(({ key, value: plain, encrypted_value: encrypted }) => ({
    ...emptySetting(textOf(key), true),
    encrypted: typeof encrypted === 'string' ? encrypted : undefined,
    typed: signal(plain === undefined || plain === null ? undefined : textOf(plain)),
    isSecret: signal(typeof encrypted === 'string' || looksSecret(textOf(key))),
  }));
}

export function emptySetting(key: string, isGiven: boolean): Setting {
  return {
    id: ++lastId,
    key: signal(key),
    label: signal<string | undefined>(undefined),
    encrypted: undefined,
    typed: signal<string | undefined>(undefined),
    isSecret: signal(looksSecret(key)),
    problems: signal<readonly string[]>([]),
    isGiven,
  };
}

/** The first one with the key of a declared setting. */
export function settingOf(settings: readonly Setting[], { key: declaredKey }: DeclaredSetting): Setting | undefined {
  return settings.find(({ key }) => key.value.toLowerCase() === declaredKey.toLowerCase());
}

/** With a place for each setting that the plugin takes, and without those that another plugin would have taken. */
export function withDeclared(settings: readonly Setting[], declared: readonly DeclaredSetting[]): readonly Setting[] {
  const declaredSettings = declared.map((one) => {
    const setting = settingOf(settings, one) ?? emptySetting(one.key, false);
    setting.isSecret.value = one.isSecret || setting.encrypted !== undefined;
    setting.label.value = one.label;
    return setting;
  });
  const others = settings.filter(
    (setting) => !declaredSettings.includes(setting) && (setting.isGiven || (setting.typed.peek() ?? '') !== ''),
  );
  // Given settings keep their order: another order would be a change.
  const given = settings.filter((setting) => declaredSettings.includes(setting) || others.includes(setting));
  return [...given, ...declaredSettings.filter((setting) => !settings.includes(setting))];
}

/** The setting as it is sent; undefined: not at all. */
export function settingBody({ key, typed, encrypted, isSecret, isGiven }: Setting, keepsSecrets: boolean): Json | undefined {
  const name = key.peek();
  const text = typed.peek();
  const isHidden = isSecret.peek() && !keepsSecrets;
  if (text === undefined || isHidden) {
    if (encrypted !== undefined) return { key: name, encrypted_value: encrypted };
    return isGiven && name !== '' ? { key: name } : undefined;
  }
  if (text === '' && !isGiven) return undefined;
  return { key: name, value: text };
}
