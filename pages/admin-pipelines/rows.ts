// Groups with their pipelines as lines of one list, so that a list of any length can be drawn.
import type { PipelineName } from '../api/pipeline-names.ts';

export type Row =
  | { readonly is: 'group'; readonly name: string; readonly count: number; readonly canAdminister: boolean }
  | { readonly is: 'pipeline'; readonly pipeline: PipelineName };

export function keyOf(row: Row): string {
  return row.is === 'group' ? `group ${row.name}` : `pipeline ${row.pipeline.name}`;
}

/** `groups`: groups that the user may administer, empty ones, too. A search keeps only matches. */
export function rowsOf(pipelines: readonly PipelineName[], groups: readonly string[], search: string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (text: string): boolean => words.every((word) => text.includes(word));
  const administered = new Set(groups.map((group) => group.toLowerCase()));
  const byGroup = Map.groupBy(pipelines, ({ group }) => group);
  const known = new Set([...byGroup.keys()].map((group) => group.toLowerCase()));
  const names = [...byGroup.keys(), ...groups.filter((group) => !known.has(group.toLowerCase()))];
  return names
    .toSorted((one, other) => one.localeCompare(other))
    .flatMap((name): Row[] => {
      const own = byGroup.get(name) ?? [];
      const found = own.filter((pipeline) => isFound(textOf(pipeline)));
      if (found.length === 0 && !isFound(name.toLowerCase())) return [];
      const header: Row = { is: 'group', name, count: own.length, canAdminister: administered.has(name.toLowerCase()) };
      const sorted = found.toSorted((one, other) => one.name.localeCompare(other.name));
      return [header, ...sorted.map((pipeline): Row => ({ is: 'pipeline', pipeline }))];
    });
}

function textOf({ name, group, origin, template }: PipelineName): string {
  return [name, group, origin ?? '', template ?? ''].join('\n').toLowerCase();
}
