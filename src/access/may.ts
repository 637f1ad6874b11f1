// The one place that decides what a user may do.
import type { Config, Entries } from '../config/current.ts';
import type { Entry } from '../config/entry.ts';
import type { EntityNamed } from '../shape/configuration.ts';
import type { Permission, PolicyType } from '../shape/resource.ts';
import type { Rightholder } from './identity.ts';
import { isListed } from './listed-users.ts';
import { type AccessRequest, allowsCreating, concerns, type Directive, decidePolicy } from './policy.ts';
import type { NeededScope } from './scopes/scope.ts';

interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

/** A pipeline and the group that it is in, which gives users their rights to it. */
export interface PipelineInGroup {
  readonly group: string;
  readonly pipeline: string;
}

/** The rights of a user to pipelines, by pipeline group: of their own, by their roles, and by their sources of users. */
export interface EffectiveGroupRights {
  readonly isAdmin: boolean;
  /** The groups they administer, in lower case. */
  readonly administers: ReadonlySet<string>;
  /** The groups whose pipelines they may see. */
  readonly views: ReadonlySet<string>;
  /** The groups whose pipelines they may operate; that does not include seeing them. */
  readonly operates: ReadonlySet<string>;
  readonly isAmong: (members: Members) => boolean;
}

/** All rights of a user, computed once and kept until roles, administrators or groups change. */
interface EffectiveRights extends EffectiveGroupRights {
  readonly templates: { readonly administers: ReadonlySet<string>; readonly views: ReadonlySet<string> };
  readonly policies: readonly (readonly Directive[])[];
}

/** Roles and administrators as reported by sources of users, in addition to those listed in the configuration. */
export interface ProvidedRights {
  /** Grows when anything of it changes. */
  readonly generation: number;
  hasRole(loginName: string, role: EntityNamed<'roles'>): boolean;
  isAdmin(loginName: string): boolean;
}

const NOTHING_PROVIDED: ProvidedRights = { generation: 0, hasRole: () => false, isAdmin: () => false };

/** The names in scopes of the resource types that policies, groups and templates give rights to. */
export const SCOPE_RESOURCES: Readonly<Record<PolicyType, string>> = {
  environment: 'environments',
  config_repo: 'config_repos',
  cluster_profile: 'cluster_profiles',
  elastic_agent_profile: 'elastic_profiles',
  pipeline_group: 'pipeline_groups',
  pipeline: 'pipelines',
  template: 'templates',
};

const MAX_REMEMBERED = 10_000;
const NO_MEMBERS: Members = { users: [], roles: [] };

export class Access {
  readonly #admins: Entries<EntityNamed<'systemAdmins'>>;
  readonly #roles: Entries<EntityNamed<'roles'>>;
  readonly #groups: Entries<EntityNamed<'pipelineGroups'>>;
  readonly #templates: Entries<EntityNamed<'templates'>>;
  readonly #templateRights: Entries<EntityNamed<'templateAuthorizations'>>;
  readonly #pipelines: Entries<EntityNamed<'pipelines'>>;
  readonly #rights = new Map<string, EffectiveRights>();
  readonly #provided: ProvidedRights;
  #generation = -1;

  constructor(config: Config, provided = NOTHING_PROVIDED) {
    this.#provided = provided;
    this.#admins = config.of('systemAdmins');
    this.#roles = config.of('roles');
    this.#groups = config.of('pipelineGroups');
    this.#templates = config.of('templates');
    this.#templateRights = config.of('templateAuthorizations');
    this.#pipelines = config.of('pipelines');
  }

  /** A token that is limited to anything less than everything gives no such right. */
  isAdmin({ loginName, scopes }: Rightholder): boolean {
    return this.#rightsOf(loginName).isAdmin && (scopes?.isEverything ?? true);
  }

  /** Whether a user has a permission for all resources, without a policy. Not with a token that is limited to less than everything. */
  passes(identity: Rightholder, permission: Permission): boolean {
    const { loginName, scopes } = identity;
    if (scopes && !scopes.isEverything && permission !== 'anyone' && permission !== 'user') return false;
    return this.#passes(loginName, permission);
  }

  #passes(loginName: string, permission: Permission): boolean {
    switch (permission) {
      case 'anyone':
      case 'user':
        return true;
      case 'admin':
        return this.#rightsOf(loginName).isAdmin;
      case 'anyAdmin': {
        const { isAdmin, administers, templates } = this.#rightsOf(loginName);
        return isAdmin || administers.size > 0 || templates.administers.size > 0;
      }
      case 'groupAdmin': {
        const { isAdmin, administers } = this.#rightsOf(loginName);
        return isAdmin || administers.size > 0;
      }
    }
  }

  /**
   * Whether a user may take this action on one resource, by a general permission or by the policy of a role. An explicit deny refuses all
   * but system administrators.
   */
  may(identity: Rightholder, permission: Permission, question: AccessRequest): boolean {
    return this.#isInScopeOf(identity, question) && this.#may(identity.loginName, permission, question);
  }

  #may(loginName: string, permission: Permission, question: AccessRequest): boolean {
    const rights = this.#rightsOf(loginName);
    if (rights.isAdmin) return true;
    if (question.type === 'pipeline_group') return rights.administers.has(question.resource.toLowerCase());
    if (question.type === 'template') {
      const { administers, views } = rights.templates;
      const key = question.resource.toLowerCase();
      return administers.has(key) || (question.action === 'view' && views.has(key));
    }
    if (question.type === 'pipeline') return rights.administers.has((question.within ?? '').toLowerCase());
    const decision = decidePolicy(rights.policies, question);
    return decision === 'allow' || (decision === undefined && permission !== 'admin' && this.#passes(loginName, permission));
  }

  /** Whether a user may create things like this one: users who may can find out by trying which names are taken. */
  mayCreate({ loginName, scopes }: Rightholder, question: AccessRequest): boolean {
    if (scopes && !scopes.concern(SCOPE_RESOURCES[question.type], 'administer')) return false;
    const { isAdmin, administers, policies } = this.#rightsOf(loginName);
    if (isAdmin) return true;
    if (question.type === 'pipeline') return administers.size > 0;
    return decidePolicy(policies, question) !== 'deny' && allowsCreating(policies, question.type);
  }

  /**
   * For callers that decide about many pipelines at once, and check scopes themselves. The same object as long as nothing changes that
   * rights depend on.
   */
  effectiveGroupRights({ loginName }: Rightholder): EffectiveGroupRights {
    return this.#rightsOf(loginName);
  }

  /** All rights of a user, as a text that is another one whenever they are. */
  rightsText({ loginName }: Rightholder): string {
    const { isAdmin, administers, views, operates, templates, policies } = this.#rightsOf(loginName);
    if (isAdmin) return '*';
    const keys = [administers, views, operates, templates.administers, templates.views].map((those) => [...those].toSorted());
    return JSON.stringify([keys, policies]);
  }

  /** Whether a user may see a pipeline, by its group. */
  mayView({ loginName, scopes }: Rightholder, { group, pipeline }: PipelineInGroup): boolean {
    return this.#seesGroup(loginName, group) && (scopes?.coversPipeline('view', pipeline, group) ?? true);
  }

  /** Whether a user may see that there is a group, which may be empty. */
  mayViewGroup({ loginName, scopes }: Rightholder, group: string): boolean {
    const needed = { resource: SCOPE_RESOURCES.pipeline_group, action: 'view', name: group } as const;
    return this.#seesGroup(loginName, group) && (scopes?.covers(needed) ?? true);
  }

  #seesGroup(loginName: string, group: string): boolean {
    const { isAdmin, views } = this.#rightsOf(loginName);
    return isAdmin || views.has(group.toLowerCase());
  }

  /** Whether a user may operate a pipeline. The approvers of a stage, where it names any, count instead of the operators of the group. */
  mayOperate({ loginName, scopes }: Rightholder, { group, pipeline }: PipelineInGroup, approvers: Members = NO_MEMBERS): boolean {
    if (scopes && !scopes.coversPipeline('operate', pipeline, group)) return false;
    const { isAdmin, administers, operates, isAmong } = this.#rightsOf(loginName);
    const key = group.toLowerCase();
    if (isAdmin || administers.has(key)) return true;
    return approvers.users.length + approvers.roles.length > 0 ? isAmong(approvers) : operates.has(key);
  }

  /** Whether a user may have rights to some things of this type. */
  mayHaveAnyOf({ loginName, scopes }: Rightholder, permission: Permission, type: PolicyType): boolean {
    if (scopes && !scopes.concern(SCOPE_RESOURCES[type], 'view')) return false;
    if (this.#passes(loginName, permission)) return true;
    const { policies, templates } = this.#rightsOf(loginName);
    if (type === 'template') return templates.administers.size + templates.views.size > 0;
    // Rights to groups and pipelines come from the groups alone; a policy on everything does not mean them.
    return type !== 'pipeline_group' && type !== 'pipeline' && concerns(policies, type);
  }

  /** The roles that list the user, and those that a plugin gives them. */
  rolesOf(login: string): readonly Entry<EntityNamed<'roles'>>[] {
    const key = login.toLowerCase();
    return [...this.#roles.all()].filter(({ value }) => isListed(usersOf(value), key) || this.#provided.hasRole(login, value));
  }

  /** Whether the scopes of the token used, if it has any, cover this. Says nothing of the rights of the user. */
  isInScope({ scopes }: Pick<Rightholder, 'scopes'>, needed: NeededScope, group?: string): boolean {
    if (!scopes || scopes.covers(needed)) return true;
    if (needed.resource !== SCOPE_RESOURCES.pipeline) return false;
    const within = group ?? this.#pipelines.find(needed.name)?.value.group;
    return within !== undefined && scopes.coversPipeline(needed.action, needed.name, within);
  }

  /** Whether the scopes of the token used allow this action on anything of the kind. A scope on groups is one on pipelines. */
  scopesConcern({ scopes }: Pick<Rightholder, 'scopes'>, { resource, action }: Pick<NeededScope, 'resource' | 'action'>): boolean {
    if (!scopes || scopes.concern(resource, action)) return true;
    return resource === SCOPE_RESOURCES.pipeline && scopes.concern(SCOPE_RESOURCES.pipeline_group, action);
  }

  #isInScopeOf(identity: Rightholder, { type, action, resource: name, within }: AccessRequest): boolean {
    return !identity.scopes || this.isInScope(identity, { resource: SCOPE_RESOURCES[type], action, name }, within);
  }

  /** Grows when anything changes that rights depend on; asked at every request. */
  #generationNow(): number {
    return (
      this.#admins.generation +
      this.#roles.generation +
      this.#groups.generation +
      this.#templates.generation +
      this.#templateRights.generation +
      this.#provided.generation
    );
  }

  #rightsOf(loginName: string): EffectiveRights {
    const generation = this.#generationNow();
    if (generation !== this.#generation || this.#rights.size >= MAX_REMEMBERED) {
      this.#rights.clear();
      this.#generation = generation;
    }
    return this.#rights.getOrInsertComputed(loginName, (login) => this.#computeRights(login));
  }

  #computeRights(login: string): EffectiveRights {
    const key = login.toLowerCase();
    const roles = this.rolesOf(login);
    const roleNames = new Set(roles.map(({ value }) => value.name.toLowerCase()));
    const isAmong = ({ users, roles: named }: Members) => isListed(users, key) || named.some((role) => roleNames.has(role.toLowerCase()));
    const admins = this.#admins.find('')?.value;
    const groups = [...this.#groups.all()].map(({ key: name, value }) => ({ name, ...value.authorization }));
    const administers = new Set(groups.filter((group) => isAmong(group.admins)).map(({ name }) => name));
    return {
      isAdmin: (admins !== undefined && isAmong(admins)) || this.#provided.isAdmin(login),
      administers,
      views: new Set(groups.filter((group) => isAmong(group.view) || administers.has(group.name)).map(({ name }) => name)),
      operates: new Set(groups.filter((group) => isAmong(group.operate)).map(({ name }) => name)),
      isAmong,
      templates: this.#computeTemplateRights(isAmong, administers.size > 0),
      policies: roles.map(({ value }) => value.policy),
    };
  }

  #computeTemplateRights(isAmong: (members: Members) => boolean, isGroupAdmin: boolean): EffectiveRights['templates'] {
    const administers = new Set<string>();
    const views = new Set<string>();
    for (const { key } of this.#templates.all()) {
      const rights = this.#templateRights.find(key)?.value;
      if (rights && isAmong(rights.admin)) administers.add(key);
      if ((rights && isAmong(rights.view)) || (isGroupAdmin && (rights?.allGroupAdminsAreViewUsers ?? true))) views.add(key);
    }
    return { administers, views };
  }
}

function usersOf({ attributes }: EntityNamed<'roles'>): readonly string[] {
  return 'users' in attributes ? attributes.users : [];
}
