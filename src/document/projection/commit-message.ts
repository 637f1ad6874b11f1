// The commit message of a revision in the history: its changes, their reason, and its number.
import { idOf, type Kind } from '../../shape/resource.ts';
import type { LoggedRevision } from '../../store/readers/change-feed.ts';
import type { ChangeRow } from '../../store/rows/configuration.ts';

const MAX_LISTED = 200;

export function commitMessage(
  { revision, reason, changes }: LoggedRevision,
  kinds: ReadonlyMap<string, Kind>,
  { md5, schemaVersion }: { readonly md5: string; readonly schemaVersion: string },
): string {
  const what = changes.map((change) => describe(change, kinds));
  const title = what.length === 1 ? what[0]! : `Change ${what.length} entities`;
  const listed = what.length === 1 ? [] : what.slice(0, MAX_LISTED);
  if (what.length > listed.length && listed.length > 0) listed.push(`… and ${what.length - listed.length} more`);
  const paragraphs = [
    title,
    listed.join('\n'),
    reason ?? '',
    [`Revision: ${revision}`, `Schema-Version: ${schemaVersion}`, `Config-MD5: ${md5}`].join('\n'),
  ];
  return `${paragraphs.filter((paragraph) => paragraph.trim() !== '').join('\n\n')}\n`;
}

function describe(
  { kind: name, key, operation, before, after }: Pick<ChangeRow, 'kind' | 'key' | 'operation' | 'before' | 'after'>,
  kinds: ReadonlyMap<string, Kind>,
) {
  const kind = kinds.get(name);
  const verb = operation[0]!.toUpperCase() + operation.slice(1);
  if (!kind) return `${verb} ${name}`;
  const value = after ?? before;
  // Of a compacted change only the key is left.
  const id = value === null ? key : idOf(kind, JSON.parse(value));
  return id === '' ? `${verb} ${kind.title.toLowerCase()}` : `${verb} ${kind.title.toLowerCase()} '${id}'`;
}
