// A pipeline or a material in a map.

import { Link } from '../kit/link.tsx';
import { memo } from '../kit/memo.ts';
import { StatusIcon, statusOf } from '../kit/status.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { durationText } from '../kit/text/time.ts';
import type { Point } from './layout.ts';
import { MAX_LINES, type MapInstance, type MapModification, type MapNode, moreThanShown, titleOf } from './map.ts';

interface NodeProps {
  readonly node: MapNode;
  readonly position: Point;
  readonly height: number;
  /** The node that the map is of. */
  readonly isCurrent: boolean;
  /** Whether its content is drawn, and not only its outline and its name. */
  readonly isNear: boolean;
}

export const Node = memo(function Node({ node, position, height, isCurrent, isNear }: NodeProps) {
  const isPipeline = node.node_type === 'PIPELINE';
  return (
    <article
      class={`map-node ${stateOf(node)}${isPipeline ? '' : ' is-material'}${isCurrent ? ' is-current' : ''}${node.can_view ? '' : ' is-hidden'}`}
      data-node={node.id}
      aria-label={node.can_view ? node.name : node.message}
      style={{ transform: `translate(${position.x}px, ${position.y}px)`, height: `${height}px` }}
    >
      <h2 title={node.name}>
        {node.can_view && node.locator !== '' ? (
          <Link href={node.locator} class="map-title">
            {titleOf(node)}
          </Link>
        ) : (
          <span class="map-title">{titleOf(node)}</span>
        )}
        {!isPipeline && node.can_view && <span class="quiet"> {node.node_type.toLowerCase()}</span>}
      </h2>
      {isNear && <Inside node={node} />}
    </article>
  );
});

function Inside({ node }: { readonly node: MapNode }) {
  const more = moreThanShown(node);
  return (
    <>
      {node.view_type === 'DELETED' && <p class="quiet">{node.message}</p>}
      {node.instances.slice(0, MAX_LINES).map((instance) => (
        <Instance key={instance.counter} instance={instance} />
      ))}
      {(node.modifications ?? []).slice(0, MAX_LINES).map((modification) => (
        <Modification key={modification.revision} modification={modification} />
      ))}
      {more !== undefined && <p class="quiet">{more}</p>}
    </>
  );
}

/** How the newest run of it does: seen also where it is drawn too small to be read. */
function stateOf({ instances: [newest] }: MapNode): string {
  const words = newest?.stages.map(({ status }) => statusOf(status)) ?? [];
  return `is-${STATES.find((state) => words.includes(state)) ?? 'unknown'}`;
}

const STATES = ['failed', 'building', 'cancelled', 'passed'] as const;

function Instance({ instance: { counter, label, locator, stages } }: { readonly instance: MapInstance }) {
  return (
    <p class="map-line">
      {counter === 0 ? <span class="quiet">not run yet</span> : <Link href={locator}>{label}</Link>}
      <span class="map-stages">
        {stages.map((stage) => {
          const status = statusOf(stage.status);
          const text = `${stage.name}: ${stage.locator === '' ? 'not run' : stage.status}${stage.duration === null ? '' : `, ${secondsText(stage.duration)}`}`;
          return stage.locator === '' ? (
            <span key={stage.name} class="map-stage is-unknown" title={text} />
          ) : (
            <Link key={stage.name} href={stage.locator} class={`map-stage is-${status}`} title={text} aria-label={text}>
              <StatusIcon status={status} />
            </Link>
          );
        })}
      </span>
    </p>
  );
}

/** The API reports whole seconds. */
function secondsText(seconds: number): string {
  return seconds === 0 ? 'less than 1 s' : durationText(seconds * 1000);
}

function Modification({ modification: { revision, user, comment, modified_time, locator } }: { readonly modification: MapModification }) {
  return (
    <p class="map-line" title={comment ?? undefined}>
      <Link href={locator}>{revision.slice(0, 10)}</Link>
      <span class="map-comment quiet">
        <RelativeTime at={modified_time} /> <bdi>{user}</bdi> <bdi>{comment}</bdi>
      </span>
    </p>
  );
}
