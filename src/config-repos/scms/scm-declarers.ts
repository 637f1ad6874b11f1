// The pipelines of config repos that declare an SCM inline: its owner among them, and the names they give it.
import type { Draft } from '../../config/draft.ts';
import { type RemoteOrigin, repoOriginOf } from '../../config/repo-origin.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import { isOfKind } from '../../shape/is-of-kind.ts';

export interface Declarer {
  readonly pipeline: string;
  readonly origin: RemoteOrigin;
  /** The position of the pipeline in the order of creation. */
  readonly created: number;
}

/** The ids of all SCMs that a pipeline uses. */
export function scmIdsOf({ materials }: EntityNamed<'pipelines'>): string[] {
  return materials.flatMap(({ type, attributes }) => (type === 'plugin' && attributes.ref ? [attributes.ref] : []));
}

export function declarersOf(draft: Draft, id: string): Declarer[] {
  return Array.from(draft.referring('scms', id)).flatMap(({ kind, entry }) => {
    const { value, created } = entry;
    const origin = repoOriginOf(value);
    return origin && isOfKind('pipelines', kind.name, value) ? [{ pipeline: value.name, origin, created }] : [];
  });
}

/** The name that a pipeline gives the SCM; undefined: the pipeline was read before names were noted. */
export function declaredName({ origin }: Declarer, id: string): string | undefined {
  return origin.scms?.[id];
}

/** A declarer of the repo that owns the SCM, as long as there is one; otherwise of the repo that declared it next. undefined: none is left. */
export function ownerAmong(declarers: readonly Declarer[], present: string): Declarer | undefined {
  const isDeclared = declarers.some(({ origin }) => origin.repo === present);
  const repo = isDeclared ? present : first(declarers, (one, other) => one.created - other.created)?.origin.repo;
  const candidates = declarers.filter(({ origin }) => origin.repo === repo);
  return first(candidates, inOrder);
}

/** By the order in which pipelines are shown, then by the paths of their files: the order does not depend on which came first. */
function inOrder(one: Declarer, other: Declarer): number {
  const [order, otherOrder] = [one.origin.order ?? -1, other.origin.order ?? -1];
  return order - otherOrder || compare(one.origin.file, other.origin.file) || compare(one.pipeline, other.pipeline);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function first<T>(all: readonly T[], order: (one: T, other: T) => number): T | undefined {
  return all.length === 0 ? undefined : all.reduce((best, one) => (order(one, best) < 0 ? one : best));
}

/** The other names that declarers give the SCM: each once, regardless of letter case. */
export function otherNames(declarers: readonly Declarer[], id: string, name: string): string[] {
  const names = new Map<string, string>();
  for (const declarer of declarers) {
    const called = declaredName(declarer, id) ?? name;
    const key = called.toLowerCase();
    const known = names.get(key);
    if (known === undefined || called < known) names.set(key, called);
  }
  names.delete(name.toLowerCase());
  return [...names.values()].sort();
}
