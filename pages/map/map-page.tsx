// The value stream map: the sources of a run or a revision, and the runs made from it.
import { useMemo, useRef } from 'preact/hooks';
import { path } from '../api/address.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf } from '../kit/routing.ts';
import { Loaded, materialAdvice, pipelineAdvice } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { useCurrentInSight } from './current-in-sight.ts';
import { Edges } from './edges.tsx';
import { useHighlighted } from './highlighted.ts';
import { layoutOf } from './layout.ts';
import { linesOf, type MapNode, moreThanShown, type ValueStreamMap } from './map.ts';
import { Node } from './node.tsx';
import { useNodeKeys } from './node-keys.ts';
import { isNear, useViewport } from './viewport.ts';
import { useZoom, ZoomButtons } from './zoom.tsx';

const VERSION = 1;
const HEADER_HEIGHT = 30;
const LINE_HEIGHT = 22;

export function RunMapPage({ params: { name, counter } }: PageProps<{ readonly name: string; readonly counter: string }>) {
  useTitle(`Map of ${name} ${counter}`);
  const read = useMap(path`/api/pipelines/${name}/${counter}/value_stream_map`);
  return (
    <>
      <h1>
        <Link href={pageOf.activity(name)}>{name}</Link> {counter}: value stream map
      </h1>
      <Loaded read={read} advice={pipelineAdvice}>
        {(map) => <MapView map={map} />}
      </Loaded>
    </>
  );
}

export function MaterialMapPage({
  params: { fingerprint, revision },
}: PageProps<{ readonly fingerprint: string; readonly revision: string }>) {
  useTitle(`Map of ${revision.slice(0, 12)}`);
  const read = useMap(path`/api/materials/${fingerprint}/value_stream_map/${revision}`);
  return (
    <>
      <h1>Revision {revision.slice(0, 12)}: value stream map</h1>
      <Loaded read={read} advice={materialAdvice}>
        {(map) => <MapView map={map} />}
      </Loaded>
    </>
  );
}

/** Read again when a pipeline in it changes. */
function useMap(address: string): ReadState<ValueStreamMap> {
  const names = useRef<ReadonlySet<string>>(new Set());
  const read = useApi<ValueStreamMap>(address, VERSION, {
    changedBy: ({ kind, name }) => kind === 'pipeline' && name !== undefined && names.current.has(name.toLowerCase()),
  });
  names.current = new Set(read.data?.levels.flatMap(({ nodes }) => nodes.map((node) => node.name.toLowerCase())));
  return read;
}

function MapView({ map }: { readonly map: ValueStreamMap }) {
  const box = useRef<HTMLElement>(null);
  const layout = useMemo(
    () => layoutOf(map.levels.map(({ nodes }) => nodes.map((node) => ({ id: node.id, parents: node.parents, height: heightOf(node) })))),
    [map],
  );
  const { scale, ...zoom } = useZoom(box, layout);
  useCurrentInSight(box, map);
  const viewport = useViewport(box, scale);
  useNodeKeys(box, map);
  const highlighted = useHighlighted(box);
  const size = { width: `${layout.width * scale}px`, height: `${layout.height * scale}px` };
  return (
    <>
      <div class="toolbar">
        <ZoomButtons scale={scale} {...zoom} />
        {map.is_truncated && <span class="badge is-warning">Too large to be shown whole</span>}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <section ref={box} class="map" aria-label="Map" tabIndex={0}>
        <div style={size}>
          <div class="map-content" style={{ transform: `scale(${scale})` }}>
            <Edges layout={layout} highlighted={highlighted} />
            {map.levels.flatMap(({ nodes }) =>
              nodes.map((node) => {
                const [position, height] = [layout.positions.get(node.id)!, heightOf(node)];
                return (
                  <Node
                    key={node.id}
                    node={node}
                    position={position}
                    height={height}
                    isCurrent={node.id === map.current_material || (node.node_type === 'PIPELINE' && node.name === map.current_pipeline)}
                    isNear={isNear(position, height, viewport)}
                  />
                );
              }),
            )}
          </div>
        </div>
      </section>
    </>
  );
}

function heightOf(node: MapNode): number {
  const more = moreThanShown(node) === undefined ? 0 : 1;
  const message = node.view_type === 'DELETED' ? 1 : 0;
  return HEADER_HEIGHT + (linesOf(node) + more + message) * LINE_HEIGHT + 6;
}
