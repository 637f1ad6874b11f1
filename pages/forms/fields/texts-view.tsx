// A list of texts: one in each line, or names that are picked.
import type { TextsNode } from '../model/node.ts';
import { namesOfResource } from '../names/names.ts';
import { type ControlProps, Frame, forgetProblems } from './frame.tsx';
import { NameInput } from './name-input.tsx';

export function TextsView({ node, isCompact }: { readonly node: TextsNode; readonly isCompact: boolean }) {
  const { field, problems } = node;
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
        field.resource === undefined ? (
          <Lines node={node} control={control} />
        ) : (
          <Names node={node} control={control} resource={field.resource} />
        )
      }
    </Frame>
  );
}

interface PartProps {
  readonly node: TextsNode;
  readonly control: ControlProps;
}

function Lines({ node: { texts, problems }, control }: PartProps) {
  const count = texts.value.length;
  return (
    <textarea
      {...control}
      rows={Math.min(12, Math.max(2, count + 1))}
      value={texts.value.join('\n')}
      placeholder="One in each line"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        texts.value = currentTarget.value === '' ? [] : currentTarget.value.split('\n');
        forgetProblems(problems);
      }}
    />
  );
}

function Names({ node: { field, texts, typed, problems }, control, resource }: PartProps & { readonly resource: string }) {
  const change = (next: readonly string[]): void => {
    texts.value = next;
    forgetProblems(problems);
  };
  const add = (name: string): void => {
    if (name.trim() !== '' && !texts.peek().includes(name.trim())) change([...texts.peek(), name.trim()]);
    typed.value = '';
  };
  return (
    <div class="names">
      {texts.value.length > 0 && (
        <ul aria-label={`Chosen: ${field.label}`}>
          {texts.value.map((name) => (
            <li key={name}>
              {name}
              <button
                type="button"
                class="icon-button"
                aria-label={`Remove ${name}`}
                onClick={() => change(texts.peek().filter((one) => one !== name))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="names-add">
        <NameInput
          label={field.label}
          control={control}
          value={typed.value}
          onChange={(name) => {
            typed.value = name;
            forgetProblems(problems);
          }}
          onPick={add}
          onEnter={typed.value.trim() === '' ? undefined : () => add(typed.peek())}
          read={() => namesOfResource(resource)}
        />
        <button type="button" class="button" disabled={typed.value.trim() === ''} onClick={() => add(typed.peek())}>
          Add
        </button>
      </div>
    </div>
  );
}
