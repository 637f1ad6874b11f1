// One material in one line.

import { Link } from '../kit/link.tsx';
import { memo } from '../kit/memo.ts';
import { pageOf } from '../kit/routing.ts';
import { StatusIcon } from '../kit/status.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { authorOf, firstLine, isFailing, keyOf, type Material, reasonOf, shortRevision, titleOf } from './material.ts';

interface MaterialRowProps {
  readonly material: Material;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  /** The user has requested a poll on this page, and it has not ended yet. */
  readonly isAsked: boolean;
  readonly onToggle: (fingerprint: string) => void;
  readonly onPoll: (material: Material) => void;
}

export const MaterialRow = memo(function MaterialRow({ material, isSelected, isOpen, isAsked, onToggle, onPoll }: MaterialRowProps) {
  const title = titleOf(material);
  const { type, attributes } = material.config;
  const isPolling = isAsked || material.material_update_in_progress;
  return (
    <div class={`material-row${isSelected ? ' is-selected' : ''}${isFailing(material) ? ' is-failing' : ''}`}>
      <button type="button" class="material-name" aria-expanded={isOpen} title={material.place} onClick={() => onToggle(keyOf(material))}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        <span class="material-title">{title}</span>
        <span class="material-type quiet">
          {type}
          {attributes.branch && ` · ${attributes.branch}`}
        </span>
      </button>
      <LastChange material={material} />
      <span class="material-users quiet">
        {material.pipelines} {material.pipelines === 1 ? 'pipeline' : 'pipelines'}
      </span>
      <span class="material-poll">
        <PollState material={material} isPolling={isPolling} isAsked={isAsked} />
      </span>
      {material.can_trigger_update ? (
        <button
          type="button"
          class="icon-button"
          aria-label={`Poll ${title} now`}
          title="Poll now"
          disabled={isPolling}
          onClick={() => onPoll(material)}
        >
          ↻
        </button>
      ) : (
        <span />
      )}
    </div>
  );
});

function LastChange({ material: { config, modification } }: { readonly material: Material }) {
  if (modification === null) return <span class="material-change quiet">nothing known yet</span>;
  const { revision, comment, username, modified_time } = modification;
  return (
    <span class="material-change" title={comment ?? undefined}>
      <Link href={pageOf.materialMap(config.fingerprint, revision)} class="material-revision" title={`Value stream map of ${revision}`}>
        {shortRevision(revision)}
      </Link>
      <span class="material-comment">{firstLine(comment)}</span>
      <span class="material-by quiet">
        <bdi>{authorOf(username)}</bdi>, <RelativeTime at={modified_time} />
      </span>
    </span>
  );
}

interface PollStateProps {
  readonly material: Material;
  readonly isPolling: boolean;
  readonly isAsked: boolean;
}

function PollState({ material, isPolling, isAsked }: PollStateProps) {
  const { messages, material_update_in_progress: isUnderWay, material_update_end_time: endedAt } = material;
  if (isPolling)
    return (
      <span class="status is-building">
        <StatusIcon status="building" />
        {isAsked && !isUnderWay ? 'Asked' : 'Polling'} …
      </span>
    );
  const [note] = messages;
  if (note !== undefined)
    return (
      <span class={`status is-${note.level === 'ERROR' ? 'failed' : 'cancelled'}`} title={note.description}>
        <StatusIcon status={note.level === 'ERROR' ? 'failed' : 'cancelled'} />
        <span class="material-failure">
          {note.level === 'ERROR' ? 'Failed' : 'Hangs'}: {reasonOf(note.description)}
        </span>
      </span>
    );
  if (endedAt === undefined) return <span class="quiet">not polled yet</span>;
  return (
    <span class="quiet">
      polled <RelativeTime at={endedAt} />
    </span>
  );
}
