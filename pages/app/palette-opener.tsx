// The button and the key that open the palette, whose code is loaded then.
import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { tell } from '../kit/messages.tsx';
import { useShortcuts } from '../kit/shortcuts.ts';

type PaletteComponent = ComponentType<{ readonly onClose: () => void }>;

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

export function PaletteOpener() {
  const [Palette, setPalette] = useState<PaletteComponent>();
  const open = (): void => {
    import('./palette.tsx').then(
      (loaded) => setPalette(() => loaded.Palette),
      () => tell('The list of pages could not be loaded. Perhaps the server is away.', 'failed'),
    );
  };
  useShortcuts([{ keys: 'Ctrl k', does: 'Go to a page or a pipeline', run: open }]);
  return (
    <>
      <button type="button" class="button is-small palette-opener" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        Go to … <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {Palette !== undefined && <Palette onClose={() => setPalette(undefined)} />}
    </>
  );
}
