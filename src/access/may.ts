// The one place where it is decided who may do what.
import type { Config } from '../config/current.ts';
import type { Entry } from '../config/entry.ts';
import type { Permission } from '../shape/resource.ts';
import type { Identity } from './identity.ts';

export type May = (identity: Identity, permission: Permission) => boolean;

export function decideBy(config: Config): May {
  const isAdmin = adminsOf(config);
  return (identity, permission) => {
    switch (permission) {
      case 'anyone':
      case 'user':
        return true;
      case 'groupAdmin':
      case 'admin':
        return isAdmin(identity);
    }
  };
}

function adminsOf(config: Config): (identity: Identity) => boolean {
  const entries = config.of('systemAdmins');
  let known: Entry | undefined;
  let names = new Set<string>();
  return ({ loginName }) => {
    const entry = entries.find('');
    if (entry !== known) {
      known = entry;
      names = new Set(((entry?.value.users ?? []) as string[]).map((name) => name.toLowerCase()));
    }
    return names.has(loginName.toLowerCase());
  };
}
