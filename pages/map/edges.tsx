// The lines of a map: all of them in one path, because thousands of elements take longer to make than to draw.
import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { memo } from '../kit/memo.ts';
import type { Edge, Layout, Point } from './layout.ts';

interface EdgesProps {
  readonly layout: Layout;
  /** The node under the pointer or with the focus: its edges stand out. */
  readonly highlighted: Signal<string | undefined>;
}

export const Edges = memo(function Edges({ layout, highlighted }: EdgesProps) {
  const { edges, width, height } = layout;
  const all = useMemo(() => pathOf(edges), [edges]);
  return (
    <svg class="map-edges" width={width} height={height} aria-hidden="true">
      <path d={all} />
      <HighlightedEdges edges={edges} highlighted={highlighted} />
    </svg>
  );
});

function HighlightedEdges({ edges, highlighted }: { readonly edges: readonly Edge[]; readonly highlighted: Signal<string | undefined> }) {
  const node = highlighted.value;
  if (node === undefined) return null;
  return <path class="is-highlighted" d={pathOf(edges.filter(({ from, to }) => from === node || to === node))} />;
}

function pathOf(edges: readonly Edge[]): string {
  return edges.map(({ points }) => curve(points)).join('');
}

/** Leaves and reaches each point horizontally. */
function curve([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return '';
  let [path, before] = [`M${first.x} ${first.y}`, first];
  for (const point of rest) {
    const middle = (before.x + point.x) / 2;
    path += point.y === before.y ? `H${point.x}` : `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    before = point;
  }
  return path;
}
