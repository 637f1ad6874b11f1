// The groups and projects of a GitLab user, with the access levels, and the roles they give.
import type { SettingProblem, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import type { Member } from '../../../../contracts/plugins/web-login.ts';
import { hasCommon, linesIn, namesIn } from './name-lists.ts';

/** As GitLab counts them. */
export const ACCESS_LEVELS: Readonly<Record<string, number>> = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 };

export type Kind = 'group' | 'project';

/** A path, such as `acme/infra`, and the levels that count; none: all. */
interface WantedGroup {
  readonly path: string;
  readonly levels: readonly string[];
}

/** The texts for roles. They name groups by path: any user can give a group of their own the name of another group. */
export function groupTexts(kind: Kind, levelsByPath: ReadonlyMap<string, string | undefined>): readonly string[] {
  return [...levelsByPath].flatMap(([path, level]) => {
    const name = `${kind}:${path.toLowerCase()}`;
    return level === undefined ? [name] : [name, `${name}@${level}`];
  });
}

export function isInGroup(paths: readonly string[], groups: readonly string[]): boolean {
  return hasCommon(
    paths.map((path) => `group:${path}`),
    groups,
  );
}

export function hasRole(role: SettingValues, { loginName, groups }: Member): boolean {
  const wanted = (['group', 'project'] as const).flatMap((kind) =>
    wantedIn(role, kind).flatMap(({ path, levels }) =>
      levels.length === 0 ? [`${kind}:${path}`] : levels.map((level) => `${kind}:${path}@${level}`),
    ),
  );
  return namesIn(role.get('Users')).includes(loginName.toLowerCase()) || hasCommon(wanted, groups);
}

/** The levels that roles ask for: only these have to be looked up. Undefined: no role asks for groups or projects of this kind. */
export function neededLevels(roles: readonly SettingValues[], kind: Kind): readonly string[] | undefined {
  const wanted = roles.flatMap((role) => wantedIn(role, kind));
  return wanted.length === 0 ? undefined : [...new Set(wanted.flatMap(({ levels }) => levels))];
}

export function roleProblems(role: SettingValues): readonly SettingProblem[] {
  return (['group', 'project'] as const).flatMap((kind) => {
    const unknown = wantedIn(role, kind)
      .flatMap(({ levels }) => levels)
      .find((level) => !Object.hasOwn(ACCESS_LEVELS, level));
    if (unknown === undefined) return [];
    return [{ key: keyOf(kind), message: `Invalid access level '${unknown}', must be one of ${Object.keys(ACCESS_LEVELS).join(', ')}.` }];
  });
}

const keyOf = (kind: Kind) => (kind === 'group' ? 'Groups' : 'Projects');

function wantedIn(role: SettingValues, kind: Kind): readonly WantedGroup[] {
  return linesIn(role.get(keyOf(kind))).map((line) => {
    const [path = '', ...levels] = line.split(':');
    return { path: path.trim().toLowerCase(), levels: namesIn(levels.join(':')) };
  });
}
