// The settings that plugins declare.
import { labelOf } from '../schema/fields.ts';
import type { Choice, SettingsNote } from '../schema/schema.ts';

type SettingKind = 'text' | 'number' | 'boolean' | 'choice' | 'multiline';

/** One setting, as `plugin_info` describes it. Plugins that did not come with the server say less. */
export interface SettingInfo {
  readonly key: string;
  readonly metadata: { readonly required: boolean; readonly secure: boolean };
  readonly optional?: boolean;
  readonly label?: string;
  readonly kind?: SettingKind;
  readonly default?: string | null;
  readonly choices?: readonly Choice[];
  readonly description?: string | null;
}

export interface DeclaredSetting {
  readonly key: string;
  readonly label: string;
  readonly about: string | undefined;
  readonly kind: SettingKind;
  readonly choices: readonly Choice[];
  /** The default value. */
  readonly defaultValue: string | undefined;
  readonly isRequired: boolean;
  /** The setting may be left empty. */
  readonly isOptional: boolean;
  readonly isSecret: boolean;
}

export function declaredIn({
  key,
  metadata,
  optional,
  label,
  kind,
  default: defaultValue,
  choices = [],
  description,
}: SettingInfo): DeclaredSetting {
  return {
    key,
    label: label ?? labelOf(key),
    about: description ?? undefined,
    kind: kind ?? 'text',
    choices,
    defaultValue: defaultValue ?? undefined,
    isRequired: metadata.required,
    isOptional: optional ?? !metadata.required,
    isSecret: metadata.secure,
  };
}

export interface PluginInfo {
  readonly id: string;
  readonly about: { readonly name: string; readonly description?: string | null };
  readonly extensions: readonly Extension[];
}

interface Extension {
  readonly type: string;
  readonly [settings: string]: string | { readonly configurations?: readonly SettingInfo[] } | undefined;
}

/** The settings that a plugin declares for one place of the configuration; undefined: nothing can be set there. */
export function declaredBy({ extensions }: PluginInfo, { extension, settings }: SettingsNote): readonly DeclaredSetting[] | undefined {
  for (const one of extensions) {
    const block = one[settings];
    if ((extension === null || one.type === extension) && typeof block === 'object') return (block.configurations ?? []).map(declaredIn);
  }
  return undefined;
}
