// Joins the secret configs of the configuration to the plugins that look secrets up.
import type { Config } from '../../config/current.ts';
import type { SecretsHost } from '../../contracts/plugins/secrets.ts';
import type { PluginHost } from '../../plugins/host.ts';
import { SecretReferences } from '../../plugins/secret-references.ts';

export function openSecrets(config: Config, plugins: PluginHost, host: SecretsHost): SecretReferences {
  return new SecretReferences({
    find: (id) => config.of('secretConfigs').find(id)?.value,
    plugin: (id) => plugins.secrets(id),
    clearValues: (properties) => plugins.clearValues(properties),
    host,
  });
}
