// A config repo as it is configured now, with all that decides how it is read.
import type { Config } from '../../config/current.ts';
import type { ConfigRepoPlugin } from '../../contracts/plugins/config-repo.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { sha256 } from '../../kit/bytes/hash.ts';
import { writeSealed } from '../../shape/json/entity-json.ts';
import { etagOf } from '../../shape/json/etag.ts';
import type { JsonObject } from '../../shape/json/json.ts';
import type { Property } from '../../shape/properties.ts';
import { isSecret, MASK } from '../../shape/secrets/secret.ts';
import { configRepoScope } from '../../shape/secrets/secret-scope.ts';
import { scopedWriter } from '../../shape/secrets/secret-writer.ts';
import type { Rule } from '../publish/rules.ts';

export interface RepoConfig {
  readonly id: string;
  /** The etag of the config repo in the configuration. */
  readonly etag: string;
  readonly pluginId: string;
  /** undefined: it is not installed. */
  readonly plugin: ConfigRepoPlugin | undefined;
  readonly configuration: SettingValues;
  readonly pluginSettings: SettingValues;
  /** Both as people may see them, those that count first. */
  readonly shownSettings: readonly SettingValues[];
  /** In the form of documents; its secrets open only in the definitions of the repo, and for its own address. */
  readonly material: JsonObject;
  readonly rules: readonly Rule[];
  /** Digests: of all settings that decide which files are read and how, and of the rules. */
  readonly settings: string;
  readonly rulesDigest: string;
  /** Names the plugin that reads the files, and its version: files that another one has read are read again. */
  readonly parser: string;
}

export interface Plugins {
  configRepo(id: string): ConfigRepoPlugin | undefined;
  clearValues(properties: readonly Property[]): SettingValues;
}

/** Grows when the stored form of files changes, or the way in which definitions are published. */
const FORM = 4;

/** undefined: there is no such repo any more. */
export function repoNow(id: string, config: Config, plugins: Plugins, cipher: Cipher): RepoConfig | undefined {
  const { kind } = config.of('configRepos');
  const entry = config.of('configRepos').find(id);
  if (!entry) return undefined;
  const { pluginId, material, configuration, rules } = entry.value;
  const ofPlugin = config.of('pluginSettings').find(pluginId);
  const forAll = ofPlugin?.value.configuration ?? [];
  const plugin = plugins.configRepo(pluginId);
  const parser = `${pluginId} ${plugin?.version ?? ''} ${FORM}`;
  return {
    id,
    etag: entry.etag,
    pluginId,
    plugin,
    configuration: plugins.clearValues(configuration),
    pluginSettings: plugins.clearValues(forAll),
    shownSettings: [configuration, forAll].map((settings) => plugins.clearValues(settings.map(shown))),
    material: writeSealed(kind, entry.value, scopedWriter(cipher, configRepoScope(id))).material as JsonObject,
    rules,
    settings: sha256(JSON.stringify([parser, etagOf({ material, configuration }), ofPlugin?.etag ?? null])),
    rulesDigest: sha256(JSON.stringify(rules)),
    parser,
  };
}

/** The file patterns of the plugin, separated by commas. */
export function patternsOf({ plugin, shownSettings }: Pick<RepoConfig, 'plugin' | 'shownSettings'>): string {
  const patterns = Object.entries(plugin?.defaultPatterns ?? {});
  return patterns
    .map(([key, defaultValue]) => shownSettings.map((values) => values.get(key)?.trim()).find(Boolean) ?? defaultValue)
    .join(', ');
}

function shown({ key, value }: Property): Property {
  return { key, ...(value !== undefined && { value: isSecret(value) ? MASK : value }) };
}
