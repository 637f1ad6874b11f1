// Yes or no.
import { useId } from 'preact/hooks';
import type { FlagNode } from '../model/node.ts';
import { forgetProblems, Problems } from './frame.tsx';
import { Prose } from './prose.tsx';

export function FlagView({ node, isCompact }: { readonly node: FlagNode; readonly isCompact: boolean }) {
  const id = useId();
  const { field, value, problems } = node;
  return (
    <div class="field">
      <label class="field-flag" title={isCompact ? field.about : undefined}>
        <input
          type="checkbox"
          checked={value.value}
          aria-describedby={field.about !== undefined && !isCompact ? id : undefined}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.checked;
            forgetProblems(problems);
          }}
        />
        {field.label}
      </label>
      {field.about !== undefined && !isCompact && (
        <p id={id} class="field-about">
          <Prose text={field.about} />
        </p>
      )}
      <Problems problems={problems.value} />
    </div>
  );
}
