// A choice of a few, such as which entries of a list are shown.
import type { JSX } from 'preact';

interface ChooserProps<C extends string> {
  readonly label: string;
  /** The choices, with their labels. */
  readonly choices: Readonly<Record<C, string>>;
  readonly value: C;
  readonly onChange: (value: C) => void;
  /** Whether the label is written beside it; otherwise the choices say enough. */
  readonly isLabelled?: boolean;
}

export function Chooser<C extends string>({ label, choices, value, onChange, isLabelled = false }: ChooserProps<C>) {
  const names = Object.keys(choices) as C[];
  const options = names.map((name) => (
    <option key={name} value={name}>
      {choices[name]}
    </option>
  ));
  const change = ({ currentTarget }: JSX.TargetedEvent<HTMLSelectElement>): void => onChange(names[currentTarget.selectedIndex] ?? value);
  if (isLabelled)
    return (
      <label>
        {label}{' '}
        <select value={value} onInput={change}>
          {options}
        </select>
      </label>
    );
  return (
    <select aria-label={label} value={value} onInput={change}>
      {options}
    </select>
  );
}
