// One entry of `svn log --xml --verbose` as a modification.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import type { FileAction, ModifiedFile, NewModification } from '../../clients/client.ts';
import { childrenOf, contentOf, textOf } from '../../clients/xml-records.ts';

const ACTIONS: Readonly<Record<string, FileAction>> = { A: 'added', M: 'modified', D: 'deleted' };

export function revisionOf(entry: XmlElement): string {
  return entry.attributes.get('revision') ?? '';
}

/** `prefix` is the path of the material in its repository, without a slash at the end. An entry without paths is one we may not see: undefined. */
export function modificationOf(entry: XmlElement, prefix: string): NewModification | undefined {
  const [paths] = childrenOf(entry, 'paths');
  if (!paths) return undefined;
  return {
    revision: revisionOf(entry),
    userName: textOf(entry, 'author'),
    email: null,
    comment: textOf(entry, 'msg'),
    modifiedTime: new Date(textOf(entry, 'date') ?? 0),
    files: childrenOf(paths, 'path')
      .map(fileOf)
      .filter(({ name }) => prefix === '' || name === prefix || name.startsWith(`${prefix}/`)),
  };
}

function fileOf(path: XmlElement): ModifiedFile {
  return { name: contentOf(path), action: ACTIONS[path.attributes.get('action') ?? ''] ?? 'unknown' };
}
