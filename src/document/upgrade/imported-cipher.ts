// Opens the secrets of a file that another server wrote, with the key file of that server: GoCD, or another Slipway.
import { createDecipheriv } from 'node:crypto';
import { cipherOf, type OpenedText } from '../../kit/bytes/cipher.ts';

/** Undefined when this key does not open it. */
export type OpenSecret = (cipherText: string) => OpenedText | undefined;

const AES_KEY = /^[0-9a-f]{32}$/i;
const DES_KEY = /^[0-9a-f]{16}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const DES_IV = Buffer.alloc(8);

export const KEY_RULE =
  'A key file holds hexadecimal characters: 64 that of Slipway (cipher.key), 32 that of GoCD (cipher.aes), or 16 in versions up to schema 108 (cipher).';

/** undefined when the text is no key. */
export function readImportedKey(text: string): OpenSecret | undefined {
  const key = text.trim();
  if (AES_KEY.test(key)) return (cipherText) => openAes(cipherText, Buffer.from(key, 'hex'));
  if (DES_KEY.test(key)) return (cipherText) => openDes(cipherText, Buffer.from(key, 'hex'));
  const cipher = cipherOf(key);
  return cipher && ((cipherText) => cipher.open(cipherText.trim()));
}

function openAes(cipherText: string, key: Buffer): OpenedText | undefined {
  const [name, iv = '', body = '', ...rest] = cipherText.trim().split(':');
  const vector = Buffer.from(iv, 'base64');
  if (name !== 'AES' || rest.length > 0 || vector.length !== 16 || !BASE64.test(iv) || !BASE64.test(body)) return undefined;
  return decrypted('aes-128-cbc', key, vector, body);
}

/** Opens the secrets of files up to schema 108. OpenSSL has no single DES any more; triple DES with one key three times is equal to it. */
function openDes(cipherText: string, key: Buffer): OpenedText | undefined {
  const body = cipherText.replaceAll(/\s/g, '');
  return BASE64.test(body) ? decrypted('des-ede3-cbc', Buffer.concat([key, key, key]), DES_IV, body) : undefined;
}

function decrypted(algorithm: string, key: Buffer, iv: Buffer, body: string): OpenedText | undefined {
  try {
    const decipher = createDecipheriv(algorithm, key, iv);
    const plain = Buffer.concat([decipher.update(body, 'base64'), decipher.final()]);
    return { plain: new TextDecoder('utf-8', { fatal: true }).decode(plain) };
  } catch {
    return undefined; // the padding or the text does not come out right: another key
  }
}
