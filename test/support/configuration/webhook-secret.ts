// The webhook secret of a test server, which no answer shows, and the headers that prove that a hosting service knows it.
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { openCipher } from '../../../src/kit/bytes/cipher.ts';
import { rowsIn } from '../database/sql.ts';
import { basic } from '../server/server.ts';

export async function webhookSecretOf({ dataDir }: { readonly dataDir: string }): Promise<string> {
  const [row] = await rowsIn(dataDir, "select value from entities where kind = 'serverIdentity'");
  const { webhookSecret } = JSON.parse(String(row!.value)) as { webhookSecret: { cipherText: string } };
  return openCipher(join(dataDir, 'cipher.key')).decrypt(webhookSecret.cipherText)!;
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
export async function webhookHeaders(server: { readonly dataDir: string }, path: string, text: string): Promise<Record<string, string>> {
  const [, service = ''] = /^\/api\/webhooks\/(\w+)\//.exec(path) ?? [];
  const prove = PROOFS[service];
  return prove ? prove(await webhookSecretOf(server), text) : {};
}
