// Lists whose order counts: by the mouse, and by the keys Alt ↑ and Alt ↓.
import type { JSX } from 'preact';
import { type Lens, lengthOf, move, type Path } from './lens.ts';

const KIND = 'application/x-slipway-row';

/** Called after an item of the list at this path was moved. */
export type OnMoved = (list: Path, from: number, to: number) => void;

/** Properties of an element that is dragged to another place of its list. */
export function draggable<T>(list: Lens<readonly T[]>, index: number, onMoved?: OnMoved): JSX.HTMLAttributes<HTMLLIElement> {
  const go = (from: number, to: number): void => {
    if (to < 0 || to >= list.now.peek().length || from === to) return;
    move(list, from, to);
    onMoved?.(list.path, from, to);
  };
  const kind = `${KIND}-${list.path.join('-').replaceAll('_', '')}`.toLowerCase();
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }) => {
      if (dataTransfer === null) return;
      dataTransfer.effectAllowed = 'move';
      dataTransfer.setData(kind, String(index));
    },
    onDragOver: (event) => {
      if (event.dataTransfer?.types.includes(kind)) event.preventDefault();
    },
    onDrop: (event) => {
      const from = event.dataTransfer?.getData(kind) ?? '';
      if (from === '') return;
      event.preventDefault();
      event.stopPropagation();
      go(Number(from), index);
    },
    onKeyDown: (event) => {
      const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
      if (!event.altKey || step === 0) return;
      event.preventDefault();
      event.stopPropagation();
      go(index, index + step);
    },
  };
}

interface MoveButtonsProps<T> {
  readonly list: Lens<readonly T[]>;
  readonly index: number;
  readonly label: string;
  readonly onMoved?: OnMoved;
}

/** For users of neither the mouse nor the keyboard shortcuts. */
export function MoveButtons<T>({ list, index, label, onMoved }: MoveButtonsProps<T>) {
  const count = lengthOf(list).value;
  const go = (to: number): void => {
    move(list, index, to);
    onMoved?.(list.path, index, to);
  };
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label={`Move ${label} up`}
        title="Up (Alt ↑)"
        disabled={index === 0}
        onClick={() => go(index - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Move ${label} down`}
        title="Down (Alt ↓)"
        disabled={index === count - 1}
        onClick={() => go(index + 1)}
      >
        ↓
      </button>
    </>
  );
}
