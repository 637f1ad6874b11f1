// A button that opens a short list of actions. The popover of the browser closes it by Escape and by a click elsewhere.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { showMessage } from '../messages.tsx';
import { positionBelow } from './popover.ts';

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  /** Why it cannot be done now; shown instead of running it. */
  readonly refusal?: string;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly children: ComponentChildren;
}

const STEPS: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export function Menu({ label, items, children }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Lists have a menu in each row: its items are made when it is opened.
  const [isOpen, setIsOpen] = useState(false);
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined || list.current === null) return;
    event.preventDefault();
    const buttons = [...list.current.querySelectorAll('button')];
    buttons[step(buttons.indexOf(document.activeElement as HTMLButtonElement), buttons.length)]?.focus();
  };
  const toggle = ({ newState }: { readonly newState: string }): void => setIsOpen(newState === 'open');
  useLayoutEffect(() => {
    if (!isOpen || list.current === null || button.current === null) return;
    positionBelow(list.current, button.current, 'right');
    list.current.querySelector('button')?.focus();
  }, [isOpen]);
  return (
    <>
      <button ref={button} type="button" class="icon-button" aria-label={label} title={label} aria-haspopup="menu" popovertarget={id}>
        {children}
      </button>
      <div ref={list} id={id} popover="auto" class="menu" role="menu" tabIndex={-1} aria-label={label} onKeyDown={move} onToggle={toggle}>
        {(isOpen ? items : []).map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            aria-disabled={item.refusal !== undefined}
            title={item.refusal}
            onClick={() => {
              list.current?.hidePopover();
              if (item.refusal === undefined) item.run();
              else showMessage(item.refusal, 'failed');
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}
