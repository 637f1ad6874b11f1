// One changeset of `tf history -format:xml` as a modification.
import type { XmlElement } from '../../../kit/xml/tree.ts';
import type { FileAction, NewModification } from '../../clients/client.ts';
import { childrenOf, textOf } from '../../clients/xml-records.ts';

/** A change can be several things at once: `add, edit, encoding`. The first of these counts. */
const ACTIONS: readonly (readonly [type: string, action: FileAction])[] = [
  ['add', 'added'],
  ['branch', 'added'],
  ['undelete', 'added'],
  ['delete', 'deleted'],
  ['edit', 'modified'],
  ['rename', 'modified'],
  ['merge', 'modified'],
  ['rollback', 'modified'],
];

export function modificationOf(changeset: XmlElement): NewModification {
  const { attributes } = changeset;
  return {
    revision: attributes.get('id') ?? '',
    userName: attributes.get('owner') ?? attributes.get('committer') ?? null,
    email: null,
    comment: textOf(changeset, 'comment'),
    modifiedTime: timeOf(attributes.get('date') ?? ''),
    files: childrenOf(changeset, 'item').map((item) => ({
      name: item.attributes.get('server-item') ?? '',
      action: actionOf(item.attributes.get('change-type') ?? ''),
    })),
  };
}

function actionOf(changeType: string): FileAction {
  const types = changeType.toLowerCase().split(/,\s*/);
  return ACTIONS.find(([type]) => types.includes(type))?.[1] ?? 'unknown';
}

/** The offset of the zone is written without a colon. */
function timeOf(date: string): Date {
  const time = new Date(date.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(time.getTime()) ? new Date(0) : time;
}
