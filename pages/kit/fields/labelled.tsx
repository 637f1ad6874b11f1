// A label around its field.
import type { ComponentChildren } from 'preact';
import { Optional } from './optional.tsx';

interface LabelledProps {
  readonly label: string;
  /** The field may be left empty. */
  readonly isOptional?: boolean;
  readonly children: ComponentChildren;
}

export function Labelled({ label, isOptional = false, children }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field stands among the children
    <label>
      <span>
        {label}
        {isOptional && <Optional />}
      </span>
      {children}
    </label>
  );
}
