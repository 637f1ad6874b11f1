// A map begins with the node that it is of: in a wide or high map, that stands far from the first ones.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { ValueStreamMap } from './map.ts';

/** Scrolls once for each run or revision: later the user decides. */
export function useCurrentInSight(box: RefObject<HTMLElement>, map: ValueStreamMap): void {
  const { current_pipeline: pipeline, current_counter: counter, current_material: material, current_revision: revision } = map;
  useLayoutEffect(() => {
    const node = box.current?.querySelector('.is-current')?.getBoundingClientRect();
    const visible = box.current?.getBoundingClientRect();
    if (node === undefined || visible === undefined) return;
    box.current?.scrollBy({
      left: wayInto(visible.left, visible.width, node.left, node.width),
      top: wayInto(visible.top, visible.height, node.top, node.height),
      behavior: 'instant',
    });
  }, [pipeline, counter, material, revision]);
}

/** To the middle; none where all of it is visible. */
function wayInto(start: number, length: number, nodeStart: number, nodeLength: number): number {
  const isVisible = nodeStart >= start && nodeStart + nodeLength <= start + length;
  return isVisible ? 0 : nodeStart + nodeLength / 2 - (start + length / 2);
}
