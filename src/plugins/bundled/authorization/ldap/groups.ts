// Which groups of an LDAP directory give a role: by an attribute of the user's entry, or by a search for groups that name the user.
import type { SettingField, SettingProblem, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import type { Member } from '../../../../contracts/plugins/web-login.ts';
import { isFilter } from './directory.ts';
import { escapeForFilter, isAttributeName, normalFilter } from './filters.ts';
import { linesOf, textOf } from './settings.ts';

const ATTRIBUTE = 'UserGroupMembershipAttribute';
const IDENTIFIERS = 'GroupIdentifiers';
const BASES = 'GroupSearchBases';
const FILTER = 'GroupMembershipFilter';

export const ROLE_FIELDS: readonly SettingField[] = [
  { key: ATTRIBUTE, description: 'The attribute of users that names their groups, such as `memberOf`.' },
  {
    key: IDENTIFIERS,
    kind: 'multiline',
    description:
      'Users whose attribute has one of these values have the role, such as `cn=admins,ou=groups,dc=example,dc=com`; one to a line.',
  },
  {
    key: BASES,
    kind: 'multiline',
    description: 'Where the filter looks for groups, such as `cn=admins,ou=groups,dc=example,dc=com`; one to a line.',
  },
  {
    key: FILTER,
    description:
      'Users for whom it finds a group have the role: `(member={dn})` or `(memberUid={uid})`. A name in braces stands for that attribute of the user, `{dn}` for their distinguished name.',
  },
];

/** A search that finds something if the user is in a group. */
export interface GroupSearch {
  readonly bases: readonly string[];
  /** The filter, with placeholders for attributes of the user. */
  readonly filter: string;
}

/** A user in the directory. */
export interface Person {
  readonly dn: string;
  valuesOf(attribute: string): readonly string[];
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const DN = 'dn';

export function roleProblems(values: SettingValues): readonly SettingProblem[] {
  const hasFilter = textOf(values, FILTER) !== '';
  const needed = hasFilter ? [BASES] : [ATTRIBUTE, IDENTIFIERS];
  const problems = needed.filter((key) => textOf(values, key) === '').map((key) => ({ key, message: `\`${key}\` must not be blank.` }));
  const attribute = textOf(values, ATTRIBUTE);
  if (attribute !== '' && !isAttributeName(attribute)) {
    problems.push({ key: ATTRIBUTE, message: `${ATTRIBUTE} must be the name of an attribute, such as memberOf.` });
  }
  return hasFilter ? [...problems, ...filterProblems(normalFilter(textOf(values, FILTER)))] : problems;
}

/** A filter that does not name the user would give the role to all users. */
function filterProblems(filter: string): readonly SettingProblem[] {
  const names = placeholdersOf(filter);
  const isSound = names.length > 0 && names.every(isAttributeName) && isFilter(fill(filter, () => 'x') ?? '');
  if (isSound) return [];
  return [{ key: FILTER, message: `${FILTER} must be an LDAP filter that names attributes of the user in braces, such as (member={dn}).` }];
}

/** The attributes of users that roles ask for. */
export function neededAttributes(roles: readonly SettingValues[]): readonly string[] {
  const named = roles.map((role) => textOf(role, ATTRIBUTE)).filter(isAttributeName);
  const inFilters = neededSearches(roles).flatMap(({ filter }) => placeholdersOf(filter));
  return [...new Set([...named, ...inFilters])].filter((attribute) => attribute.toLowerCase() !== DN);
}

/** The searches that roles ask for, each once. */
export function neededSearches(roles: readonly SettingValues[]): readonly GroupSearch[] {
  return [...new Map(roles.flatMap((role) => searchOf(role) ?? []).map((search) => [searchGroup(search), search])).values()];
}

/** The groups that roles ask for and that the entry of a user names. */
export function groupsOfEntry(roles: readonly SettingValues[], { valuesOf }: Pick<Person, 'valuesOf'>): readonly string[] {
  const attributes = new Set(roles.map(attributeOf));
  const named = new Set([...attributes].flatMap((attribute) => valuesOf(attribute).map((value) => entryGroup(attribute, value))));
  return [...new Set(roles.flatMap(entryGroups))].filter((group) => named.has(group));
}

/** How a search that has found a group is remembered. */
export function searchGroup({ bases, filter }: GroupSearch): string {
  return `search ${filter} ${JSON.stringify(bases)}`;
}

export function hasRole(role: SettingValues, { groups }: Pick<Member, 'groups'>): boolean {
  const search = searchOf(role);
  const wanted = [...entryGroups(role), ...(search ? [searchGroup(search)] : [])];
  return wanted.some((group) => groups.includes(group));
}

/** The filter for one user; undefined when they lack an attribute that it names. */
export function filterOf({ filter }: GroupSearch, { dn, valuesOf }: Person): string | undefined {
  return fill(filter, (name) => (name.toLowerCase() === DN ? dn : valuesOf(name)[0]));
}

/** Undefined: the role has no filter, or one that was written into a file and means nothing. */
function searchOf(role: SettingValues): GroupSearch | undefined {
  const filter = normalFilter(textOf(role, FILTER));
  const bases = linesOf(role, BASES);
  return filter === '' || bases.length === 0 || filterProblems(filter).length > 0 ? undefined : { bases, filter };
}

function entryGroups(role: SettingValues): readonly string[] {
  const attribute = attributeOf(role);
  return attribute === '' ? [] : linesOf(role, IDENTIFIERS).map((identifier) => entryGroup(attribute, identifier));
}

const attributeOf = (role: SettingValues): string => textOf(role, ATTRIBUTE).toLowerCase();

/** As directories compare names: regardless of case, and of blanks around commas and equals signs. */
function entryGroup(attribute: string, value: string): string {
  const trimmed = (text: string, separator: string) =>
    text
      .split(separator)
      .map((part) => part.trim())
      .join(separator);
  return `entry ${attribute}=${trimmed(trimmed(value.toLowerCase(), ','), '=')}`;
}

function placeholdersOf(filter: string): readonly string[] {
  return [...filter.matchAll(PLACEHOLDER)].map((match) => match[1] as string);
}

/** Placeholders inside an inserted value are not replaced. */
function fill(filter: string, read: (name: string) => string | undefined): string | undefined {
  let isComplete = true;
  const filled = filter.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = read(name);
    if (value === undefined) isComplete = false;
    return escapeForFilter(value ?? '');
  });
  return isComplete ? filled : undefined;
}
