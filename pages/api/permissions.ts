// The entities that the user may change, by name: buttons that would be refused are not shown.
import { useApi } from './queries.ts';

export type PermissionType = 'cluster_profile' | 'config_repo' | 'elastic_agent_profile' | 'environment';

interface PermissionsAnswer {
  readonly permissions: Partial<
    Readonly<Record<PermissionType, { readonly view: readonly string[]; readonly administer: readonly string[] }>>
  >;
}

export const PERMISSIONS_ADDRESS = '/api/auth/permissions';
const VERSION = 1;

/** The resources whose entities are opened one by one, by the policies of roles. */
export const PERMISSION_TYPES: Readonly<Partial<Record<string, PermissionType>>> = {
  cluster_profiles: 'cluster_profile',
  config_repos: 'config_repo',
  environments: 'environment',
  profiles: 'elastic_agent_profile',
};

/** Says to users who may not change an entity why its form is only shown. */
export const VIEW_ONLY = 'You may view this, but not change it. Ask an administrator for the right.';

/**
 * Whether the user may change the entity of this name, in any letter case; undefined until it is known. Without a type: the right does not
 * depend on the entity.
 */
export function useMayAdminister(type: PermissionType | undefined, name: string): boolean | undefined {
  const { data } = useApi<PermissionsAnswer>(`${PERMISSIONS_ADDRESS}?type=${type}`, VERSION, {
    isEnabled: type !== undefined,
    changedBy: ({ kind }) => kind === 'config',
  });
  if (type === undefined) return true;
  const wanted = name.toLowerCase();
  return data?.permissions[type]?.administer.some((one) => one.toLowerCase() === wanted);
}
