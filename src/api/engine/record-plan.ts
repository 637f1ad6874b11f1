// The plan in the answer to a dry run of a write to records outside the configuration, such as users and agents.
import { type FieldChange, fieldChanges } from '../../history/difference/difference.ts';
import type { JsonOut } from '../../shape/json/json.ts';
import { addPlan, MAX_CHANGES } from './dry-run-reply.ts';
import type { Answer, ApiRequest } from './route.ts';

/** One record as the API shows it; absent: there is none. */
export interface RecordChange {
  /** The kind, as in addresses. */
  readonly resource: string;
  /** What people call its kind. */
  readonly title: string;
  /** Empty: it gets one when it is written. */
  readonly id: string;
  /** What people call it, where its id says little. */
  readonly label?: string;
  readonly before?: JsonOut | undefined;
  readonly after?: JsonOut | undefined;
}

/** `records` is called for dry runs only, which leave the records as they were. Nothing refers to records, so nothing else is affected. */
export function withRecordPlan(answer: Answer, { isDryRun }: Pick<ApiRequest, 'isDryRun'>, records: () => readonly RecordChange[]): Answer {
  if (!isDryRun) return answer;
  const all = records();
  const more = all.length - MAX_CHANGES;
  const changes = all.slice(0, MAX_CHANGES).flatMap((record) => {
    const differences = differencesOf(record);
    const { resource, id, label } = record;
    const named = { resource, id, ...(label !== undefined && { label }) };
    return differences.length === 0 ? [] : [{ ...named, operation: operationOf(record), differences }];
  });
  return addPlan(answer, { changes, ...(more > 0 && { more_changes: more }), affected: [] });
}

function operationOf({ before, after }: RecordChange): 'create' | 'update' | 'delete' {
  if (!before) return 'create';
  return after ? 'update' : 'delete';
}

function differencesOf({ title, id, before, after }: RecordChange): FieldChange[] {
  if (before && after) return fieldChanges(withoutLinks(before), withoutLinks(after));
  const words = `${id === '' ? title : `${title} '${id}'`} ${after ? 'created' : 'deleted'}`;
  if (after) return [{ path: '', operation: 'add', after: withoutLinks(after), words }];
  return before ? [{ path: '', operation: 'remove', before: withoutLinks(before), words }] : [];
}

function withoutLinks({ _links: _, ...members }: JsonOut): JsonOut {
  return members;
}
