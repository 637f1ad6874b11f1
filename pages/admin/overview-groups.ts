// The pages for administrators, by subject.

export interface OverviewEntry {
  readonly title: string;
  readonly about: string;
  readonly href: string;
  /** The resource that it shows; undefined: it is more than a form. */
  readonly resource?: string;
}

export interface OverviewGroup {
  readonly title: string;
  readonly entries: readonly OverviewEntry[];
}

/** By resource, or by the address of a page that is more than a form; in this order. */
const GROUPS: readonly { readonly title: string; readonly of: readonly string[] }[] = [
  { title: 'Pipelines', of: ['pipelines', 'pipeline_groups', 'templates', 'environments', 'config_repos'] },
  { title: 'Materials', of: ['scms', 'repositories', 'packages'] },
  { title: 'Agents', of: ['cluster_profiles', 'profiles', 'default_job_timeout'] },
  { title: 'Artifacts', of: ['artifact_config', 'artifact_retention', 'artifact_stores'] },
  {
    title: 'Security',
    of: [
      '/admin/users',
      'roles',
      'system_admins',
      'auth_configs',
      'secret_configs',
      '/admin/service_accounts',
      '/admin/admin_access_tokens',
      '/admin/sessions',
    ],
  },
  { title: 'Messages', of: ['mailserver', 'webhooks', '/admin/events'] },
  {
    title: 'Server',
    of: [
      'site_urls',
      'plugin_settings',
      'backup',
      'extensions',
      '/admin/backup',
      '/admin/changes',
      '/admin/plan',
      '/admin/config_xml',
      '/admin/health',
      '/admin/maintenance_mode',
      '/admin/replicas',
      '/about',
    ],
  },
];
const OTHERS = 'More';

/** Entries that no group names come last, so that nothing new is missing. */
export function groupsOf(entries: readonly OverviewEntry[]): OverviewGroup[] {
  const byKey = new Map(entries.map((entry) => [entry.resource ?? entry.href, entry]));
  const groups = GROUPS.map(({ title, of }) => ({ title, entries: of.flatMap((key) => byKey.get(key) ?? []) }));
  const named = new Set(GROUPS.flatMap(({ of }) => of));
  const others = [...byKey].filter(([key]) => !named.has(key)).map(([, entry]) => entry);
  const sorted = others.toSorted((one, other) => one.title.localeCompare(other.title));
  return [...groups, { title: OTHERS, entries: sorted }].filter((group) => group.entries.length > 0);
}
