// An item of a long list, drawn only while it is near the visible part. Its place stays as high as it was, so that nothing jumps.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface LazyItemProps {
  readonly class?: string;
  /** Chosen by the keyboard: kept in sight. */
  readonly isSelected?: boolean;
  /** Whether it is drawn at once, before it is known where it is. */
  readonly isFirst: boolean;
  /** In pixels, until it was drawn. */
  readonly height: number;
  readonly children: () => ComponentChildren;
}

const MARGIN = '400px 0px';
const listeners = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | undefined;

export function LazyItem({ class: name = '', isSelected = false, isFirst, height, children }: LazyItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const [isNear, setIsNear] = useState(isFirst);
  const drawnHeight = useRef(height);
  useEffect(() => {
    const element = item.current;
    if (element === null) return undefined;
    return watch(element, (next) => {
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
      style={{ minHeight: isNear ? undefined : `${drawnHeight.current}px` }}
    >
      {isNear && children()}
    </li>
  );
}

function watch(element: Element, listener: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
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
