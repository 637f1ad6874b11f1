// Fields for the users and roles that have some right.
import { useKnownMembers } from '../../api/known-members.ts';
import { TextField } from './fields.tsx';
import { type Lens, member } from './lens.ts';
import { type Members, suggestedTexts, unknownUsersText } from './members.ts';
import { asNames } from './texts.ts';

export function MembersFields({ lens, label, hint }: { readonly lens: Lens<Members>; readonly label: string; readonly hint?: string }) {
  const { users, roles } = useKnownMembers();
  return (
    <fieldset class="members">
      <legend>{label}</legend>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      <NamesField
        label="Users, separated by commas"
        list={member(lens, 'users')}
        known={users}
        noteOn={(names) => users && unknownUsersText(names, users)}
      />
      {/* The server refuses unknown roles. */}
      <NamesField label="Roles, separated by commas" list={member(lens, 'roles')} known={roles} />
    </fieldset>
  );
}

interface NamesFieldProps {
  readonly label: string;
  readonly list: Lens<readonly string[]>;
  readonly known: readonly string[] | undefined;
  readonly noteOn?: (names: readonly string[]) => string | undefined;
}

function NamesField({ label, list, known, noteOn }: NamesFieldProps) {
  const lens = asNames(list);
  return (
    <TextField
      isOptional
      label={label}
      lens={lens}
      hint={noteOn?.(list.now.value)}
      suggestions={known && suggestedTexts(lens.now.value ?? '', known)}
    />
  );
}
