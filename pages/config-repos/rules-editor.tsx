// The rules for the entities that the files of a config repo may define or refer to. The first rule that matches decides; none means no.

import { ChoiceField, TextField } from '../forms/edit/fields.tsx';
import { add, item, type Lens, member, remove } from '../forms/edit/lens.ts';
import { draggable, MoveButtons } from '../forms/edit/order.tsx';
import type { RepoStates, Rule } from './config-repo.ts';

const DIRECTIVES = [
  { value: 'allow', label: 'Allow' },
  { value: 'deny', label: 'Deny' },
];
const TYPES = [
  { value: '*', label: 'Everything' },
  { value: 'pipeline_group', label: 'Pipeline groups' },
  { value: 'pipeline', label: 'Pipelines' },
  { value: 'environment', label: 'Environments' },
];

interface RulesEditorProps {
  readonly list: Lens<readonly Rule[]>;
  /** The names of existing entities, by kind. */
  readonly names: RepoStates['auto_completion'];
}

export function RulesEditor({ list, names }: RulesEditorProps) {
  const rules = list.now.value;
  return (
    <fieldset>
      <legend>Rules</legend>
      <p class="quiet">What its files may refer to. The first rule that matches decides; what no rule allows is refused.</p>
      <ol class="rules">
        {rules.map((_, index) => (
          // Rules have no id.
          <li key={index} {...draggable(list, index)}>
            <RuleRow list={list} index={index} names={names} />
          </li>
        ))}
      </ol>
      {rules.length === 0 && <p class="quiet">None: nothing is allowed.</p>}
      <button
        type="button"
        class="button"
        onClick={() => add(list, { directive: 'allow', action: 'refer', type: 'pipeline_group', resource: '*' })}
      >
        Add a rule
      </button>
    </fieldset>
  );
}

function RuleRow({ list, index, names }: RulesEditorProps & { readonly index: number }) {
  const lens = item(list, index);
  const { type } = lens.now.value;
  const label = `rule ${index + 1}`;
  return (
    <div class="row-of-fields">
      <ChoiceField label="Rule" lens={member(lens, 'directive')} choices={DIRECTIVES} />
      <ChoiceField label="Kind" lens={member(lens, 'type')} choices={TYPES} />
      <TextField
        label="Name; * and ? are wildcards"
        lens={member(lens, 'resource')}
        suggestions={names.find(({ key }) => key === type)?.value ?? []}
      />
      <span>
        <MoveButtons list={list} index={index} label={label} />
        <button type="button" class="icon-button" aria-label={`Remove ${label}`} onClick={() => remove(list, index)}>
          ×
        </button>
      </span>
    </div>
  );
}
