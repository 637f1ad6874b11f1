// Writes a file of secrets as the plugin that looks them up in files reads it.
import { createCipheriv, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

export function writeSecretsFile(path: string, secrets: Readonly<Record<string, string>>): void {
  const key = randomBytes(16);
  const encrypted = Object.entries(secrets).map(([name, plain]) => {
    const iv = randomBytes(16);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [name, `AES:${iv.toString('base64')}:${body.toString('base64')}`];
  });
  writeFileSync(path, JSON.stringify({ secret_key: key.toString('base64'), secrets: Object.fromEntries(encrypted) }));
}
