// What the answer to the example of a resource looks like, for the documentation.
import type { Cipher } from '../kit/cipher.ts';
import { readEntity, writeEntity } from '../shape/entity-json.ts';
import type { JsonOut } from '../shape/json.ts';
import type { Kind } from '../shape/resource.ts';
import type { ResourceParts } from './resource-parts.ts';

export const EXAMPLE_BASE = 'https://cd.example.com';
export const EXAMPLE_CIPHER_TEXT = 'v1:0a1b2c3d:ZXhhbXBsZS1jaXBoZXItdGV4dA==';

/** The example must read the same at every start, so nothing is really encrypted. */
const unchanging = { encrypt: () => EXAMPLE_CIPHER_TEXT, digest: (plain: string) => plain, decrypt: () => undefined } as unknown as Cipher;

export function answerExample(kind: Kind, { tools }: ResourceParts, seen: unknown): JsonOut {
  const { entity } = readEntity(kind, kind.example, { seen }, { ...tools, cipher: unchanging });
  return writeEntity(kind, entity, EXAMPLE_BASE);
}
