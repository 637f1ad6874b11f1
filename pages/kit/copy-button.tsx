// Copies a text, where the browser allows it.
import { useState } from 'preact/hooks';

const SHOWN_MS = 1_500;

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [shown, setShown] = useState(label);
  const copy = async (): Promise<void> => {
    // Browsers offer the clipboard only to pages that came by TLS or from this machine.
    const outcome = await navigator.clipboard?.writeText(text).then(
      () => 'Copied',
      () => undefined,
    );
    setShown(outcome ?? 'Select and copy');
    setTimeout(() => setShown(label), SHOWN_MS);
  };
  return (
    <button type="button" class="button is-small" onClick={() => void copy()}>
      {shown}
    </button>
  );
}
