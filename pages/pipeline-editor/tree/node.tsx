// One line of the tree: chosen by a click or Enter, moved by the mouse or by Alt ↑ and Alt ↓.
import type { ReadonlySignal } from '@preact/signals';
import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Lens, Path } from '../../forms/edit/lens.ts';
import { draggable } from '../../forms/edit/order.tsx';
import type { Chooser } from '../editor-state.ts';
import { GENERAL, partKeyOf } from '../part-key.ts';

interface NodeProps {
  readonly editor: Chooser;
  readonly path: Path | typeof GENERAL;
  readonly title: ReadonlySignal<string>;
  readonly children?: ComponentChildren;
}

export function Node({ editor, path, title, children }: NodeProps) {
  const partKey = path === GENERAL ? GENERAL : partKeyOf(path);
  const isChosen = useMemo(() => computed(() => editor.partKey === partKey), [partKey]);
  const hasProblems = useMemo(() => computed(() => path !== GENERAL && editor.hasProblems(path)), [partKey]);
  return (
    <span class="tree-line">
      <button
        type="button"
        class={hasProblems.value ? 'tree-node has-problems' : 'tree-node'}
        aria-current={isChosen.value ? 'true' : undefined}
        data-part={partKey}
        onClick={() => editor.choose(path)}
      >
        {title.value || '(no name)'}
        {hasProblems.value && <span class="badge is-failed">!</span>}
      </button>
      {children}
    </span>
  );
}

interface SortableProps<T> {
  readonly editor: Chooser;
  readonly list: Lens<readonly T[]>;
  readonly index: number;
  readonly isReadOnly: boolean;
  readonly children: ComponentChildren;
}

/** An item of a list whose order counts. */
export function Sortable<T>({ editor, list, index, isReadOnly, children }: SortableProps<T>) {
  const moved = (path: Path, from: number, to: number): void => {
    editor.keepChosen(path, from, to);
    // The moved item keeps the focus; it is drawn in its new place in the next frame.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-part="${partKeyOf([...path, to])}"]`)?.focus());
  };
  return <li {...(isReadOnly ? {} : draggable(list, index, moved))}>{children}</li>;
}

export function AddButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      +
    </button>
  );
}
