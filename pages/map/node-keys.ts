// Arrows go from a node to its neighbours: left to its sources, right to the nodes made from it, up and down within its column.
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { MapNode, ValueStreamMap } from './map.ts';

export function useNodeKeys(box: RefObject<HTMLElement>, map: ValueStreamMap): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const move = (event: KeyboardEvent): void => {
      const id = (event.target as HTMLElement).closest<HTMLElement>('[data-node]')?.dataset.node;
      const next = id === undefined ? undefined : nextTo(map, id, event.key);
      if (next === undefined) return;
      event.preventDefault();
      const target = element.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"] a`);
      target?.focus();
      target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    element.addEventListener('keydown', move);
    return () => element.removeEventListener('keydown', move);
  }, [map]);
}

export function nextTo({ levels }: ValueStreamMap, id: string, key: string): string | undefined {
  const column = levels.find(({ nodes }) => nodes.some((node) => node.id === id))?.nodes;
  const index = column?.findIndex((node) => node.id === id) ?? -1;
  const node = column?.[index];
  if (column === undefined || node === undefined) return undefined;
  const steps: Readonly<Record<string, () => string | undefined>> = {
    ArrowLeft: () => firstVisible(nodesById(levels, node.parents)),
    ArrowRight: () => firstVisible(nodesById(levels, node.dependents)),
    ArrowUp: () => firstVisible(column.slice(0, index).toReversed()),
    ArrowDown: () => firstVisible(column.slice(index + 1)),
  };
  return steps[key]?.();
}

function nodesById(levels: ValueStreamMap['levels'], ids: readonly string[]): MapNode[] {
  return levels.flatMap(({ nodes }) => nodes.filter(({ id }) => ids.includes(id)));
}

/** The id of the first node that the user may see: hidden nodes have nothing to focus. */
function firstVisible(nodes: readonly MapNode[]): string | undefined {
  return nodes.find(({ can_view }) => can_view)?.id;
}
