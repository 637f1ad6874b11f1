// Reads an entity that was stored at some time, maybe by an older version of the server.
import { Refusal } from '../kit/refusal.ts';
import { type Fields, readFields } from '../shape/field.ts';
import type { Reading } from '../shape/json/reading.ts';
import type { Entity, Kind } from '../shape/resource.ts';
import { refusedSecret } from '../shape/secrets/secret.ts';

/** Fields that its kind has got since are completed as if they had not been sent. */
export function entityFrom(kind: Kind, stored: string): Entity {
  return completed(kind, JSON.parse(stored) as Entity);
}

export function completed<E extends Entity>(kind: Kind, entity: E): E {
  const missing = Object.keys(kind.fields).filter((name) => !(name in entity));
  if (missing.length === 0) return entity;
  return { ...entity, ...Object.fromEntries(missing.map((name) => [name, absentField(kind, name)])) };
}

const absent = new WeakMap<Kind, Map<string, unknown>>();

function absentField(kind: Kind, name: string): unknown {
  const known = absent.getOrInsertComputed(kind, () => new Map());
  return known.getOrInsertComputed(name, () => {
    const fields: Fields = { [name]: kind.fields[name]! };
    return readFields(fields, {}, [], emptyReading)[name];
  });
}

/** Nothing is read, so there is nothing to report. */
const emptyReading: Reading = {
  get problems() {
    return [];
  },
  seal: () => refusedSecret(''),
  unseal: () => 'undecryptable',
  peek: () => undefined,
  mayKeep: () => true,
  isSecretSetting: () => undefined,
  isStored: () => true,
  isStoredSetting: () => false,
  secrets: { show: () => '', open: () => '' },
};

export function notKept(revision: number, keptFrom: number): Refusal {
  return new Refusal(
    'gone',
    `The configuration as of revision ${revision} is no longer kept: the history before revision ${keptFrom} was compacted.`,
  );
}
