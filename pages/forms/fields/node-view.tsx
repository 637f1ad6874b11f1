// Draws a form, part by part.
import { computed } from '@preact/signals';
import { Fragment } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { LazyItem } from '../../kit/list/lazy-item.tsx';
import { memo } from '../../kit/memo.ts';
import { chosenNode, type Item, itemOf, type ListNode, type Node, type ObjectNode, type VariantNode } from '../model/node.ts';
import { hasProblemsNow } from '../model/problems.ts';
import { singularOf } from '../schema/fields.ts';
import { FlagView } from './flag-view.tsx';
import { forgetProblems, Problems } from './frame.tsx';
import { Prose } from './prose.tsx';
import { SecretView } from './secret-view.tsx';
import { SettingsView } from './settings-view.tsx';
import { TextView } from './text-view.tsx';
import { TextsView } from './texts-view.tsx';

export interface NodeViewProps {
  readonly node: Node;
  /** In a row of a list. */
  readonly isCompact?: boolean;
}

export function NodeView({ node, isCompact = false }: NodeViewProps) {
  switch (node.is) {
    case 'text':
      return <TextView node={node} isCompact={isCompact} />;
    case 'flag':
      return <FlagView node={node} isCompact={isCompact} />;
    case 'texts':
      return <TextsView node={node} isCompact={isCompact} />;
    case 'secret':
      return <SecretView node={node} isCompact={isCompact} />;
    case 'object':
      return <Group node={node} />;
    case 'list':
      return <List node={node} />;
    case 'variant':
      return <Variant node={node} isCompact={isCompact} />;
    case 'settings':
      return <SettingsView node={node} />;
  }
}

export function Members({ node, isCompact = false }: { readonly node: ObjectNode; readonly isCompact?: boolean }) {
  return (
    <>
      {node.members.map((member) => (
        <NodeView key={member.field.name} node={member} isCompact={isCompact} />
      ))}
    </>
  );
}

function Group({ node }: { readonly node: ObjectNode }) {
  const { label, about } = node.field;
  return (
    <fieldset class="group">
      <legend>{label}</legend>
      {about !== undefined && (
        <p class="field-about">
          <Prose text={about} />
        </p>
      )}
      <Problems problems={node.problems.value} />
      <Members node={node} />
    </fieldset>
  );
}

function Variant({ node, isCompact }: { readonly node: VariantNode; readonly isCompact: boolean }) {
  const { field, choice, problems } = node;
  const chosen = chosenNode(node);
  const choose = (value: string): void => {
    choice.value = value;
    forgetProblems(problems);
  };
  return (
    <>
      <Problems problems={problems.value} />
      {!field.isChosenBeside && (
        <div class="field">
          <label>
            Type{' '}
            <select value={choice.value} onInput={({ currentTarget }) => choose(currentTarget.value)}>
              {field.variants.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {chosen !== undefined && (
        // Another choice is another form, also where its fields have the same names.
        <Fragment key={choice.value}>
          {chosen.is === 'object' ? <Members node={chosen} isCompact={isCompact} /> : <NodeView node={chosen} />}
        </Fragment>
      )}
    </>
  );
}

/** Number of rows that are drawn before the visible part is known. */
const FIRST = 20;
const ROW_HEIGHT = 56;

function List({ node }: { readonly node: ListNode }) {
  const { field, items, problems } = node;
  const [shown, setShown] = useState<number>();
  const rows = useRef<HTMLOListElement>(null);
  const singular = singularOf(field.label);
  const wrong = useMemo(() => computed(() => items.value.flatMap(({ node: item }, at) => (hasProblemsNow(item) ? [at] : []))), [node]);
  const change = (next: readonly Item[]): void => {
    items.value = next;
    forgetProblems(problems);
  };
  const add = (): void => {
    const item = itemOf(field.item, undefined);
    change([...items.peek(), item]);
    setShown(item.id);
    // The new row is drawn in the next frame.
    requestAnimationFrame(() => rows.current?.lastElementChild?.querySelector<HTMLElement>('input, select, textarea')?.focus());
  };
  return (
    <fieldset class="group">
      <legend>{field.label}</legend>
      {field.about !== undefined && (
        <p class="field-about">
          <Prose text={field.about} />
        </p>
      )}
      <Problems problems={problems.value} />
      {items.value.length > FIRST && wrong.value.length > 0 && (
        <p>
          Look at{' '}
          {wrong.value.slice(0, FIRST).map((at) => (
            <button key={at} type="button" class="link-button" onClick={() => setShown(items.peek()[at]?.id)}>
              {singular} {at + 1}{' '}
            </button>
          ))}
        </p>
      )}
      <ol ref={rows} class="rows" aria-label={field.label}>
        {items.value.map((item, at) => (
          <LazyItem key={item.id} isFirst={at < FIRST || item.id === shown} isSelected={item.id === shown} height={ROW_HEIGHT}>
            {() => <Row list={node} item={item} name={`${singular} ${at + 1}`} isFirst={at === 0} isLast={at === items.value.length - 1} />}
          </LazyItem>
        ))}
      </ol>
      <button type="button" class="button" onClick={add}>
        Add {singular.toLowerCase()}
      </button>
    </fieldset>
  );
}

interface RowProps {
  readonly list: ListNode;
  readonly item: Item;
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

const Row = memo(function Row({ list: { items, problems }, item, name, isFirst, isLast }: RowProps) {
  const change = (next: readonly Item[]): void => {
    items.value = next;
    forgetProblems(problems);
  };
  const move = (by: number): void => {
    const at = items.peek().indexOf(item);
    const others = items.peek().toSpliced(at, 1);
    change(others.toSpliced(at + by, 0, item));
  };
  const { node } = item;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend in each of hundreds of rows
    <div class="row-fields" role="group" aria-label={name}>
      {node.is === 'object' ? <Members node={node} isCompact /> : <NodeView node={node} isCompact />}
      <span class="row-buttons">
        <button type="button" class="icon-button" aria-label={`Move ${name} up`} disabled={isFirst} onClick={() => move(-1)}>
          ↑
        </button>
        <button type="button" class="icon-button" aria-label={`Move ${name} down`} disabled={isLast} onClick={() => move(1)}>
          ↓
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Remove ${name}`}
          onClick={() => change(items.peek().filter((one) => one !== item))}
        >
          ×
        </button>
      </span>
    </div>
  );
});
