// Work with a material in the directory that belongs to it, other than a poll.
import { join } from 'node:path';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import type { Material } from '../catalogue/material.ts';
import { withSecrets } from '../catalogue/secret-texts.ts';
import type { PollContext, PolledMaterial } from '../clients/client.ts';
import { type PollParts, withoutSecrets } from './poll-material.ts';

/** The work of a caller with a material. */
export interface MaterialWork<T> extends Pick<PollContext, 'signal' | 'limits'> {
  do(polled: PolledMaterial, context: PollContext): Promise<T>;
}

/** Rejects in words without secrets. */
export async function runWithMaterial<T>(
  material: Material,
  stored: StoredMaterial,
  work: MaterialWork<T>,
  { directory, rules, secrets }: Pick<PollParts, 'directory' | 'rules' | 'secrets'>,
): Promise<T> {
  const { signal, limits } = work;
  signal.throwIfAborted();
  const polled = await withSecrets(material, secrets);
  const context: PollContext = {
    signal,
    limits,
    onActivity: () => {},
    directory: join(directory, stored.directory),
    ...rules,
  };
  try {
    return await work.do(polled, context);
  } catch (failure) {
    throw withoutSecrets(failure, polled);
  }
}
