// Describes the plugin that looks secrets up in an encrypted file.
import type { Plugin } from '../../contracts/plugins/plugin.ts';

export const fileSecretsPlugin = {
  id: 'cd.go.secrets.file-based-plugin',
  kind: 'secrets',
  name: 'Secrets in a file',
  version: '1.0.0',
  description: 'Looks secrets up in an encrypted file on the server.',
  vendor: 'Slipway',
  blocks: { secret_config: { fields: [{ key: 'SecretsFilePath', required: true }] } },
} satisfies Plugin;
