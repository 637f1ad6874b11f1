// All that the palette leads to: pages, pipelines and actions that the user may use. The server would refuse none of them.

import { MORE_PAGES } from '../admin/more-pages.ts';
import { pageOfForm, pageToAdd } from '../forms/areas.ts';
import type { FormFacts } from '../forms/schema/schema.ts';
import { pageOf } from '../kit/page-addresses.ts';

/** The effect of choosing a target. */
export type TargetAction =
  | { readonly is: 'open'; readonly href: string }
  | { readonly is: 'call'; readonly run: () => void }
  | { readonly is: 'run' | 'unpause' | 'unlock'; readonly pipeline: string }
  | DialogAction;

/** Opens a dialog that asks for more. */
export interface DialogAction {
  readonly is: 'run with options' | 'pause';
  readonly pipeline: string;
}

export interface Target {
  /** Of its own in the list. */
  readonly key: string;
  readonly label: string;
  /** A short text that distinguishes it from targets with a similar label. */
  readonly hint: string;
  readonly action: TargetAction;
  /** More words by which the search finds it. */
  readonly about?: string;
}

/** A pipeline, and the rights of the user on it. */
export interface Pipeline {
  readonly name: string;
  readonly group: string;
  readonly canAdminister: boolean;
  readonly canOperate: boolean;
  readonly canPause: boolean;
}

/** A command in the menu of the user. */
export interface Command {
  readonly label: string;
  readonly run: () => void;
}

export interface Viewer {
  readonly isAdmin: boolean;
  /** The pages that the user may open, by name. */
  readonly can: Readonly<Record<string, boolean>>;
}

interface PageLink {
  readonly label: string;
  readonly href: string;
  readonly about?: string;
  /** The right that the page requires: a name of `can`, or to administer everything. */
  readonly needs?: string;
}

const ADMIN = 'administer_server';

const PAGES: readonly PageLink[] = [
  { label: 'Pipelines', href: pageOf.dashboard() },
  { label: 'Materials', href: pageOf.materials() },
  { label: 'Agents', href: pageOf.agents() },
  { label: 'Changes', href: pageOf.changes(), needs: ADMIN },
  { label: 'Admin', href: pageOf.admin(), needs: 'view_admin' },
  { label: 'Plan changes', href: pageOf.plan(), about: 'upload apply desired state', needs: ADMIN },
  { label: 'Configuration as XML', href: pageOf.configXml(), about: 'config.xml cruise-config git clone', needs: ADMIN },
  { label: 'Edit pipelines and groups', href: pageOf.adminPipelines(), needs: 'administer_pipelines' },
  { label: 'Templates', href: pageOf.templates(), needs: 'view_templates' },
  { label: 'Environments', href: pageOf.environments(), needs: 'view_environments' },
  { label: 'Config repos', href: pageOf.configRepos(), about: 'pipelines as code', needs: 'view_config_repos' },
  { label: 'Health', href: pageOf.health() },
  { label: 'Access tokens', href: pageOf.tokens(), about: 'own sessions' },
  { label: 'Notifications', href: pageOf.notifications(), about: 'mail preferences filters' },
  { label: 'Outgoing webhooks', href: pageOf.webhooks(), about: 'deliveries', needs: ADMIN },
  { label: 'About this server', href: pageOf.about(), about: 'server information version licence' },
  ...MORE_PAGES.map(({ title, href, about }) => ({ label: title, href, about, needs: ADMIN })),
];

/** Actions on pages, by the words that people would use for them. */
const ACTIONS: readonly PageLink[] = [
  { label: 'Clone a pipeline', href: pageOf.adminPipelines(), about: 'copy duplicate', needs: 'administer_pipelines' },
  { label: 'Move a pipeline to another group', href: pageOf.adminPipelines(), needs: 'administer_pipelines' },
  { label: 'Export a pipeline', href: pageOf.adminPipelines(), about: 'YAML JSON as code', needs: 'administer_pipelines' },
  { label: 'Extract a template', href: pageOf.adminPipelines(), about: 'stages of a pipeline', needs: 'administer_pipelines' },
  { label: 'Delete a pipeline', href: pageOf.adminPipelines(), about: 'remove', needs: 'administer_pipelines' },
  { label: 'Give rights to a pipeline group', href: pageOf.adminPipelines(), about: 'permissions', needs: 'administer_pipelines' },
  { label: 'Update a config repo', href: pageOf.configRepos(), about: 'now poll', needs: ADMIN },
  { label: 'Check files of a config repo', href: pageOf.preflight(), about: 'preflight', needs: ADMIN },
  { label: 'Make an access token', href: pageOf.tokens(), about: 'create new', needs: 'manage_access_tokens' },
  { label: 'Revoke an access token', href: pageOf.allTokens(), needs: ADMIN },
  { label: 'End a session', href: pageOf.allSessions(), about: 'log out others', needs: ADMIN },
  { label: 'Add a user', href: pageOf.users(), about: 'create new', needs: ADMIN },
  { label: 'Add a service account', href: pageOf.serviceAccounts(), about: 'create new', needs: ADMIN },
  { label: 'Make a backup', href: pageOf.backup(), about: 'start now', needs: ADMIN },
  { label: 'Restore a backup', href: pageOf.backup(), needs: ADMIN },
  { label: 'Switch maintenance mode on or off', href: pageOf.maintenance(), about: 'enable disable', needs: ADMIN },
  { label: 'Verify the chain of events', href: pageOf.events(), about: 'audit check record', needs: ADMIN },
  { label: 'Try out a webhook', href: pageOf.webhooks(), about: 'test deliver again replay', needs: ADMIN },
  { label: 'Send a test mail', href: '/admin/server_configuration/mailserver', about: 'SMTP', needs: ADMIN },
  { label: 'Add an agent', href: pageOf.agents(), about: 'new registration key', needs: ADMIN },
  { label: 'Revert a change', href: pageOf.changes(), about: 'undo time machine', needs: ADMIN },
  { label: 'Apply a plan', href: pageOf.plan(), about: 'upload desired state', needs: ADMIN },
  { label: 'Download a support bundle', href: pageOf.about(), about: 'help', needs: ADMIN },
];

const isAllowedFor =
  ({ isAdmin, can }: Viewer) =>
  ({ needs }: PageLink): boolean =>
    needs === undefined || (needs === ADMIN ? isAdmin : (can[needs] ?? isAdmin));

const toTarget =
  (hint: string) =>
  ({ label, href, about }: PageLink): Target => ({
    key: `${hint} ${label}`,
    label,
    hint,
    action: { is: 'open', href },
    ...(about !== undefined && { about }),
  });

/** Each page once; a form that a page of its own shows is that page. */
export function pageTargets(viewer: Viewer, forms: readonly FormFacts[]): Target[] {
  const own = PAGES.filter(({ href }, at) => PAGES.findIndex((page) => page.href === href) === at);
  const known = new Set(own.map(({ href }) => href));
  const drawn = forms
    .filter((form) => form.can_view && !known.has(pageOfForm(form)))
    .map((form): PageLink => ({ label: form.title, href: pageOfForm(form), about: form.about }));
  return [...own.filter(isAllowedFor(viewer)), ...drawn].map(toTarget('page'));
}

/** All actions except actions on pipelines; `commands`: the commands in the menu of the user. */
export function actionTargets(viewer: Viewer, forms: readonly FormFacts[], commands: readonly Command[]): Target[] {
  const additions = forms
    .filter(({ can_create: canCreate, is_singleton: isSingleton }) => canCreate && !isSingleton)
    .map((form): PageLink => ({ label: `Add ${form.singular}`, href: pageToAdd(form), about: 'new create' }));
  return [
    ...[...additions, ...ACTIONS.filter(isAllowedFor(viewer))].map(toTarget('action')),
    ...commands.map(({ label, run }): Target => ({ key: `command ${label}`, label, hint: 'action', action: { is: 'call', run } })),
  ];
}

export function pipelineTargets(names: readonly Pipeline[]): Target[] {
  return names.map(({ name, group }) => ({
    key: `pipeline ${name}`,
    label: name,
    hint: group,
    action: { is: 'open', href: pageOf.activity(name) },
  }));
}

interface Verb {
  readonly word: string;
  readonly isAllowed: (pipeline: Pipeline) => boolean;
  readonly labelOf: (name: string) => string;
  readonly actionFor: (name: string) => TargetAction;
}

const VERBS: readonly Verb[] = [
  {
    word: 'run',
    isAllowed: ({ canOperate }) => canOperate,
    labelOf: (name) => `Run ${name}`,
    actionFor: (pipeline) => ({ is: 'run', pipeline }),
  },
  {
    word: 'run',
    isAllowed: ({ canOperate }) => canOperate,
    labelOf: (name) => `Run ${name} with options …`,
    actionFor: (pipeline) => ({ is: 'run with options', pipeline }),
  },
  {
    word: 'pause',
    isAllowed: ({ canPause }) => canPause,
    labelOf: (name) => `Pause ${name} …`,
    actionFor: (pipeline) => ({ is: 'pause', pipeline }),
  },
  {
    word: 'unpause',
    isAllowed: ({ canPause }) => canPause,
    labelOf: (name) => `Unpause ${name}`,
    actionFor: (pipeline) => ({ is: 'unpause', pipeline }),
  },
  {
    word: 'unlock',
    isAllowed: ({ canOperate }) => canOperate,
    labelOf: (name) => `Unlock ${name}`,
    actionFor: (pipeline) => ({ is: 'unlock', pipeline }),
  },
  {
    word: 'compare',
    isAllowed: () => true,
    labelOf: (name) => `Compare runs of ${name}`,
    actionFor: (name) => ({ is: 'open', href: pageOf.activity(name) }),
  },
  {
    word: 'edit',
    isAllowed: ({ canAdminister }) => canAdminister,
    labelOf: (name) => `Edit ${name}`,
    actionFor: (name) => ({ is: 'open', href: pageOf.editPipeline(name) }),
  },
];
const MIN_VERB_LENGTH = 2;

/** The actions on pipelines, once a word of the query names an action: there may be ten thousand pipelines. */
export function pipelineActions(names: readonly Pipeline[], query: string): Target[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return VERBS.flatMap((verb) => {
    const at = words.findIndex((word) => word.length >= MIN_VERB_LENGTH && verb.word.startsWith(word));
    if (at < 0) return [];
    const others = words.toSpliced(at, 1);
    return names
      .filter((pipeline) => verb.isAllowed(pipeline) && others.every((word) => verb.labelOf(pipeline.name).toLowerCase().includes(word)))
      .map(({ name, group }): Target => {
        const label = verb.labelOf(name);
        return { key: `action ${label}`, label, hint: group, action: verb.actionFor(name) };
      });
  });
}
