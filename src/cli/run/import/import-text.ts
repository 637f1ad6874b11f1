// The changes that an import has made, or would make, in plain words.

import { pluralOf } from '../../../document/save/entity-label.ts';
import type { CheckedPlan, PlannedEntity } from '../../../document/save/plan.ts';
import type { TextProblem } from '../../../kit/xml/tree.ts';
import type { Paint } from '../../terminal/context.ts';

export interface ImportResult {
  readonly plan: CheckedPlan;
  /** The schema version of the file. */
  readonly version: number;
  readonly revision: number | undefined;
  /** Whether the key of the server that wrote the file is now the key of this one, too. */
  readonly isKeyAdopted?: boolean;
}

const MAX_NAMES = 10;
const NEWEST_VERSION = 139;

export function importText({ plan, version, revision, isKeyAdopted = false }: ImportResult, isPlan: boolean, paint: Paint): string {
  const upgraded = version < NEWEST_VERSION ? [`The file has schema version ${version}; it was read as version ${NEWEST_VERSION}.`] : [];
  return [
    ...upgraded,
    ...group(paint('green', 'Created'), plan.created),
    ...group(paint('yellow', 'Changed'), plan.changed),
    ...group(paint('red', 'Removed'), plan.removed),
    ...(plan.unchanged > 0 ? [`Unchanged: ${plan.unchanged}`] : []),
    ...(plan.ignored.length > 0 ? ['Ignored:', ...plan.ignored.map(({ what, why }) => `  ${what}. ${why}`)] : []),
    ...warningLines(plan.warnings, paint),
    ...(isKeyAdopted ? ['The key file is taken over, too: nothing was encrypted here yet.'] : []),
    paint('bold', headline(revision, isPlan)),
    '',
  ].join('\n');
}

function warningLines(warnings: CheckedPlan['warnings'], paint: Paint): string[] {
  if (warnings.length === 0) return [];
  const lines = warnings.map(({ line, message }) => `  line ${line}: ${message}`);
  return [`${paint('yellow', 'Taken over, although the plugin does not accept it')}:`, ...lines];
}

function group(title: string, entities: readonly PlannedEntity[]): string[] {
  if (entities.length === 0) return [];
  const lines = [...Map.groupBy(entities, ({ kind }) => kind)].map(([kind, members]) => {
    const named = members.map(({ id }) => id).filter((id) => id !== '');
    const more = named.length > MAX_NAMES ? ` and ${named.length - MAX_NAMES} more` : '';
    return named.length === 0
      ? `  ${pluralOf({ name: kind })}`
      : `  ${pluralOf({ name: kind })} (${named.length}): ${named.slice(0, MAX_NAMES).join(', ')}${more}`;
  });
  return [`${title}:`, ...lines];
}

function headline(revision: number | undefined, isPlan: boolean): string {
  if (isPlan) return 'This was the plan only: nothing was changed.';
  return revision === undefined ? 'Nothing had to be changed.' : `Done, as revision ${revision}.`;
}

export function refusalText(file: string, problems: readonly TextProblem[], paint: Paint): string {
  const count = problems.length === 1 ? 'something is' : `${problems.length} things are`;
  const lines = problems.map(({ line, message }) => `${file}:${line}: ${message}`);
  return [paint('red', `The file is refused and nothing was changed: ${count} wrong with it.`), ...lines, ''].join('\n');
}
