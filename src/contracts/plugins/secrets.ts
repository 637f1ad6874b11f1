// What a plugin that looks secrets up can do beyond describing itself. Settings come in clear, and go no further than the plugin.
import type { Plugin, SettingValues } from './plugin.ts';

/** What a secrets plugin may use of the server. */
export interface SecretsHost {
  /** Relative paths in settings start here. */
  readonly directory: string;
}

export interface SecretsPlugin extends Plugin {
  readonly kind: 'secrets';
  /** The secrets of these keys; those that it does not have are left out. Rejects, in words without secrets, when it cannot look them up. */
  lookUp(keys: readonly string[], settings: SettingValues, host: SecretsHost): Promise<ReadonlyMap<string, string>>;
}
