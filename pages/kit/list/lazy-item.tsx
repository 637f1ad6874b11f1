// An item of a long list, drawn only while it is near the visible part. Its place stays as high as it was, so that nothing jumps.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface LazyItemProps {
  readonly class?: string;
  /** Chosen by the keyboard: kept in sight. */
  readonly isSelected?: boolean;
  /** Whether it is drawn at once, before it is known where it is. */
  readonly isFirst: boolean;
  /** In pixels, until an item of the list was drawn. */
  readonly height: number;
  readonly children: () => ComponentChildren;
}

type Listener = (isNear: boolean, height: number) => void;

const MARGIN = '400px 0px';
/**
 * Of a list: the height of the first item that was drawn. Those that are not drawn yet take as much room; otherwise what is below them
 * moves when they are drawn, even a button that is being pressed.
 */
const HEIGHT = '--drawn-height';
const listeners = new WeakMap<Element, Listener>();
let observer: IntersectionObserver | undefined;

export function LazyItem({ class: name = '', isSelected = false, isFirst, height, children }: LazyItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const [isNear, setIsNear] = useState(isFirst);
  const isDrawn = useRef(isFirst);
  isDrawn.current = isNear;
  const drawnHeight = useRef<number>();
  useEffect(() => {
    const element = item.current;
    if (element === null) return undefined;
    return watch(element, (next, seen) => {
      if (isDrawn.current) noteHeight(element.parentElement, seen);
      // An item with the focus stays: the user works with it.
      if (!next && element.contains(document.activeElement)) return;
      if (!next) drawnHeight.current = element.offsetHeight || drawnHeight.current;
      setIsNear(next);
    });
  }, []);
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <li
      ref={item}
      class={isSelected ? `${name} is-selected` : name}
      aria-current={isSelected ? 'true' : undefined}
      style={{ minHeight: isNear ? undefined : roomOf(drawnHeight.current, height) }}
    >
      {isNear && children()}
    </li>
  );
}

function roomOf(own: number | undefined, height: number): string {
  return own === undefined ? `var(${HEIGHT}, ${height}px)` : `${own}px`;
}

function noteHeight(list: HTMLElement | null, height: number): void {
  if (list !== null && height > 0 && list.style.getPropertyValue(HEIGHT) === '') list.style.setProperty(HEIGHT, `${height}px`);
}

function watch(element: Element, listener: Listener): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        listeners.get(target)?.(isIntersecting, boundingClientRect.height);
    },
    { rootMargin: MARGIN },
  );
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    observer?.unobserve(element);
    listeners.delete(element);
  };
}
