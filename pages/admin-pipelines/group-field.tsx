// A pipeline group: one that there is, or the name of a new one.
import { useAdministeredGroups } from '../api/pipeline-groups.ts';
import { currentSession } from '../api/session.ts';
import { TextField } from '../forms/edit/fields.tsx';
import type { Lens } from '../forms/edit/lens.ts';

export function GroupField({ lens }: { readonly lens: Lens<string> }) {
  const groups = useAdministeredGroups();
  const hint = currentSession()?.is_admin ? 'A group that does not exist is created.' : undefined;
  return <TextField isRequired label="Group" lens={lens} suggestions={groups} hint={hint} />;
}
