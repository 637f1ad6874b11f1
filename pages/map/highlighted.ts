// The node under the pointer or with the focus: the lines from and to it stand out.
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** One listener for all nodes. A signal, so that only the lines are drawn again: the map would compare all nodes with themselves. */
export function useHighlighted(box: RefObject<HTMLElement>): Signal<string | undefined> {
  const highlighted = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const highlight = ({ target }: Event): void => {
      highlighted.value = target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined;
    };
    const clear = (): void => {
      highlighted.value = undefined;
    };
    element.addEventListener('mouseover', highlight);
    element.addEventListener('focusin', highlight);
    element.addEventListener('mouseleave', clear);
    return () => {
      element.removeEventListener('mouseover', highlight);
      element.removeEventListener('focusin', highlight);
      element.removeEventListener('mouseleave', clear);
    };
  }, []);
  return highlighted;
}
