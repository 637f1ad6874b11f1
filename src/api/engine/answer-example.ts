// The answers to the examples of resources, for the documentation.
import { Config } from '../../config/current.ts';
import { Draft } from '../../config/draft.ts';
import { presentEntity } from '../../config/presentation.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import { readEntity, readingFor } from '../../shape/json/entity-json.ts';
import { type JsonOut, snakeCase } from '../../shape/json/json.ts';
import { type Collection, idOf, type Kind } from '../../shape/resource.ts';
import type { SecretWriters } from '../../shape/secrets/secret-writer.ts';
import type { ResourceParts } from './resource-parts.ts';

export const EXAMPLE_BASE = 'https://cd.example.com';
export const EXAMPLE_CIPHER_TEXT = 'v1:0a1b2c3d:ZXhhbXBsZS1jaXBoZXItdGV4dA==';
export const EXAMPLE_BOUND_TEXT = 'v2:0a1b2c3d:ZXhhbXBsZS1vZi1hLWJvdW5kLWNpcGhlci10ZXh0';
export const EXAMPLE_TIME = '2026-01-31T09:30:00Z';
export const EXAMPLE_LOGIN = 'jez';

/** The example must read the same at every start, so nothing is really encrypted. */
const unchanging = { encrypt: () => EXAMPLE_CIPHER_TEXT, digest: (plain: string) => plain, open: () => undefined } as unknown as Cipher;
export const exampleSecrets: SecretWriters = () => ({ show: () => EXAMPLE_BOUND_TEXT, open: () => '' });

type Parts = Pick<ResourceParts, 'config' | 'tools'>;

/** The id of the example of a kind. */
export function exampleId({ id, example }: Kind & Collection): string {
  return String(example[snakeCase(id)]);
}

/** The example of a kind as the server would keep it. */
export function exampleOf<K extends KindName>(kind: Kind<K>, parts: Parts): EntityNamed<K> {
  const draft = draftOfExamples(parts);
  return draft.find(kind, idOf(kind, readExample(kind, parts, draft)))!.value;
}

export function answerExample(kind: Kind, parts: Parts): JsonOut {
  return presentEntity(kind, exampleOf(kind, parts), draftOfExamples(parts).ruleView, exampleSecrets, EXAMPLE_BASE);
}

/** The answer to the example of a patch, applied to the example of its kind. */
export function patchedExample(kind: Kind, parts: Parts): JsonOut {
  const { ruleView } = draftOfExamples(parts);
  const current = exampleOf(kind, parts);
  const reading = readingFor(kind, current, { ruleView, current }, { ...parts.tools, cipher: unchanging });
  const patched = kind.patch!.apply(current, kind.patch!.example, reading, ruleView);
  return presentEntity(kind, patched, ruleView, exampleSecrets, EXAMPLE_BASE);
}

const drafts = new WeakMap<Config, Draft>();

/** The configuration as if it held all examples and nothing else, so that each can show fields of the others. */
function draftOfExamples(parts: Parts): Draft {
  return drafts.getOrInsertComputed(parts.config, ({ kinds }) => {
    const draft = new Draft(new Config([...kinds.values()]));
    for (const kind of kinds.values()) {
      const entity = readExample(kind, parts, draft);
      draft.put(kind, idOf(kind, entity), entity);
    }
    return draft;
  });
}

function readExample<K extends KindName>(kind: Kind<K>, { tools }: Parts, { ruleView }: Draft): EntityNamed<K> {
  return readEntity(kind, kind.example, { ruleView }, { ...tools, cipher: unchanging }).entity;
}
