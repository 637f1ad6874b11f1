// Keys that do something on a page. Sequences such as `g p` are two keys after each other.
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

export interface Shortcut {
  readonly keys: string;
  readonly description: string;
  readonly run: () => void;
}

const SEQUENCE_MS = 1_000;
/** The shortcuts in force, the newest last: shortcuts of a page win over those of the whole application. */
const shortcuts = signal<readonly Shortcut[]>([]);
let begun = '';
let begunAt = 0;

export function allShortcuts(): readonly Shortcut[] {
  return shortcuts.value;
}

/** In force while the component is shown. */
export function useShortcuts(own: readonly Shortcut[]): void {
  // At once: the next key may come before the page is drawn, and must not run a shortcut of the last drawing.
  useLayoutEffect(() => {
    shortcuts.value = [...shortcuts.peek(), ...own];
    return () => {
      shortcuts.value = shortcuts.peek().filter((shortcut) => !own.includes(shortcut));
    };
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Enter and Space activate the focused link or button. */
function isOfFocused({ key, target }: KeyboardEvent): boolean {
  return (key === 'Enter' || key === ' ') && target instanceof Element && target.closest('a, button, summary') !== null;
}

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.altKey || isOfFocused(event)) return;
  const withControl = event.ctrlKey || event.metaKey;
  // Of an editor in a shadow tree, the target is only its place in the page.
  if (!withControl && isTyping(event.composedPath()[0] ?? null)) return;
  // An open dialog or menu gets the keys first.
  if (document.querySelector('dialog[open], [role="menu"]:popover-open') !== null) return;
  const key = withControl ? `Ctrl ${event.key}` : event.key;
  const sequence = Date.now() - begunAt < SEQUENCE_MS && begun !== '' ? `${begun} ${key}` : key;
  const found = shortcuts.peek().findLast(({ keys }) => keys === sequence) ?? shortcuts.peek().findLast(({ keys }) => keys === key);
  begun = '';
  if (found !== undefined) {
    event.preventDefault();
    found.run();
  } else if (shortcuts.peek().some(({ keys }) => keys.startsWith(`${key} `))) {
    begun = key;
    begunAt = Date.now();
  }
});
