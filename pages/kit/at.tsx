// The configuration as it was: a switch that pages of administrators share. The time is in the address, so that the link can be shared.
import { useState } from 'preact/hooks';
import { addressAt, atIn, atText } from './at-text.ts';
import { FormDialog } from './dialog/form-dialog.tsx';
import { useParameter } from './routing.ts';

const NOW_ONLY = 'You are looking at the past, which cannot be changed. Go back to now first.';

export interface At {
  /** A revision or a time; undefined: now. */
  readonly at: string | undefined;
  /** Why nothing can be changed; undefined: it can. For buttons that write. */
  readonly refusal: string | undefined;
  /** An address to read from, or a page to link to, as of then. */
  readonly addressOf: (address: string) => string;
}

/** The moment that the page shows: now, or one in the past. */
export function useAt(): At {
  const [value] = useParameter('at');
  const at = value === '' ? undefined : value;
  return { at, refusal: at === undefined ? undefined : NOW_ONLY, addressOf: (address) => addressAt(address, at) };
}

/** Says which moment is shown, and goes to another one. */
export function AtSwitch() {
  const [at, setAt] = useParameter('at');
  const [isOpen, setIsOpen] = useState(false);
  const choose = (
    <button type="button" class="button is-small" onClick={() => setIsOpen(true)}>
      {at === '' ? 'As it was …' : 'Another time …'}
    </button>
  );
  return (
    <>
      {at === '' ? (
        choose
      ) : (
        <div class="stale at-switch" role="status">
          <span>
            You are looking at <strong>{atText(at)}</strong>. Nothing can be changed there.
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
  const chosen = atIn(revision === '' ? time : revision);
  return (
    <FormDialog
      title="Look at the configuration as it was"
      action="Look"
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
