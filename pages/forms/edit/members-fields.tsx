// Fields for the users and roles that have some right.
import { TextField } from './fields.tsx';
import type { Members } from './members.ts';
import { member, type Part } from './part.ts';
import { asNames } from './texts.ts';

export function MembersFields({ part, label, hint }: { readonly part: Part<Members>; readonly label: string; readonly hint?: string }) {
  return (
    <fieldset class="members">
      <legend>{label}</legend>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      <TextField isOptional label="Users, separated by commas" part={asNames(member(part, 'users'))} />
      <TextField isOptional label="Roles, separated by commas" part={asNames(member(part, 'roles'))} />
    </fieldset>
  );
}
