// Changes of entities, as people read them.
import type { ChangeOperation, EntityChange, EntityName, FieldDifference } from '../../api/change-answers.ts';
import type { Json } from '../../api/json.ts';

export const OPERATION_LABELS: Readonly<Record<ChangeOperation, string>> = { create: 'created', update: 'changed', delete: 'deleted' };

/** Records outside the configuration: nobody keeps their history. */
const WITHOUT_HISTORY: ReadonlySet<string> = new Set(['agents', 'notification_filters', 'service_accounts', 'users']);

export function hasHistory({ resource }: EntityName): boolean {
  return !WITHOUT_HISTORY.has(resource);
}

/** `pipelines`, `default job timeout`: the kind of configuration, as in addresses. */
export function kindText(resource: string): string {
  return resource.replaceAll('_', ' ');
}

/** `environments preview`; for a singleton, the kind alone. */
export function entityText({ resource, id, label = id }: EntityName & Pick<EntityChange, 'label'>): string {
  return id === '' ? kindText(resource) : `${kindText(resource)} ${label}`;
}

/** A value as lines; nothing where there is none. */
export function jsonText(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Where a difference is: `environment_variables / 0 / value`. */
export function pathText({ path }: Pick<FieldDifference, 'path'>): string {
  return path.split('/').slice(1).map(unescapeStep).join(' / ');
}

/** Decodes a step of a JSON pointer. */
function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
