// The entities that the user may change, by name: buttons that would be refused are not shown.
import { useApi } from './queries.ts';

export type PermissionType = 'config_repo' | 'environment';

interface PermissionsAnswer {
  readonly permissions: Partial<
    Readonly<Record<PermissionType, { readonly view: readonly string[]; readonly administer: readonly string[] }>>
  >;
}

const VERSION = 1;
const NONE: readonly string[] = [];

/** The names of the entities that the user may change; empty until they are known. */
export function useAdministered(type: PermissionType): readonly string[] {
  const { data } = useApi<PermissionsAnswer>(`/api/auth/permissions?type=${type}`, VERSION, { changedBy: ({ kind }) => kind === 'config' });
  return data?.permissions[type]?.administer ?? NONE;
}

/** Whether the user may change the entity of this name, in any letter case. */
export function useMayAdminister(type: PermissionType, name: string): boolean {
  const wanted = name.toLowerCase();
  return useAdministered(type).some((one) => one.toLowerCase() === wanted);
}
