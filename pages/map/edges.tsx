// The lines of a map.
import type { Edge, Point } from './layout.ts';

interface EdgesProps {
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
  /** The node in whose neighbourhood somebody is interested. */
  readonly marked: string | undefined;
}

export function Edges({ edges, width, height, marked }: EdgesProps) {
  return (
    <svg class="map-edges" width={width} height={height} aria-hidden="true">
      {edges.map(({ from, to, points }) => (
        <path key={`${from}\n${to}`} d={curve(points)} class={from === marked || to === marked ? 'is-marked' : undefined} />
      ))}
    </svg>
  );
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
