// The entities that a write changes: the changes of each in sentences, and as JSON when the user asks for it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EntityChange, EntityName, FieldDifference } from '../../api/change-answers.ts';
import { currentSession } from '../../api/session.ts';
import { Link } from '../link.tsx';
import { pageOf } from '../routing.ts';
import { pluralize } from '../text/text.ts';
import { entityText, hasHistory, jsonText, OPERATION_LABELS, pathText } from './change-text.ts';
import { SideBySide } from './side-by-side.tsx';

const SENTENCES_AT_FIRST = 20;
const ENTITIES_AT_FIRST = 100;

interface ChangedEntitiesProps {
  readonly changes: readonly EntityChange[];
  /** Nothing is changed yet: what would be created has no page. */
  readonly isPlan?: boolean;
  /** How many more there are than listed. */
  readonly more?: number;
}

export function ChangedEntities({ changes, isPlan = false, more = 0 }: ChangedEntitiesProps) {
  return (
    <>
      <FirstOf items={changes} max={ENTITIES_AT_FIRST} class="changed-entities">
        {(change) => <ChangedEntity key={`${change.resource}\n${change.id}`} change={change} isPlan={isPlan} />}
      </FirstOf>
      {more > 0 && <p class="quiet">And {pluralize(more, 'more entity', 'more entities')}.</p>}
    </>
  );
}

function ChangedEntity({ change, isPlan }: { readonly change: EntityChange; readonly isPlan: boolean }) {
  const { operation, differences, is_hidden: isHidden = false } = change;
  return (
    <li>
      <p class="changed-entity">
        <span class={`badge is-${operation}`}>{OPERATION_LABELS[operation]}</span>{' '}
        {isPlan && operation === 'create' ? <strong>{entityText(change)}</strong> : <EntityLink entity={change} />}
      </p>
      {isHidden && <p class="quiet">You may not look at it, so what changes in it is not shown.</p>}
      {differences === null && <p class="quiet">What changed is not kept any more.</p>}
      {differences !== null && differences.length > 0 && <Differences differences={differences} />}
    </li>
  );
}

/** The changed fields of one entity. */
export function Differences({ differences }: { readonly differences: readonly FieldDifference[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <FirstOf items={differences} max={SENTENCES_AT_FIRST} class="change-sentences">
        {({ path, operation, words }) => <li key={`${operation} ${path}`}>{words}</li>}
      </FirstOf>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>As JSON</summary>
        {isOpen &&
          differences.map((difference) => <FieldAsJson key={`${difference.operation} ${difference.path}`} difference={difference} />)}
      </details>
    </>
  );
}

function FieldAsJson({ difference }: { readonly difference: FieldDifference }) {
  const path = pathText(difference);
  return (
    <>
      {path !== '' && <p class="change-path">{path}</p>}
      <SideBySide before={jsonText(difference.before)} after={jsonText(difference.after)} />
    </>
  );
}

/** Leads administrators to the history of an entity; other users only read its name. */
export function EntityLink({ entity }: { readonly entity: EntityName & Pick<EntityChange, 'label'> }) {
  const name = entityText(entity);
  if (currentSession()?.is_admin !== true || !hasHistory(entity)) return <strong>{name}</strong>;
  return <Link href={pageOf.entityChanges(entity)}>{name}</Link>;
}

interface FirstOfProps<T> {
  readonly items: readonly T[];
  readonly max: number;
  readonly class: string;
  readonly children: (item: T) => ComponentChildren;
}

/** A list that begins short, and is whole when the user asks for it. */
function FirstOf<T>({ items, max, class: name, children }: FirstOfProps<T>) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, max);
  return (
    <>
      <ul class={name}>{shown.map(children)}</ul>
      {shown.length < items.length && (
        <button type="button" class="link-button" onClick={() => setIsWhole(true)}>
          {items.length - shown.length} more
        </button>
      )}
    </>
  );
}
