// Details of one material: errors of its polls, the pipelines that use it, and its modifications.

import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import type { AnswerOf } from '../api/answers.ts';
import { useApi, useApiPages } from '../api/queries.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { Failed, Loaded, Loading } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { authorOf, firstLine, keyOf, MATERIALS_VERSION, type Material, type Modification, shortRevision } from './material.ts';

/** A library may be used by hundreds. */
const FIRST_USERS = 30;
const PAGE_SIZE = 20;

export function MaterialDetails({ material }: { readonly material: Material }) {
  const { messages, place, details, config } = material;
  return (
    <section class="material-details" aria-label={`About ${place}`}>
      {messages.map(({ level, message, description }) => (
        <div key={message} class={level === 'ERROR' ? 'refusal' : 'stale'}>
          <strong>{level === 'ERROR' ? 'The last poll failed' : 'The poll does not go on'}</strong>{' '}
          <RelativeTime at={material.material_update_end_time} />
          <pre>{description}</pre>
        </div>
      ))}
      <p class="material-place">
        <code>{place}</code> <CopyButton text={place} label="Copy the address" />
        {config.attributes.auto_update === false && <span class="badge">polled only when a user or a webhook asks</span>}
      </p>
      {details.length > 0 && (
        <dl class="material-settings">
          {details.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Usages fingerprint={keyOf(material)} />
      <Modifications fingerprint={keyOf(material)} />
    </section>
  );
}

type UsagesAnswer = AnswerOf<'GET /api/internal/materials/{fingerprint}/usages'>;

function Usages({ fingerprint }: { readonly fingerprint: string }) {
  const read = useApi<UsagesAnswer>(path`/api/internal/materials/${fingerprint}/usages`, MATERIALS_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  const [isWhole, setIsWhole] = useState(false);
  return (
    <>
      <h2>Used by</h2>
      <Loaded read={read}>
        {({ usages }) => (
          <p class="material-usages">
            {(isWhole ? usages : usages.slice(0, FIRST_USERS)).map((pipeline) => (
              <Link key={pipeline} href={pageOf.activity(pipeline)}>
                {pipeline}
              </Link>
            ))}
            {!isWhole && usages.length > FIRST_USERS && (
              <button type="button" class="link-button" onClick={() => setIsWhole(true)}>
                and {usages.length - FIRST_USERS} more
              </button>
            )}
          </p>
        )}
      </Loaded>
    </>
  );
}

type ModificationsAnswer = AnswerOf<'GET /api/internal/materials/{fingerprint}/modifications'>;

function Modifications({ fingerprint }: { readonly fingerprint: string }) {
  const first = `${path`/api/internal/materials/${fingerprint}/modifications`}?page_size=${PAGE_SIZE}`;
  const { pages, failure, isLoading, hasMore, isLoadingMore, loadMore, reload } = useApiPages<ModificationsAnswer>(
    first,
    MATERIALS_VERSION,
    ({ _links: { next } }) => next && `${first.split('?', 1)[0]}${new URL(next.href).search}`,
    { changedBy: ({ kind, fingerprint: changed }) => kind === 'material' && changed === fingerprint },
  );
  const all = pages.flatMap(({ modifications }) => modifications);
  return (
    <>
      <h2>Changes</h2>
      {isLoading && <Loading />}
      {failure !== undefined && <Failed failure={failure} onRetry={reload} />}
      {!isLoading && failure === undefined && all.length === 0 && <p class="quiet">None is known yet.</p>}
      {all.length > 0 && (
        <ol class="material-modifications">
          {all.map((modification) => (
            <ModificationLine key={modification.revision} fingerprint={fingerprint} modification={modification} />
          ))}
        </ol>
      )}
      {hasMore && (
        <button type="button" class="button is-small" disabled={isLoadingMore} onClick={loadMore}>
          {isLoadingMore ? 'Loading …' : 'Older changes'}
        </button>
      )}
    </>
  );
}

function ModificationLine({ fingerprint, modification }: { readonly fingerprint: string; readonly modification: Modification }) {
  const { revision, comment, username, modified_time } = modification;
  return (
    <li>
      <Link href={pageOf.materialMap(fingerprint, revision)} class="material-revision" title={`Value stream map of ${revision}`}>
        {shortRevision(revision)}
      </Link>
      <span class="material-comment" title={comment ?? undefined}>
        {firstLine(comment)}
      </span>
      <span class="quiet" title={username ?? undefined}>
        <bdi>{authorOf(username)}</bdi>, <RelativeTime at={modified_time} />
      </span>
    </li>
  );
}
