// Puts secrets in the place of `{{SECRET:[config][key]}}`: looked up when they are needed, for referrers that the rules allow, never kept.
import type { SettingValues } from '../contracts/plugins/plugin.ts';
import type { SecretsHost, SecretsPlugin } from '../contracts/plugins/secrets.ts';
import { matchesWildcard } from '../kit/text/wildcard.ts';
import type { Property } from '../shape/properties.ts';
import { SECRET_REFERENCE } from '../shape/secrets/secret-reference.ts';

/** The entity that refers to a secret, in the words of the rules of secret configs. */
export interface Referrer {
  readonly type: 'pipeline_group' | 'environment' | 'pluggable_scm' | 'package_repository' | 'config_repo' | 'cluster_profile';
  readonly name: string;
}

export interface SecretConfig {
  readonly pluginId: string;
  readonly properties: readonly Property[];
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly directive: string;
  readonly action: string;
  readonly type: string;
  readonly resource: string;
}

export interface SecretParts {
  find(configId: string): SecretConfig | undefined;
  plugin(id: string): SecretsPlugin | undefined;
  clearValues(properties: readonly Property[]): SettingValues;
  readonly host: SecretsHost;
}

type OnSecret = (secret: string) => void;

/** A secret cannot be had; the message is for an administrator. */
export class SecretProblem extends Error {}

export class SecretReferences {
  readonly #parts: SecretParts;

  constructor(parts: SecretParts) {
    this.#parts = parts;
  }

  /** The text with all secrets in it; the same text where it refers to none. `onSecret`: receives each secret on its own. */
  async resolve(text: string, referrer: Referrer, onSecret?: OnSecret): Promise<string> {
    const [resolved] = await this.resolveTexts([text], referrer, onSecret);
    return resolved!;
  }

  async resolveAll(settings: SettingValues, referrer: Referrer, onSecret?: OnSecret): Promise<SettingValues> {
    const resolved = await this.resolveTexts([...settings.values()], referrer, onSecret);
    return new Map([...settings.keys()].map((key, index) => [key, resolved[index]!]));
  }

  /** All texts with their secrets, in order. Each secret config is asked once, so a failure names all that it lacks. */
  async resolveTexts(texts: readonly string[], referrer: Referrer, onSecret?: OnSecret): Promise<readonly string[]> {
    const references = texts.flatMap((text) => [...text.matchAll(SECRET_REFERENCE)]);
    const found = new Map<string, ReadonlyMap<string, string>>();
    for (const [configId, matches] of Map.groupBy(references, ([, id]) => id!)) {
      const keys = new Set(matches.map(([, , key]) => key!));
      found.set(configId, await this.#lookUp(configId, [...keys], referrer));
    }
    const secretOf = (configId: string, key: string) => {
      const secret = found.get(configId)!.get(key)!;
      onSecret?.(secret);
      return secret;
    };
    return texts.map((text) => text.replace(SECRET_REFERENCE, (_, configId: string, key: string) => secretOf(configId, key)));
  }

  async #lookUp(configId: string, keys: readonly string[], referrer: Referrer): Promise<ReadonlyMap<string, string>> {
    const { find, plugin: pluginNamed, clearValues, host } = this.#parts;
    const config = find(configId);
    if (!config) throw new SecretProblem(`Secret config with id '${configId}' does not exist.`);
    if (!mayRefer(config.rules, referrer))
      throw new SecretProblem(
        `The ${TYPE_LABELS[referrer.type]} '${referrer.name}' may not refer to secrets of the secret config '${configId}'.`,
      );
    const plugin = pluginNamed(config.pluginId);
    if (!plugin) throw new SecretProblem(`Plugin with id '${config.pluginId}' of the secret config '${configId}' is not found.`);
    const found = await plugin.lookUp(keys, clearValues(config.properties), host).catch((failure: unknown) => {
      throw new SecretProblem(`Secrets of the secret config '${configId}' cannot be looked up. ${(failure as Error).message}`);
    });
    const missing = keys.filter((key) => !found.has(key));
    if (missing.length > 0) throw new SecretProblem(`The secret config '${configId}' has no secret '${missing.join("', '")}'.`);
    return found;
  }
}

const TYPE_LABELS: Readonly<Record<Referrer['type'], string>> = {
  pipeline_group: 'pipeline group',
  environment: 'environment',
  pluggable_scm: 'SCM',
  package_repository: 'package repository',
  config_repo: 'config repo',
  cluster_profile: 'cluster profile',
};

/** The first rule that matches decides; none means no. */
export function mayRefer(rules: readonly Rule[], { type, name }: Referrer): boolean {
  const means = (given: string, wanted: string) => given === '*' || given.toLowerCase() === wanted;
  const deciding = rules.find((rule) => means(rule.action, 'refer') && means(rule.type, type) && matchesWildcard(rule.resource, name));
  return deciding?.directive === 'allow';
}
