// A question over the page. The browser's own dialog keeps the focus inside, and Escape closes it.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  /** Escape, the cross and a click beside the dialog close it. Absent: only a button among the children does. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}

/** Focuses the first field, else the submit button. A focus that is in the dialog already stays. */
export function focusFirstField(dialog: Element | null): void {
  const body = dialog?.querySelector('.dialog-content > :not(.dialog-header)');
  if (!body || body.contains(document.activeElement)) return;
  const first =
    body.querySelector<HTMLElement>('input, select, textarea') ?? body.querySelector<HTMLElement>('button[type="submit"]:enabled');
  first?.focus();
}

export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const isPressedBeside = useRef(false);
  // Before it is drawn: keys that the user presses at once go into its first field.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const opened = dialog.current;
    opened?.showModal();
    // The browser would choose the button that closes it, which comes first.
    focusFirstField(opened);
    return () => {
      // While it is open, nothing beside it can get the focus.
      opened?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which the dialog reports by `cancel`
    <dialog
      ref={dialog}
      class={isWide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // Browsers close it at the second Escape, even if the first was prevented.
      onClose={onClose === undefined ? () => dialog.current?.showModal() : undefined}
      // Selecting text with the mouse may end beside the dialog, which browsers report as a click on it.
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => {
        if (event.target === dialog.current && isPressedBeside.current) onClose?.();
      }}
    >
      <div class="dialog-content">
        <div class="dialog-header">
          <h2 id={id}>{title}</h2>
          {onClose !== undefined && (
            <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
              ×
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
