// Keeps the keys that the user types before the field for them is there.

const CHANGED_BY_MODIFIERS = ['ctrlKey', 'metaKey', 'altKey'] as const;

/** Keeps keys from the page, which would take letters for shortcuts. Gives the text, and lets go of the keys. */
export function holdKeys(): () => string {
  let typed = '';
  const hold = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Escape' || CHANGED_BY_MODIFIERS.some((modifier) => event[modifier])) return;
    if (key === 'Backspace') typed = typed.slice(0, -1);
    else if (key.length === 1) typed += key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', hold, { capture: true });
  return () => {
    window.removeEventListener('keydown', hold, { capture: true });
    return typed;
  };
}
