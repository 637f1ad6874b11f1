// A stage: how it is started, and the settings for all its jobs.
import { CheckField, ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { type Lens, member } from '../../forms/edit/lens.ts';
import { MembersFields } from '../../forms/edit/members-fields.tsx';
import { VariablesEditor } from '../../forms/variables/variables.tsx';
import type { Stage } from '../pipeline.ts';

const STARTS = [
  { value: 'success', label: 'by itself, after the stage before it' },
  { value: 'manual', label: 'by hand' },
];

export function StageForm({ lens }: { readonly lens: Lens<Stage> }) {
  const approval = member(lens, 'approval');
  return (
    <>
      <TextField label="Name" lens={member(lens, 'name')} isRequired />
      <ChoiceField label="Starts" lens={member(approval, 'type')} choices={STARTS} />
      <CheckField label="Only when the stage before it has passed" lens={member(approval, 'allow_only_on_success')} />
      <CheckField label="Check out the materials" lens={member(lens, 'fetch_materials')} />
      <CheckField label="Remove what earlier runs left" lens={member(lens, 'clean_working_directory')} />
      <CheckField label="Keep its artifacts even when disk space is low" lens={member(lens, 'never_cleanup_artifacts')} />
      <MembersFields
        label="May start it by hand"
        hint="No user or role named: all users who may run the pipeline."
        lens={member(approval, 'authorization')}
      />
      <VariablesEditor list={member(lens, 'environment_variables')} />
    </>
  );
}
