// Fields for the users and roles that have some right.
import { TextField } from './fields.tsx';
import { type Lens, member } from './lens.ts';
import type { Members } from './members.ts';
import { asNames } from './texts.ts';

export function MembersFields({ lens, label, hint }: { readonly lens: Lens<Members>; readonly label: string; readonly hint?: string }) {
  return (
    <fieldset class="members">
      <legend>{label}</legend>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      <TextField isOptional label="Users, separated by commas" lens={asNames(member(lens, 'users'))} />
      <TextField isOptional label="Roles, separated by commas" lens={asNames(member(lens, 'roles'))} />
    </fieldset>
  );
}
