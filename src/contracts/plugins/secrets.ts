// The interface of plugins that look secrets up, beyond their description. Settings are clear text, and stay in the plugin.
import type { Plugin, SettingValues } from './plugin.ts';

/** The part of the server that a secrets plugin may use. */
export interface SecretsHost {
  /** Relative paths in settings start here. */
  readonly directory: string;
}

export interface SecretsPlugin extends Plugin {
  readonly kind: 'secrets';
  /** The secrets of these keys; those that it does not have are left out. Rejects, in words without secrets, when it cannot look them up. */
  lookUp(keys: readonly string[], settings: SettingValues, host: SecretsHost): Promise<ReadonlyMap<string, string>>;
}
