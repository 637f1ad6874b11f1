// The organizations and teams of a GitHub user, and the roles they give.
import type { SettingProblem, SettingValues } from '../../../../contracts/plugins/plugin.ts';
import type { Member } from '../../../../contracts/plugins/web-login.ts';
import { hasCommon, linesIn, namesIn } from './name-lists.ts';

const organizationGroup = (organization: string) => `organization:${organization.toLowerCase()}`;
const teamGroup = (organization: string, team: string) => `team:${organization.toLowerCase()}/${team.toLowerCase()}`;

export interface Team {
  readonly organization: string;
  /** A team has a name, and a short form of it in addresses: roles can use either. */
  readonly names: readonly string[];
}

export function groupsOf(organizations: readonly string[], teams: readonly Team[]): readonly string[] {
  const ofTeams = teams.flatMap(({ organization, names }) => names.map((name) => teamGroup(organization, name)));
  return [...new Set([...organizations.map(organizationGroup), ...ofTeams])];
}

export function isInOrganization(organizations: readonly string[], groups: readonly string[]): boolean {
  return hasCommon(organizations.map(organizationGroup), groups);
}

export function hasRole(role: SettingValues, { loginName, groups }: Member): boolean {
  const teams = linesIn(role.get('Teams')).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : namesIn(line.slice(colon + 1)).map((team) => teamGroup(line.slice(0, colon).trim(), team));
  });
  return (
    namesIn(role.get('Users')).includes(loginName.toLowerCase()) ||
    isInOrganization(namesIn(role.get('Organizations')), groups) ||
    hasCommon(teams, groups)
  );
}

export function roleProblems(role: SettingValues): readonly SettingProblem[] {
  const wrong = linesIn(role.get('Teams')).find((line) => !/^[^:]+:[^:]*[^:,\s]/.test(line));
  if (wrong === undefined) return [];
  return [{ key: 'Teams', message: 'Invalid format. It should be in <organization>:<team-1>,<team-2> format.' }];
}
