// The webhook secret of a test server, which no answer shows, and what proves that a hosting service knows it.
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCipher } from '../../src/kit/bytes/cipher.ts';
import { basic } from './server.ts';

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

const signature = (algorithm: string, secret: string, text: string) =>
  `${algorithm}=${createHmac(algorithm, secret).update(text).digest('hex')}`;

/** The headers of a push, by the name of the service in the path. */
const PROOFS: Readonly<Record<string, (secret: string, text: string) => Record<string, string>>> = {
  github: (secret, text) => ({ 'X-GitHub-Event': 'push', 'X-Hub-Signature': signature('sha1', secret, text) }),
  gitlab: (secret) => ({ 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Token': secret }),
  bitbucket: (secret) => ({ 'X-Event-Key': 'repo:push', Authorization: basic(secret, '') }),
  hosted_bitbucket: (secret, text) => ({ 'X-Event-Key': 'repo:refs_changed', 'X-Hub-Signature': signature('sha256', secret, text) }),
};

/** The headers with which a hosting service sends this text; none for any other path. */
export function webhookHeaders(server: { readonly dataDir: string }, path: string, text: string): Record<string, string> {
  const [, service = ''] = /^\/api\/webhooks\/(\w+)\//.exec(path) ?? [];
  return PROOFS[service]?.(webhookSecretOf(server), text) ?? {};
}
