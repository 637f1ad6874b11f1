// The pipeline groups that the user administers, empty ones, too.
import { useApi } from './queries.ts';

interface GroupsAnswer {
  readonly _embedded: { readonly groups: readonly { readonly name: string }[] };
}

const ADDRESS = '/api/admin/pipeline_groups';
const VERSION = 1;

/** The names of the groups that the user may administer; empty until they are known. */
export function useAdministeredGroups(): readonly string[] {
  const { data } = useApi<GroupsAnswer>(ADDRESS, VERSION, { changedBy: ({ kind }) => kind === 'config' });
  return data?._embedded.groups.map(({ name }) => name) ?? NONE;
}

const NONE: readonly string[] = [];
