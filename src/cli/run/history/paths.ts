// The paths of the API for the history of the configuration.
import type { Subject } from '../resources/forms.ts';

export const REVISIONS_PATH = '/api/admin/config/revisions';
const ENTITIES_PATH = '/api/admin/config/entities';

function entityPath({ form, id }: Subject): string {
  return [ENTITIES_PATH, form.resource, ...(id === undefined ? [] : [encodeURIComponent(id)])].join('/');
}

export function entityHistoryPath(subject: Subject): string {
  return `${entityPath(subject)}/history`;
}

export function entityRevertPath(subject: Subject): string {
  return `${entityPath(subject)}/revert`;
}

export function revisionRevertPath(revision: string): string {
  return `${REVISIONS_PATH}/${revision}/revert`;
}
