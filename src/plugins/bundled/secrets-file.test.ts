// Tests the settings of the plugin that looks secrets up in a file.
import { describe } from 'node:test';
import { testSettings } from '../test-support.ts';
import { fileSecretsPlugin } from './secrets-file.ts';

describe('secret config', () => {
  testSettings(fileSecretsPlugin.blocks.secret_config, { SecretsFilePath: '/var/lib/secrets.json' }, [
    ['without a file', { SecretsFilePath: ' ' }, ['SecretsFilePath', 'SecretsFilePath must not be blank.']],
    ['unknown keys are ignored', { Extra: '1' }],
  ]);
});
