// Addresses of pages, in one place.

/** A name in an address. People can type an address that cannot be decoded. */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A part of a pipeline or a template, by its names. */
export interface PartNames {
  readonly stage?: string | undefined;
  readonly job?: string | undefined;
}

function editor(entity: string, { stage, job }: PartNames = {}): string {
  const part = new URLSearchParams({ ...(stage !== undefined && { stage }), ...(job !== undefined && { job }) });
  return part.size === 0 ? `/admin/${entity}/edit` : `/admin/${entity}/edit?${part}`;
}

export const pageOf = {
  dashboard: () => '/pipelines',
  activity: (pipeline: string) => `/pipeline/activity/${encodeURIComponent(pipeline)}`,
  map: (pipeline: string, counter: number) => `/pipelines/value_stream_map/${encodeURIComponent(pipeline)}/${counter}`,
  materialMap: (fingerprint: string, revision: string) =>
    `/materials/value_stream_map/${encodeURIComponent(fingerprint)}/${encodeURIComponent(revision)}`,
  stage: (pipeline: string, counter: number, stage: string, stageCounter: number) =>
    `/pipelines/${encodeURIComponent(pipeline)}/${counter}/${encodeURIComponent(stage)}/${stageCounter}`,
  job: (pipeline: string, counter: number, stage: string, stageCounter: number, job: string) =>
    `/tab/build/detail/${encodeURIComponent(pipeline)}/${counter}/${encodeURIComponent(stage)}/${stageCounter}/${encodeURIComponent(job)}`,
  compare: (pipeline: string, from: number, to: number) => `/compare/${encodeURIComponent(pipeline)}/${from}/with/${to}`,
  agents: () => '/agents',
  materials: () => '/materials',
  health: () => '/admin/health',
  changes: () => '/admin/changes',
  change: (revision: number) => `/admin/changes/${revision}`,
  /** The history of one entity. Ids may hold slashes, which not every proxy leaves as they are in a path. */
  entityChanges: ({ resource, id }: { readonly resource: string; readonly id: string }) =>
    `/admin/changes/entity?${new URLSearchParams({ resource, ...(id !== '' && { id }) })}`,
  plan: () => '/admin/plan',
  configXml: () => '/admin/config_xml',
  admin: () => '/admin',
  configRepos: () => '/admin/config_repos',
  configRepo: (id: string) => `/admin/config_repos/${encodeURIComponent(id)}/status`,
  editConfigRepo: (id: string) => `/admin/config_repos/${encodeURIComponent(id)}/edit`,
  newConfigRepo: () => '/admin/config_repos/new',
  preflight: (repo?: string) => `/admin/config_repos/preflight${repo === undefined ? '' : `?repo=${encodeURIComponent(repo)}`}`,
  adminPipelines: () => '/admin/pipelines',
  newPipeline: () => '/admin/pipelines/new',
  groupAmongPipelines: (group: string) => `/admin/pipelines?${new URLSearchParams({ q: group })}`,
  editPipeline: (pipeline: string, part?: PartNames) => editor(`pipelines/${encodeURIComponent(pipeline)}`, part),
  templates: () => '/admin/templates',
  editTemplate: (template: string, part?: PartNames) => editor(`templates/${encodeURIComponent(template)}`, part),
  environments: () => '/admin/environments',
  editEnvironment: (environment: string) => `/admin/environments/${encodeURIComponent(environment)}/edit`,
  about: () => '/about',
  tokens: () => '/access_tokens',
  allTokens: () => '/admin/admin_access_tokens',
  serviceAccounts: () => '/admin/service_accounts',
  users: () => '/admin/users',
  allSessions: () => '/admin/sessions',
  backup: () => '/admin/backup',
  maintenance: () => '/admin/maintenance_mode',
  webhooks: () => '/admin/webhooks',
  events: () => '/admin/events',
  notifications: () => '/preferences/notifications',
  replicas: () => '/admin/replicas',
  login: (from?: string) => (from === undefined || from === '/' ? '/auth/login' : `/auth/login?from=${encodeURIComponent(from)}`),
};
