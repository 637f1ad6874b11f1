// The webhook secret of a test server, which no answer shows.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCipher } from '../../src/kit/cipher.ts';

export function webhookSecretOf({ dataDir }: { readonly dataDir: string }): string {
  const database = new DatabaseSync(join(dataDir, 'slipway.db'), { readOnly: true });
  try {
    const row = database.prepare("select value from entities where kind = 'serverIdentity'").get() as { value: string };
    const { webhookSecret } = JSON.parse(row.value) as { webhookSecret: { cipherText: string } };
    return openCipher(join(dataDir, 'cipher.key')).decrypt(webhookSecret.cipherText)!;
  } finally {
    database.close();
  }
}
