// Looks secrets up in a file: JSON with a key and, under their names, the secrets that were encrypted with it.
import { createDecipheriv } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SecretsHost, SecretsPlugin } from '../../../contracts/plugins/secrets.ts';
import { isObject } from '../../../shape/json/json.ts';
import { mustBePath } from '../../setting-values.ts';

const PATH_KEY = 'SecretsFilePath';
const PATH_ABOUT = 'A file on the server with encrypted secrets; a relative path begins at the data directory.';
const MAX_BYTES = 5 * 1024 * 1024;
const KEY_BYTES = 16;

export const fileSecretsPlugin: SecretsPlugin = {
  id: 'cd.go.secrets.file-based-plugin',
  kind: 'secrets',
  name: 'Secrets in a file',
  version: '1.0.0',
  description: 'Looks secrets up in an encrypted file on the server.',
  vendor: 'Slipway',
  blocks: {
    secret_config: {
      fields: [{ key: PATH_KEY, required: true, title: 'Secrets file', description: PATH_ABOUT }],
      check: (values) => mustBePath(values, PATH_KEY),
    },
  },

  async lookUp(keys, settings, host) {
    const path = settings.get(PATH_KEY)?.trim() ?? '';
    const { key, secrets } = await readSecrets(path, host);
    const wanted = keys.filter((name) => Object.hasOwn(secrets, name));
    return new Map(wanted.map((name) => [name, opened(String(secrets[name]), key, name, path)]));
  },
};

async function readSecrets(path: string, host: SecretsHost) {
  const content = parsed(await readBounded(path, host));
  const { secret_key: key, secrets } = isObject(content) ? content : {};
  const keyBytes = Buffer.from(typeof key === 'string' ? key : '', 'base64');
  if (!isObject(secrets) || keyBytes.length !== KEY_BYTES) throw new Error(`The file \`${path}\` does not hold secrets and their key.`);
  return { key: keyBytes, secrets };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // reported as a file that holds no secrets: its text might be one
  }
}

async function readBounded(path: string, { directory }: SecretsHost): Promise<string> {
  const absolute = resolve(directory, path);
  try {
    const { size } = await stat(absolute);
    if (size > MAX_BYTES) throw new Error(`The file \`${path}\` is larger than ${MAX_BYTES} bytes.`);
    return await readFile(absolute, 'utf8');
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw code === undefined ? failure : new Error(`The file \`${path}\` cannot be read (${code}).`);
  }
}

/** `AES:`, the initialization vector and the cipher text, as base64: AES-128 in CBC mode. */
function opened(text: string, key: Buffer, name: string, path: string): string {
  const [algorithm, iv = '', body = ''] = text.split(':');
  try {
    if (algorithm !== 'AES') throw new Error('another algorithm');
    const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'base64'));
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat([decipher.update(body, 'base64'), decipher.final()]));
  } catch {
    throw new Error(`The secret '${name}' in the file \`${path}\` cannot be opened with the key of that file.`); // the reason says nothing more
  }
}
