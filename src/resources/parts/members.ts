// Users and roles by name: those who have some right.
import type { Field } from '../../shape/field.ts';
import { group, texts } from '../../shape/fields.ts';
import type { Path } from '../../shape/problem.ts';
import type { Reference } from '../../shape/resource.ts';

export interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

export function members(): Field<Members> {
  return group({ users: texts({ description: 'Login names.' }), roles: texts({ description: 'Names of roles.' }) });
}

export function rolesNamed({ roles }: Members, at: Path): Reference[] {
  return roles.map((role) => ({ kind: 'roles', id: role, at: [...at, 'roles'], unknown: `Role "${role}" does not exist.` }));
}

/** Each name once: names that differ only in letter case mean the same. */
export function eachOnce(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names) byKey.getOrInsert(name.toLowerCase(), name);
  return [...byKey.values()];
}
