// An entity as answers show it: its own fields, and the fields of other entities that its kind shows.
import { writeEntity } from '../shape/json/entity-json.ts';
import { etagOfAll } from '../shape/json/etag.ts';
import type { JsonOut } from '../shape/json/json.ts';
import type { Entity, Kind, RuleView } from '../shape/resource.ts';
import { DIGESTS, type SecretWriters } from '../shape/secrets/secret-writer.ts';
import type { Entry } from './entry.ts';

export function presentEntity(kind: Kind, entity: Entity, ruleView: RuleView, secrets: SecretWriters, base?: string): JsonOut {
  const own = writeEntity(kind, entity, secrets, base);
  return kind.shows ? { ...own, ...kind.shows.add(entity, ruleView, { base, secrets: secrets(kind, entity) }) } : own;
}

/** The tag that clients see and send back; it covers the shown fields of other entities where the kind says so. */
export function presentedEtag(kind: Kind, { etag, value }: Pick<Entry, 'etag' | 'value'>, ruleView: RuleView): string {
  if (!kind.shows?.isPartOfEtag) return etag;
  const shown = kind.shows.add(value, ruleView, { base: undefined, secrets: DIGESTS });
  return Object.keys(shown).length === 0 ? etag : etagOfAll([etag, JSON.stringify(shown)]);
}
