// Reports when a file has its members in another order than this server will.
import type { Draft } from '../../config/draft.ts';
import type { EntityNamed, KindName } from '../../shape/configuration.ts';
import type { Kind } from '../../shape/resource.ts';
import type { IgnoredContent } from '../upgrade/step.ts';
import type { FileEntity } from './config-file.ts';
import { pluralOf } from './entity-label.ts';

/** The field that says in which list a member is, where its kind has several. */
const LIST_FIELDS: { readonly [K in KindName]?: keyof EntityNamed<K> & string } = { pipelines: 'group', packages: 'packageRepo' };

export function orderIgnored(kind: Kind, entities: readonly FileEntity[], draft: Draft): IgnoredContent[] {
  const lastCreated = new Map<string, number>();
  for (const { id } of entities) {
    const entry = draft.find(kind, id);
    if (!entry) continue;
    const list = String(entry.value[LIST_FIELDS[kind.name] ?? ''] ?? '').toLowerCase();
    if (entry.created < (lastCreated.get(list) ?? 0)) {
      return [{ what: `the order of ${pluralOf(kind)} in the file`, why: 'Lists are in the order in which their members were created.' }];
    }
    lastCreated.set(list, entry.created);
  }
  return [];
}
