// Asks a repository once whether it answers, in a directory that is removed afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MaterialClient, MaterialRules, PolledMaterial } from '../clients/client.ts';
import { withoutSecrets } from './poll-material.ts';

type Client = Pick<MaterialClient<PolledMaterial>, 'checkConnection'>;

/** A request waits for the answer. */
const LIMITS = { timeoutMs: 60_000, responseTimeoutMs: 30_000, maxBytes: 200 * 1024 * 1024 };

/** Rejects, in words without secrets, when it does not answer. */
export async function checkRepository(client: Client, material: PolledMaterial, rules: MaterialRules, signal: AbortSignal): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'slipway-check-'));
  try {
    await client.checkConnection(material, { ...rules, directory, signal, onActivity: () => {}, limits: LIMITS });
  } catch (failure) {
    throw withoutSecrets(failure, material);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
