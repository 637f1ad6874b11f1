// Which page shows which resource.
import type { EntityName } from '../api/change-answers.ts';
import { decodeOrKeep, pageOf } from '../kit/page-addresses.ts';
import type { FormFacts } from './schema/schema.ts';

type FormLocator = Pick<FormFacts, 'resource' | 'path' | 'is_singleton'>;

export const ADMIN = '/admin';
export const SERVER_CONFIGURATION = '/admin/server_configuration';
const NEW = 'new';

/** Resources whose page is not called like their path in the API; some of these pages are more than a form, and stand elsewhere. */
const ADDRESSES: Readonly<Record<string, string>> = {
  pipeline_groups: '/admin/pipelines',
  plugin_settings: '/admin/plugins',
  profiles: '/admin/elastic_agent_configurations',
  cluster_profiles: '/admin/cluster_profiles',
  repositories: '/admin/package_repositories',
};

/** The page of a resource. A resource that is new on the server has a page without an entry here. */
export function pageOfForm({ resource, path, is_singleton: isSingleton }: FormLocator): string {
  const known = ADDRESSES[resource];
  if (known !== undefined) return known;
  if (isSingleton && !path.includes('/security/')) return `${SERVER_CONFIGURATION}/${resource}`;
  return `${ADMIN}/${path.replace(/^\/api\/(?:admin\/)?/, '')}`;
}

/** An entity called `new` has the address of the page for new entities; the query distinguishes them. */
export function pageOfEntity(form: FormLocator, address: string): string {
  return `${pageOfForm(form)}/${encodeURIComponent(address)}${address === NEW ? `?id=${NEW}` : ''}`;
}

/** Resources whose entities have pages that are not made from a description. */
const OWN_PAGES: Readonly<Record<string, (id: string) => string>> = {
  config_repos: pageOf.editConfigRepo,
  environments: pageOf.editEnvironment,
  pipeline_groups: pageOf.groupAmongPipelines,
  pipelines: pageOf.editPipeline,
  templates: pageOf.editTemplate,
  webhooks: pageOf.webhooks,
};

/** The page on which the user can look at an entity of any kind; undefined: there is none. */
export function pageOfAny({ resource, id }: EntityName, forms: readonly (FormLocator & Pick<FormFacts, 'can_view'>)[]): string | undefined {
  const form = forms.find((one) => one.resource === resource);
  if (form === undefined || !form.can_view) return undefined;
  return OWN_PAGES[resource]?.(id) ?? (id === '' ? pageOfForm(form) : pageOfEntity(form, id));
}

export function pageOfNew(form: FormLocator): string {
  return `${pageOfForm(form)}/${NEW}`;
}

/** Resources that are added by a button of their list, in a dialog. */
const ADDED_IN_LIST: ReadonlySet<string> = new Set(['environments', 'pipeline_groups', 'templates', 'webhooks']);

/** The page on which an entity is added. */
export function pageToAdd(form: FormLocator): string {
  return ADDED_IN_LIST.has(form.resource) ? pageOfForm(form) : pageOfNew(form);
}

/** Whether the page adds an entity, rather than showing one. */
export function isNewPage(name: string, search: string): boolean {
  return name === NEW && new URLSearchParams(search).get('id') !== NEW;
}

/** The pages on which the settings of forms show their effect, by resource. */
export const RELATED_PAGES: Readonly<Record<string, { readonly label: string; readonly href: string }>> = {
  backup: { label: 'Backups', href: pageOf.backup() },
  mailserver: { label: 'Your notifications', href: pageOf.notifications() },
};

export interface Area<F extends FormLocator = FormFacts> {
  readonly form: F;
  /** The rest of the path after the page of the form: the name of an entity, or `new`; undefined: the list of all entities. */
  readonly name: string | undefined;
}

/** The form and the entity that a path shows; the path is without the context path, and still encoded. */
export function areaAt<F extends FormLocator>(location: string, forms: readonly F[]): Area<F> | undefined {
  const path = location.replace(/\/$/, '');
  const candidates = forms
    .map((form) => ({ form, page: pageOfForm(form) }))
    .filter(({ page }) => path === page || path.startsWith(`${page}/`))
    .toSorted((one, other) => other.page.length - one.page.length);
  const [found] = candidates;
  if (found === undefined) return undefined;
  const rest = path.slice(found.page.length + 1);
  return { form: found.form, name: rest === '' ? undefined : decodeOrKeep(rest) };
}
