// What a component has to know of a box that scrolls: measured again when the box scrolls or changes its size.
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface ScrollBoxOptions<Measured> {
  readonly initial: () => Measured;
  readonly measure: (element: HTMLElement) => Measured;
  readonly isSame: (one: Measured, other: Measured) => boolean;
  /** What the measure depends on besides the box. */
  readonly key: unknown;
}

/** The component is drawn again only when another result is measured. */
export function useScrollBox<Measured>(box: RefObject<HTMLElement>, options: ScrollBoxOptions<Measured>): Measured {
  const { initial, measure, isSame, key } = options;
  const [measured, setMeasured] = useState<Measured>(initial);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measureAgain = (): void => {
      const next = measure(element);
      setMeasured((before) => (isSame(before, next) ? before : next));
    };
    measureAgain();
    element.addEventListener('scroll', measureAgain, { passive: true });
    const observer = new ResizeObserver(measureAgain);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measureAgain);
      observer.disconnect();
    };
  }, [key]);
  return measured;
}
