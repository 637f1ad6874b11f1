// Why the configuration is changed. The change log keeps it; it is optional.
import { Labelled } from './labelled.tsx';

interface ReasonFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** The reason in the change log if the user types none. */
  readonly defaultReason?: string;
}

export function ReasonField({ value, onInput, defaultReason }: ReasonFieldProps) {
  return (
    <Labelled label="Reason, for the change log" isOptional>
      <input value={value} placeholder={defaultReason} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
    </Labelled>
  );
}
