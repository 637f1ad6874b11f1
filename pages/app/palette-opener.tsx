// The button and the key that open the palette, whose code is loaded then.
import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { showMessage } from '../kit/messages.tsx';
import { useShortcuts } from '../kit/shortcuts.ts';
import { holdKeys } from './held-keys.ts';
import type { PaletteProps } from './palette.tsx';
import type { Command } from './palette-targets.ts';

type PaletteComponent = ComponentType<PaletteProps>;

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

export function PaletteOpener({ commands }: { readonly commands: readonly Command[] }) {
  const [Palette, setPalette] = useState<PaletteComponent>();
  const typed = useRef<() => string>();
  const open = (): void => {
    if (typed.current !== undefined) return;
    typed.current = holdKeys();
    import('./palette.tsx').then(
      (loaded) => setPalette(() => loaded.Palette),
      () => {
        takeTyped();
        showMessage('The list of pages could not be loaded. Perhaps the server is away.', 'failed');
      },
    );
  };
  const takeTyped = (): string => {
    const text = typed.current?.() ?? '';
    typed.current = undefined;
    return text;
  };
  useShortcuts([{ keys: 'Ctrl k', description: 'Find a page, a pipeline or an action', run: open }]);
  return (
    <>
      <button type="button" class="button is-small palette-opener" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        Go to … <kbd>{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {Palette !== undefined && <Palette commands={commands} takeTyped={takeTyped} onClose={() => setPalette(undefined)} />}
    </>
  );
}
