// Time travel: pages of administrators show the configuration at an earlier moment. The moment is in the address, so that the link can be shared.
import { useState } from 'preact/hooks';
import { FormDialog } from './dialog/form-dialog.tsx';
import { addressAt, momentLabel, parseMoment } from './moment-text.ts';
import { useParameter } from './routing.ts';

const NOW_ONLY = 'You are looking at the past, which cannot be changed. Go back to now first.';

export interface Moment {
  /** A revision or a time; undefined: now. */
  readonly at: string | undefined;
  /** Why nothing can be changed; undefined: changes are possible. For buttons that write. */
  readonly refusal: string | undefined;
  /** An address of the API or of a page, at this moment. */
  readonly addressOf: (address: string) => string;
}

/** The moment that the page shows: now, or a moment in the past. */
export function useMoment(): Moment {
  const [value] = useParameter('at');
  const at = value === '' ? undefined : value;
  return { at, refusal: at === undefined ? undefined : NOW_ONLY, addressOf: (address) => addressAt(address, at) };
}

/** Says which moment is shown, and lets the user choose another one. */
export function MomentSwitch() {
  const [at, setAt] = useParameter('at');
  const [isOpen, setIsOpen] = useState(false);
  const choose = (
    <button type="button" class="button is-small" onClick={() => setIsOpen(true)}>
      {at === '' ? 'View an earlier state …' : 'Another time …'}
    </button>
  );
  return (
    <>
      {at === '' ? (
        choose
      ) : (
        <div class="stale moment-switch" role="status">
          <span>
            You are looking at <strong>{momentLabel(at)}</strong>. Nothing can be changed there.
          </span>
          <button type="button" class="button is-small" onClick={() => setAt('')}>
            Back to now
          </button>
          {choose}
        </div>
      )}
      {isOpen && <ChooseMoment at={at} onChoose={setAt} onClose={() => setIsOpen(false)} />}
    </>
  );
}

interface ChooseMomentProps {
  readonly at: string;
  readonly onChoose: (at: string) => void;
  readonly onClose: () => void;
}

function ChooseMoment({ at, onChoose, onClose }: ChooseMomentProps) {
  const isRevision = /^\d+$/.test(at);
  const [time, setTime] = useState('');
  const [revision, setRevision] = useState(isRevision ? at : '');
  const chosen = parseMoment(revision === '' ? time : revision);
  return (
    <FormDialog
      title="View an earlier state of the configuration"
      action="View"
      isDisabled={chosen === undefined}
      onClose={onClose}
      onSubmit={async () => {
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      <label>
        At this time
        <input type="datetime-local" value={time} onInput={({ currentTarget }) => setTime(currentTarget.value)} />
      </label>
      <label>
        Or after this revision
        <input inputMode="numeric" pattern="\d*" value={revision} onInput={({ currentTarget }) => setRevision(currentTarget.value)} />
      </label>
    </FormDialog>
  );
}
