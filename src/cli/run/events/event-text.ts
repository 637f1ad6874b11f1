// One event in one line.
import type { JsonObject } from '../../../shape/json/json.ts';
import { oneLine } from '../../output/table.ts';

export interface ServerEvent {
  readonly number: number;
  readonly time: string;
  readonly type: string;
  readonly actor: string | null;
  readonly about: readonly { readonly resource: string; readonly id: string; readonly operation?: string }[];
  readonly data: JsonObject;
}

/** A change may touch hundreds. */
const MAX_SUBJECTS = 5;

export function eventText({ number, time, type, actor, about }: ServerEvent): string {
  const subjects = about.slice(0, MAX_SUBJECTS).map(({ operation, resource, id }) => [operation, resource, id].filter(Boolean).join(' '));
  const more = about.length > MAX_SUBJECTS ? [`and ${about.length - MAX_SUBJECTS} more`] : [];
  return `${oneLine([number, time, type, actor ?? '-', [...subjects, ...more].join(', ')].join('  ')).trimEnd()}\n`;
}
