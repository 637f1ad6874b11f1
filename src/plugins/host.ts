// The plugins this server has, and the problems they find in settings.
import type { AnyPlugin } from '../contracts/plugins/any-plugin.ts';
import type { AuthorizationPlugin } from '../contracts/plugins/authorization.ts';
import type { ConfigRepoPlugin } from '../contracts/plugins/config-repo.ts';
import type { ElasticAgentPlugin } from '../contracts/plugins/elastic-agent.ts';
import type { PackagePlugin } from '../contracts/plugins/package-repository.ts';
import type { BlockName, ServerFacts, SettingProblem, SettingValues } from '../contracts/plugins/plugin.ts';
import type { ScmPlugin } from '../contracts/plugins/scm.ts';
import type { SecretsPlugin } from '../contracts/plugins/secrets.ts';
import type { Cipher } from '../kit/bytes/cipher.ts';
import type { Problem } from '../shape/problems/problem.ts';
import type { Property } from '../shape/properties.ts';
import { type Entity, type Resource, type RuleView, type SettingsInside, settingsIn } from '../shape/resource.ts';
import { isRefused, isSecret } from '../shape/secrets/secret.ts';
import { refersToSecret } from '../shape/secrets/secret-reference.ts';
import { checkSettings } from './check-settings.ts';

/** Stands for a value that is not known, or was refused. */
const UNKNOWN = 'unknown';
const NO_KEYS: ReadonlySet<string> = new Set();

type PluginUse = NonNullable<Resource['plugin']>;

export class PluginHost {
  readonly #plugins: ReadonlyMap<string, AnyPlugin>;
  readonly #cipher: Cipher;
  readonly #server: () => ServerFacts;

  constructor(plugins: readonly AnyPlugin[], cipher: Cipher, server: () => ServerFacts) {
    this.#plugins = new Map(plugins.map((plugin) => [plugin.id, plugin]));
    this.#cipher = cipher;
    this.#server = server;
  }

  get all(): readonly AnyPlugin[] {
    return [...this.#plugins.values()];
  }

  has(id: string): boolean {
    return this.#plugins.has(id);
  }

  authorization(id: string): AuthorizationPlugin | undefined {
    const plugin = this.#plugins.get(id);
    return plugin?.kind === 'authorization' ? plugin : undefined;
  }

  packageRepository(id: string): PackagePlugin | undefined {
    const plugin = this.#plugins.get(id);
    return plugin?.kind === 'package-repository' ? plugin : undefined;
  }

  scm(id: string): ScmPlugin | undefined {
    const plugin = this.#plugins.get(id);
    return plugin?.kind === 'scm' ? plugin : undefined;
  }

  configRepo(id: string): ConfigRepoPlugin | undefined {
    const plugin = this.#plugins.get(id);
    return plugin?.kind === 'configrepo' ? plugin : undefined;
  }

  /** The plugin of this id that starts agents. */
  elasticAgent(id: string): ElasticAgentPlugin | undefined {
    const plugin = this.#plugins.get(id);
    return plugin?.kind === 'elastic-agent' ? plugin : undefined;
  }

  secrets(id: string): SecretsPlugin | undefined {
    const plugin = this.#plugins.get(id);
    return plugin?.kind === 'secrets' ? plugin : undefined;
  }

  isSecretSetting(pluginId: string | undefined, use: PluginUse, key: string): boolean | undefined {
    const plugin = this.#plugins.get(pluginId ?? '');
    if (!plugin || !isFor(use, plugin)) return undefined;
    return plugin.blocks[use.block]?.fields.some((field) => field.key === key && field.secure) ?? false;
  }

  /** Whether a setting is part of the identity of the watched material; undefined: the plugin or the setting is unknown. */
  isPartOfIdentity(pluginId: string, block: BlockName, key: string): boolean | undefined {
    const field = this.#plugins.get(pluginId)?.blocks[block]?.fields.find((one) => one.key === key);
    return field && field.isPartOfIdentity !== false;
  }

  /** The settings of a block that say where a repository is. */
  addressKeys(pluginId: string, block: BlockName): readonly string[] {
    const fields = this.#plugins.get(pluginId)?.blocks[block]?.fields ?? [];
    return fields.filter(({ isAddress }) => isAddress).map(({ key }) => key);
  }

  /** The problems that the plugin finds in an entity's settings. One that is not installed finds none. */
  problemsOf(use: PluginUse, entity: Entity, ruleView: RuleView): Problem[] {
    const pluginId = use.of(entity, ruleView) ?? '';
    const plugin = this.#plugins.get(pluginId);
    if (!plugin) return [];
    if (!isFor(use, plugin)) {
      return [
        { at: use.otherKindAt ?? ['plugin_id'], message: use.otherKind?.(pluginId) ?? `Plugin with id \`${pluginId}\` is not found.` },
      ];
    }
    const properties = settingsIn(entity, use);
    const problems = this.problemsInside({
      pluginId,
      block: use.block,
      settings: properties,
      unresolvedKeys: this.#unresolvedKeys(use, properties),
    });
    const indexes = new Map(properties.map(({ key }, index) => [key, index] as const).toReversed());
    let end = properties.length;
    if (use.appendsUnsent) for (const { key } of problems) if (!indexes.has(key)) indexes.set(key, end++);
    return problems.map(({ key, message }) => ({
      at: indexes.has(key) ? [use.settings, indexes.get(key)!, key] : [key],
      message,
      pluginSetting: key,
    }));
  }

  /** The settings whose values are known only when they are looked up. */
  #unresolvedKeys(use: PluginUse, properties: readonly Property[]): ReadonlySet<string> {
    if (!use.refersAs) return NO_KEYS;
    return new Set([...this.clearValues(properties)].filter(([, value]) => refersToSecret(value)).map(([key]) => key));
  }

  /** The problems that the plugin finds in settings, wherever they stand. */
  problemsInside({ pluginId, block: name, settings, unresolvedKeys }: SettingsInside): SettingProblem[] {
    const plugin = this.#plugins.get(pluginId);
    if (!plugin) return [];
    const values = new Map(this.clearValues(settings));
    // A value that was refused already, or is not known yet, was sent all the same: the plugin must not take it for missing.
    const unchecked = new Set([...unresolvedKeys, ...settings.filter(({ value }) => isRefused(value)).map(({ key }) => key)]);
    for (const key of unchecked) values.set(key, UNKNOWN);
    return checkSettings(plugin.blocks[name] ?? { fields: [] }, values, this.#server()).filter(({ key }) => !unchecked.has(key));
  }

  /** The settings in clear, for the plugin's eyes only. */
  clearValues(properties: readonly Property[]): SettingValues {
    return new Map(
      properties.map(({ key, value }) => [key, isSecret(value) ? (this.#cipher.decrypt(value.cipherText) ?? '') : (value ?? '')]),
    );
  }
}

function isFor({ kind, block }: PluginUse, plugin: AnyPlugin): boolean {
  return kind === undefined ? block in plugin.blocks : plugin.kind === kind;
}
