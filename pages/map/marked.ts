// The node under the pointer or with the focus: the lines from and to it stand out.
import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** One listener for all nodes. A signal, so that only the lines are drawn again: the map would compare all nodes with themselves. */
export function useMarked(box: RefObject<HTMLElement>): Signal<string | undefined> {
  const marked = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const mark = ({ target }: Event): void => {
      marked.value = target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined;
    };
    const clear = (): void => {
      marked.value = undefined;
    };
    element.addEventListener('mouseover', mark);
    element.addEventListener('focusin', mark);
    element.addEventListener('mouseleave', clear);
    return () => {
      element.removeEventListener('mouseover', mark);
      element.removeEventListener('focusin', mark);
      element.removeEventListener('mouseleave', clear);
    };
  }, []);
  return marked;
}
