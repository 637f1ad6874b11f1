// Signatures of deliveries: of the body alone, and of the body with the time, which protects against old ones that are sent again.
import { createHmac } from 'node:crypto';

/** Headers: name, value, name, value … `seconds` since 1970. */
export function signatureHeaders(secret: string, body: Buffer, seconds: number): Readonly<Record<string, string>> {
  const hmac = (...parts: readonly (string | Buffer)[]) => {
    const digest = createHmac('sha256', secret);
    for (const part of parts) digest.update(part);
    return digest.digest('hex');
  };
  return {
    'X-Svc-Timestamp': String(seconds),
    'X-Svc-Signature-256': `sha256=${hmac(body)}`,
    'X-Svc-Timed-Signature-256': `t=${seconds},sha256=${hmac(`${seconds}.`, body)}`,
  };
}
