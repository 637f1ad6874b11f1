// A name that is typed, or picked from those there are.
import { useEffect, useState } from 'preact/hooks';
import { Combobox } from '../../kit/dialog/combobox.tsx';
import { type Name, offeredNames } from '../names/offered.ts';
import type { ControlProps } from './frame.tsx';

export interface NameInputProps {
  readonly label: string;
  readonly control: ControlProps;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onPick?: (value: string) => void;
  /** Takes the typed text, where Enter would send the form. */
  readonly onEnter?: (() => void) | undefined;
  readonly read: () => Promise<readonly Name[]>;
}

export function NameInput({ label, control, value, onChange, onPick = onChange, onEnter, read }: NameInputProps) {
  const [names, setNames] = useState<readonly Name[]>([]);
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => {
    read().then(setNames, () => setIsRefused(true));
  }, []);
  return (
    <>
      <Combobox
        label={label}
        input={control}
        value={value}
        options={offeredNames(names, value)}
        onInput={onChange}
        onPick={({ key }) => onPick(key)}
        {...(onEnter && { onEnter })}
      />
      {/* The server checks the name. */}
      {isRefused && <span class="quiet">You may not list them: ask an administrator for the name, and type it.</span>}
    </>
  );
}
