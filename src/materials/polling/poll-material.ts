// One poll of one material: asks its client for new modifications and records them.
import { join } from 'node:path';
import type { Materials, StoredMaterial } from '../../store/materials/materials.ts';
import type { Modifications } from '../../store/materials/modifications.ts';
import { openAddress, redactor } from '../addresses/address.ts';
import type { External } from '../catalogue/externals.ts';
import type { Material } from '../catalogue/material.ts';
import { emptyMessage, longDescription } from '../catalogue/messages.ts';
import { type SecretLookup, withSecrets } from '../catalogue/secret-texts.ts';
import { externalsAt, externalsText } from '../catalogue/stored-externals.ts';
import { type MaterialClient, MaterialProblem, type MaterialRules, type PollContext, type PolledMaterial } from '../clients/client.ts';

export type Clients = Readonly<Record<string, Pick<MaterialClient<PolledMaterial>, 'poll' | 'findExternals' | 'external'>>>;

export interface PollParts {
  /** By type; a material of a type without a client cannot be polled. */
  readonly clients: Clients;
  readonly materials: Pick<Materials, 'ensure' | 'find' | 'keepData'>;
  readonly modifications: Pick<Modifications, 'record'>;
  /** Holds a directory for each material. */
  readonly directory: string;
  readonly rules: MaterialRules;
  readonly secrets: SecretLookup;
  /** Whether there is enough room on the disk. */
  hasRoom(): boolean;
}

export interface PollObserver extends Pick<PollContext, 'signal' | 'onActivity'> {
  /** Whether to ask for its externals, when so many modifications are new. */
  asksExternals(count: number): boolean;
}

export interface PollResult {
  /** undefined: they were not asked for. */
  readonly externals: readonly External[] | undefined;
  /** Whether anything was written to the database. */
  readonly isChanged: boolean;
}

const MINUTE_MS = 60_000;
const GIGABYTE = 1024 ** 3;
const LIMITS = { timeoutMs: 30 * MINUTE_MS, responseTimeoutMs: 2 * MINUTE_MS, maxBytes: 20 * GIGABYTE };

/** Rejects, in words without secrets, when it could not be asked. */
export async function pollMaterial(
  material: Material,
  stored: StoredMaterial,
  watching: PollObserver,
  parts: PollParts,
): Promise<PollResult> {
  const { clients, materials, modifications, directory, rules, hasRoom } = parts;
  if (!hasRoom()) throw new MaterialProblem('server is too low on disk to continue with material update');
  const client = clients[material.type];
  if (!client) throw new MaterialProblem(`This server cannot poll materials of the type ${material.type} yet.`);
  const { lastRevision, data } = stored;
  const known = lastRevision === undefined ? undefined : { revision: lastRevision, ...(data !== undefined && { data }) };
  let kept: string | undefined;
  const context = {
    signal: watching.signal,
    onActivity: watching.onActivity,
    directory: join(directory, stored.directory),
    limits: LIMITS,
    ...rules,
    keep: (text: string) => {
      kept = text;
    },
  };
  const polled = await withSecrets(material, parts.secrets);
  let count = 0;
  let isChanged = false;
  let externals: readonly External[] | undefined;
  try {
    for await (const batch of client.poll(polled, known, context)) {
      isChanged = true;
      count += await modifications.record(stored.id, batch);
    }
    const locations = watching.asksExternals(count) ? await client.findExternals?.(polled, context) : undefined;
    if (locations) {
      externals = externalsAt(locations, client);
      if (locations.length > 0 || data !== undefined) kept = externalsText(locations);
    }
  } catch (failure) {
    throw withoutSecrets(failure, polled);
  }
  if (!known && count === 0) throw new MaterialProblem(emptyMessage(material));
  if (kept !== undefined && kept !== data) {
    isChanged = true;
    await materials.keepData(stored.id, kept);
  }
  return { externals, isChanged };
}

/** `kept`: the stored record, if no write came since. With it, the database is only asked when the description has changed. */
export async function storedMaterial(material: Material, { materials }: PollParts, kept?: StoredMaterial): Promise<StoredMaterial> {
  const { fingerprint, type } = material;
  const description = longDescription(material);
  return kept?.description === description ? kept : materials.ensure({ fingerprint, type, description });
}

/** Clients are silent about secrets; the errors of others may not be. */
export function withoutSecrets(failure: unknown, { url, username, password }: PolledMaterial): unknown {
  if (!(failure instanceof Error)) return failure;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const address = openAddress(text(url) ?? '', { username: text(username), password: text(password) });
  const redact = redactor([...address.secrets, text(password) ?? '']);
  return redact(failure.message) === failure.message ? failure : new MaterialProblem(redact(failure.message));
}
