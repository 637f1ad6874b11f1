// Users and roles by name that have some right.
import type { Field } from '../../shape/field.ts';
import { group, texts } from '../../shape/fields.ts';
import { listedLoginProblem, normalLogin } from '../../shape/login-name.ts';
import { type Path, type Problem, problemUnless } from '../../shape/problems/problem.ts';
import type { Reference } from '../../shape/resource.ts';

export interface Members {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

export function members(description: string, label?: string): Field<Members> {
  return group(
    { users: logins('Login names.'), roles: texts({ refersTo: 'roles', description: 'Names of roles.' }) },
    { label, description },
  );
}

/** A list of login names, each in its one spelling. */
export function logins(description: string): Field<readonly string[]> {
  const all = texts({ format: 'login', description });
  return { ...all, read: (cursor, name) => all.read(cursor, name).map(normalLogin) };
}

export function rolesNamed({ roles }: Members, at: Path): Reference[] {
  return roles.map((role) => ({ kind: 'roles', id: role, at: [...at, 'roles'], unknown: `Role "${role}" does not exist.` }));
}

export function memberProblems({ users, roles }: Members, at: Path): Problem[] {
  return [
    ...userProblems(users, [...at, 'users'], (user) => `User '${user}' already exists.`),
    ...repeated(roles).map((role) => ({ at: [...at, 'roles'], message: `Role '${role}' already exists.` })),
  ];
}

export function userProblems(users: readonly string[], at: Path, existsAlready: (user: string) => string): Problem[] {
  const named = users.filter((user) => user.trim() !== '');
  return [
    ...problemUnless(named.length === users.length, at, 'User cannot be blank.'),
    ...loginProblems(named, at),
    ...repeated(named).map((user) => ({ at, message: existsAlready(user) })),
  ];
}

/** The problems of login names that are not blank. */
export function loginProblems(users: readonly string[], at: Path): Problem[] {
  return users.flatMap((user) => {
    const message = listedLoginProblem(user);
    return message === undefined ? [] : [{ at, message }];
  });
}

/** The names that repeat an earlier one, in any letter case. */
function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name.toLowerCase()).size);
}

/** Each name once: names that differ only in letter case mean the same. */
export function eachOnce(names: readonly string[]): readonly string[] {
  const byKey = new Map<string, string>();
  for (const name of names) byKey.getOrInsert(name.toLowerCase(), name);
  return [...byKey.values()];
}
