// A stage: how it is started, and the settings for all its jobs.
import { CheckField, ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { MembersFields } from '../../forms/edit/members-fields.tsx';
import { member, type Part } from '../../forms/edit/part.ts';
import { VariablesEditor } from '../../forms/variables/variables.tsx';
import type { Stage } from '../pipeline.ts';

const STARTS = [
  { value: 'success', label: 'by itself, after the stage before it' },
  { value: 'manual', label: 'by hand' },
];

export function StageForm({ part }: { readonly part: Part<Stage> }) {
  const approval = member(part, 'approval');
  return (
    <>
      <TextField label="Name" part={member(part, 'name')} isRequired />
      <ChoiceField label="Starts" part={member(approval, 'type')} choices={STARTS} />
      <CheckField label="Only when the stage before it has passed" part={member(approval, 'allow_only_on_success')} />
      <CheckField label="Check out the materials" part={member(part, 'fetch_materials')} />
      <CheckField label="Remove what earlier runs left" part={member(part, 'clean_working_directory')} />
      <CheckField label="Keep its artifacts even when disk space is low" part={member(part, 'never_cleanup_artifacts')} />
      <MembersFields
        label="May start it by hand"
        hint="No user or role named: all users who may run the pipeline."
        part={member(approval, 'authorization')}
      />
      <VariablesEditor list={member(part, 'environment_variables')} />
    </>
  );
}
