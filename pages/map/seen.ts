// Which part of a map is in sight. A map can have a thousand nodes: only those near that part are drawn with their content.
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { NODE_WIDTH, type Point } from './layout.ts';

/** In the measures of the map, with some room around it. */
export interface Seen {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The visible part is rounded to this, so that nodes are drawn anew only after so much scrolling. */
const STEP = 400;
/** Smaller, nothing in a node can be read. */
const LEAST_READABLE = 0.35;
const NOTHING: Seen = { left: 0, top: 0, right: -NODE_WIDTH, bottom: -1 };

export function useSeen(box: RefObject<HTMLElement>, scale: number): Seen {
  const [seen, setSeen] = useState<Seen>(() => seenOf({ left: 0, top: 0, width: innerWidth, height: innerHeight }, scale));
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => {
      const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
      const next = seenOf({ left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight }, scale);
      setSeen((before) => (isSame(before, next) ? before : next));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scale]);
  return seen;
}

export function isNear({ x, y }: Point, height: number, { left, top, right, bottom }: Seen): boolean {
  return x + NODE_WIDTH >= left && x <= right && y + height >= top && y <= bottom;
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function seenOf({ left, top, width, height }: Window, scale: number): Seen {
  if (scale < LEAST_READABLE) return NOTHING;
  const before = (at: number): number => (Math.floor(at / scale / STEP) - 1) * STEP;
  const behind = (at: number): number => (Math.ceil(at / scale / STEP) + 1) * STEP;
  return { left: before(left), top: before(top), right: behind(left + width), bottom: behind(top + height) };
}

function isSame(one: Seen, other: Seen): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}
