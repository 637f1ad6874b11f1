// A revision that another server has written, as if it had been decided here.
import { etagOf } from '../shape/json/etag.ts';
import type { Operation } from '../shape/problems/messages.ts';
import { type Entity, idOf, type Kind } from '../shape/resource.ts';
import type { WrittenChange, WrittenRevision } from '../store/remote-writes.ts';
import type { Config } from './current.ts';
import type { Edit } from './edit.ts';
import type { Entry } from './entry.ts';

export function revisionFrom({ changes, ...revision }: WrittenRevision, config: Config) {
  return { ...revision, edits: changes.map((change) => editFrom(change, config)) };
}

function editFrom({ kind: name, key, operation, revision, created, after: text }: WrittenChange, config: Config): Edit {
  const kind = config.kinds.get(name);
  if (!kind)
    throw new Error(`Another server has written configuration of a kind this version does not know: ${name}. Upgrade this server.`);
  const before = config.of(kind.name).find(key);
  const value = text === null ? undefined : (JSON.parse(text) as Entity);
  const after: Entry | undefined = value && { key, value, etag: etagOf(value), revision, created };
  const either = after ?? before;
  if (!either) throw new Error(`Another server has deleted ${name} '${key}', which is not known here.`);
  return edit(kind, either, operation, before, after);
}

/** The edits that turn one configuration into the other. */
export function differences(from: Config, to: Config): Edit[] {
  return [...from.kinds.values()].flatMap((kind) => {
    const [before, after] = [from.of(kind.name), to.of(kind.name)];
    const removed = [...before.all()].filter(({ key }) => !after.find(key));
    const put = [...after.all()].filter(({ key, etag, created }) => {
      const known = before.find(key);
      return known?.etag !== etag || known.created !== created;
    });
    return [
      ...removed.map((entry) => edit(kind, entry, 'delete', entry, undefined)),
      ...put.map((entry) => {
        const known = before.find(entry.key);
        return edit(kind, entry, known ? 'update' : 'create', known, entry);
      }),
    ];
  });
}

function edit(kind: Kind, { key, value }: Entry, operation: Operation, before: Entry | undefined, after: Entry | undefined): Edit {
  return { kind, key, id: idOf(kind, value), operation, before, after, problems: [] };
}
