// The pipeline groups that the user administers, empty ones, too.
import { useApi } from './queries.ts';
import { administersPipelines, currentSession } from './session.ts';

interface GroupsAnswer {
  readonly _embedded: { readonly groups: readonly { readonly name: string; readonly pipelines: readonly { readonly name: string }[] }[] };
}

const ADDRESS = '/api/admin/pipeline_groups';
const VERSION = 1;

/** The groups that the user may administer. */
export function useGroups() {
  return useApi<GroupsAnswer>(ADDRESS, VERSION, { changedBy: ({ kind }) => kind === 'config' });
}

export function groupNamesIn({ _embedded }: GroupsAnswer): readonly string[] {
  return _embedded.groups.map(({ name }) => name);
}

/** The names of the groups that the user may administer; empty until they are known. */
export function useAdministeredGroups(): readonly string[] {
  const { data } = useGroups();
  return data === undefined ? NONE : groupNamesIn(data);
}

/** Whether the user may change a pipeline; false until it is known. */
export function useMayEditPipeline(): (name: string) => boolean {
  const session = currentSession();
  const isAdmin = session?.is_admin === true;
  const { data } = useApi<GroupsAnswer>(ADDRESS, VERSION, { isEnabled: !isAdmin && administersPipelines(session) });
  return (name) => isAdmin || data?._embedded.groups.some(({ pipelines }) => pipelines.some((one) => one.name === name)) === true;
}

const NONE: readonly string[] = [];
