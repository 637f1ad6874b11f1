// The obstacles to a revert, each with the revision that causes it and its author.
import { EntityLink } from '../kit/diff/changed-entities.tsx';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import type { Obstacle } from './revision.ts';

export function Obstacles({ obstacles }: { readonly obstacles: readonly Obstacle[] }) {
  return (
    <ul class="obstacles">
      {obstacles.map(({ resource, id, message, revision, actor }) => (
        <li key={`${resource} ${id} ${message}`}>
          {resource !== null && (
            <>
              <EntityLink entity={{ resource, id: id ?? '' }} />:{' '}
            </>
          )}
          {message}{' '}
          {revision !== null && (
            <span class="quiet">
              (<Link href={pageOf.change(revision)}>revision {revision}</Link>
              {actor !== null && ` by ${actor}`})
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
