// A member that is a secret, always or when another member says so.
import type { SecretNode } from '../model/node.ts';
import { Frame, forgetProblems } from './frame.tsx';
import { SecretInput } from './secret-input.tsx';

export function SecretView({ node, isCompact }: { readonly node: SecretNode; readonly isCompact: boolean }) {
  const { field, problems, typed, encrypted, flag } = node;
  const isSecret = flag === undefined || flag.value.value;
  return (
    <Frame
      label={field.label}
      about={field.about}
      isRequired={field.isRequired}
      isOptional={!field.isRequired}
      problems={problems}
      isCompact={isCompact}
    >
      {(control) =>
        isSecret ? (
          <SecretInput
            label={field.label}
            control={control}
            isSet={encrypted !== undefined}
            typed={typed}
            isRequired={field.isRequired}
            onChange={() => forgetProblems(problems)}
          />
        ) : (
          <input
            {...control}
            value={typed.value ?? ''}
            spellcheck={false}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
              forgetProblems(problems);
            }}
          />
        )
      }
    </Frame>
  );
}
