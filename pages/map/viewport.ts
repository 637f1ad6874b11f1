// The viewport: the part of a map that is visible. A map can have a thousand nodes; only nodes in or near the viewport are drawn with their content.
import type { RefObject } from 'preact';
import { useScrollBox } from '../kit/scroll/use-scroll-box.ts';
import { NODE_WIDTH, type Point } from './layout.ts';

/** In the coordinates of the map, with a margin around the visible part. */
export interface Viewport {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The viewport is rounded to this, so that nodes are drawn again only after this much scrolling. */
const STEP = 200;
/** At a smaller scale, nothing in a node can be read. */
const MIN_READABLE = 0.35;
const NOTHING: Viewport = { left: 0, top: 0, right: -NODE_WIDTH, bottom: -1 };

export function useViewport(box: RefObject<HTMLElement>, scale: number): Viewport {
  return useScrollBox(box, {
    initial: () => viewportOf({ left: 0, top: 0, width: innerWidth, height: innerHeight }, scale),
    measure: ({ scrollLeft, scrollTop, clientWidth, clientHeight }) =>
      viewportOf({ left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight }, scale),
    isSame,
    key: scale,
  });
}

export function isNear({ x, y }: Point, height: number, { left, top, right, bottom }: Viewport): boolean {
  return x + NODE_WIDTH >= left && x <= right && y + height >= top && y <= bottom;
}

interface ScrollBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function viewportOf({ left, top, width, height }: ScrollBox, scale: number): Viewport {
  if (scale < MIN_READABLE) return NOTHING;
  const before = (at: number): number => (Math.floor(at / scale / STEP) - 1) * STEP;
  const behind = (at: number): number => (Math.ceil(at / scale / STEP) + 1) * STEP;
  return { left: before(left), top: before(top), right: behind(left + width), bottom: behind(top + height) };
}

function isSame(one: Viewport, other: Viewport): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}
