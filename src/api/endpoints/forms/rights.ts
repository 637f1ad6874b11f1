// The rights of the user to the entities of a form, as far as they are the same for all of them.
import type { Identity } from '../../../access/identity.ts';
import type { Access } from '../../../access/may.ts';
import type { Kind } from '../../../shape/resource.ts';

export interface Rights {
  /** Whether there may be some to see. */
  mayView(kind: Kind): boolean;
  /** Whether one could be created, under some name. */
  mayCreate(kind: Kind): boolean;
  /** Whether what refers to an entity may be asked for, whichever it is. */
  readonly mayAskUsages: boolean;
}

/** The rights of system administrators. */
export const ALL_RIGHTS: Rights = { mayView: () => true, mayCreate: () => true, mayAskUsages: true };

export function rightsOf(identity: Identity, access: Access): Rights {
  return {
    mayAskUsages: access.isAdmin(identity),
    mayView: ({ permission, policy }) =>
      policy ? access.mayHaveAnyOf(identity, permission, policy.type) : access.passes(identity, permission),
    mayCreate: ({ permission, policy }) => {
      if (!policy || access.isAdmin(identity)) return access.passes(identity, permission);
      if (policy.isCreatedByAdmins) return false;
      const isOpenToMore = permission !== 'admin' && access.passes(identity, permission);
      return isOpenToMore || access.mayCreate(identity, { type: policy.type, action: 'administer', resource: '' });
    },
  };
}
