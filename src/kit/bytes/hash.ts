// Digests as lower-case hex.
import { createHmac, hash } from 'node:crypto';

export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);
export const sha512of256 = (text: string): string => hash('sha512-256', text);
export const keyedDigest = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex');
