// Why the configuration is changed. The change log keeps it; it is optional.
import { Labelled } from '../../kit/fields/labelled.tsx';
import type { Reason } from './use-reason.ts';

interface ReasonFieldProps {
  readonly reason: Reason;
  /** The reason in the change log if the user types none. */
  readonly defaultReason?: string;
}

export function ReasonField({ reason: { text, set, earlier, takeUp }, defaultReason }: ReasonFieldProps) {
  return (
    <div>
      <Labelled label="Reason, for the change log" isOptional>
        <input value={text} placeholder={defaultReason} onInput={({ currentTarget }) => set(currentTarget.value)} />
      </Labelled>
      {earlier !== undefined && (
        <p class="quiet reason-earlier">
          You typed earlier: “{earlier}”{' '}
          <button type="button" class="link-button" onClick={takeUp}>
            Take it
          </button>
        </p>
      )}
    </div>
  );
}
