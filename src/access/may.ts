// The one place where it is decided who may do what.
import type { Config, Entries } from '../config/current.ts';
import type { Entry } from '../config/entry.ts';
import type { Permission, PolicyType } from '../shape/resource.ts';
import type { Identity } from './identity.ts';
import { concerns, type Directive, decidePolicy, type Question } from './policy.ts';

interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

/** What a user is, worked out once until roles, administrators or groups change. */
interface Standing {
  readonly isAdmin: boolean;
  /** The groups they administer, in lower case. */
  readonly administers: ReadonlySet<string>;
  readonly policies: readonly (readonly Directive[])[];
}

const MOST_REMEMBERED = 10_000;

export class Access {
  readonly #admins: Entries;
  readonly #roles: Entries;
  readonly #groups: Entries;
  readonly #standings = new Map<string, Standing>();
  #generation = -1;

  constructor(config: Config) {
    this.#admins = config.of('systemAdmins');
    this.#roles = config.of('roles');
    this.#groups = config.of('pipelineGroups');
  }

  isAdmin(identity: Identity): boolean {
    return this.#standingOf(identity).isAdmin;
  }

  /** Whether somebody passes by what they are, whatever the thing. */
  passes(identity: Identity, permission: Permission): boolean {
    switch (permission) {
      case 'anyone':
      case 'user':
        return true;
      case 'admin':
        return this.#standingOf(identity).isAdmin;
      case 'groupAdmin': {
        const { isAdmin, administers } = this.#standingOf(identity);
        return isAdmin || administers.size > 0;
      }
    }
  }

  /** Whether somebody may do this with one thing, by what they are or by the policy of a role. An explicit deny refuses all but system administrators. */
  may(identity: Identity, permission: Permission, question: Question): boolean {
    const standing = this.#standingOf(identity);
    if (standing.isAdmin) return true;
    if (question.type === 'pipeline_group') return standing.administers.has(question.resource.toLowerCase());
    if (question.type === 'pipeline') return standing.administers.has((question.within ?? '').toLowerCase());
    const verdict = decidePolicy(standing.policies, question);
    return verdict === 'allow' || (verdict === undefined && permission !== 'admin' && this.passes(identity, permission));
  }

  /** Whether somebody has anything to look for among things of this type. */
  maySeek(identity: Identity, permission: Permission, type: PolicyType): boolean {
    return this.passes(identity, permission) || concerns(this.#standingOf(identity).policies, type);
  }

  #standingOf({ loginName }: Identity): Standing {
    const generation = this.#admins.generation + this.#roles.generation + this.#groups.generation;
    if (generation !== this.#generation || this.#standings.size >= MOST_REMEMBERED) {
      this.#standings.clear();
      this.#generation = generation;
    }
    return this.#standings.getOrInsertComputed(loginName, (login) => this.#workOut(login));
  }

  #workOut(login: string): Standing {
    const key = login.toLowerCase();
    const roles = [...this.#roles.all()].filter(({ value }) => usersOf(value).some((user) => user.toLowerCase() === key));
    const roleNames = new Set(roles.map(({ value }) => String(value.name).toLowerCase()));
    const isAmong = ({ users, roles: named }: Members) =>
      users.some((user) => user.toLowerCase() === key) || named.some((role) => roleNames.has(role.toLowerCase()));
    const admins = this.#admins.find('')?.value as Members | undefined;
    return {
      isAdmin: admins !== undefined && isAmong(admins),
      administers: new Set([...this.#groups.all()].filter((group) => isAmong(adminsOf(group))).map(({ key: name }) => name)),
      policies: roles.map(({ value }) => value.policy as readonly Directive[]),
    };
  }
}

function usersOf(role: Entry['value']): readonly string[] {
  return (role.attributes as { readonly users?: readonly string[] }).users ?? [];
}

function adminsOf({ value }: Entry): Members {
  return (value.authorization as { readonly admins: Members }).admins;
}
