// A word that says more on a click, a touch or Enter: a tooltip alone can be reached by the mouse only.
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { positionBelow } from './popover.ts';

export interface HintProps {
  readonly text: string;
  /** In place of the text, with elements. */
  readonly shown?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Hint({ text, shown = text, children }: HintProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const toggle = ({ newState }: { readonly newState: string }): void => {
    setIsOpen(newState === 'open');
    if (newState === 'open' && popover.current !== null && button.current !== null) positionBelow(popover.current, button.current, 'left');
  };
  return (
    <>
      <button ref={button} type="button" class="hint" title={text} popovertarget={id} aria-expanded={isOpen}>
        {children}
      </button>
      <div ref={popover} id={id} popover="auto" class="hint-text" role="status" onToggle={toggle}>
        {isOpen && shown}
      </div>
    </>
  );
}
