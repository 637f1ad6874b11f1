// The kinds of repositories that are polled for changes, with the attributes each needs to be found.
import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../kit/text/control-characters.ts';
import { type EntityOf, type Field, type Fields, plainField } from '../../shape/field.ts';
import { flag, optionalText } from '../../shape/fields.ts';
import { readText } from '../../shape/json/reading.ts';
import { must, type Path, type Problem } from '../../shape/problems/problem.ts';
import { passwordOf } from './material-password.ts';
import { hasCredentials, identityOf, isUnknown, shownUrl, type Url, url } from './url.ts';

const text = (description: string) => optionalText({ description });
const username = omittedWhenUnset(text('User name.'));
const UNDECRYPTABLE = 'Encrypted value for password is invalid. This usually happens when the cipher text is invalid.';
const password = (type: string) => passwordOf(type, [UNDECRYPTABLE]);
const branch = plainField<string>(
  { type: 'string', default: 'master', description: 'Branch, or a refspec such as `refs/pull/7/head:pr-7`.' },
  (place, name) => readText(place, name)?.trim() || 'master',
  (value) => value,
);

export const autoUpdate = flag(true, { description: 'Whether to look for changes without being told.' });

/** The attributes by which each type finds its repository, as config repos show them. */
export const REPOSITORY_FIELDS = {
  git: { url: url('GitMaterial'), username, password: password('GitMaterial'), branch },
  hg: { url: url('HgMaterial'), username, password: password('HgMaterial'), branch: omittedWhenUnset(text('Branch.')) },
  svn: {
    url: url('SvnMaterial'),
    checkExternals: flag(false, { description: 'Whether changes of externals count.' }),
    username: text('User name.'),
    password: password('SvnMaterial'),
  },
  p4: {
    port: text('[transport:]host:port'),
    useTickets: flag(false, { description: 'Whether to log in with a ticket.' }),
    view: text('The view.'),
    username: text('User name.'),
    password: password('P4Material'),
  },
  tfs: {
    url: url('TfsMaterial'),
    projectPath: text('Path in the collection.'),
    domain: text('Domain of the user.'),
    username: text('User name.'),
    password: password('TfsMaterial'),
  },
} satisfies Readonly<Record<string, Fields>>;

export type RepositoryType = keyof typeof REPOSITORY_FIELDS;
/** What identifies a repository, whatever else its owner says about it. */
export type Repository = {
  [T in RepositoryType]: { readonly type: T; readonly attributes: EntityOf<(typeof REPOSITORY_FIELDS)[T]> };
}[RepositoryType];

type Check = (holds: boolean, key: string, message: string) => Problem[];

/** In a pipeline, whose parameters are replaced, `##` has become the `#` it stands for. */
export function repositoryProblems({ type, attributes }: Repository, at: Path, branchMark: '##' | '#' = '##'): Problem[] {
  const problem: Check = (holds, key, message) => must(holds, [...at, key], message);
  const isGiven = (value: string | null) => (value ?? '').trim() !== '';
  switch (type) {
    case 'git':
      return [
        ...urlProblems(attributes.url, problem),
        ...ambiguousCredentials(attributes, problem),
        ...branchProblems(attributes.branch, problem),
      ];
    case 'hg': {
      const isBranchClear = !isGiven(attributes.branch) || !shownUrl(attributes.url).includes(branchMark);
      return [
        ...urlProblems(attributes.url, problem),
        ...ambiguousCredentials(attributes, problem),
        ...problem(isBranchClear, 'url', 'Ambiguous branch, must be provided either in URL or as an attribute.'),
      ];
    }
    case 'svn':
      return urlProblems(attributes.url, problem);
    case 'p4':
      return [
        ...problem(isGiven(attributes.view), 'view', 'P4 view cannot be empty.'),
        ...problem(isGiven(attributes.port), 'port', 'P4 port cannot be empty.'),
      ];
    case 'tfs':
      return [
        ...urlProblems(attributes.url, problem),
        ...problem(isGiven(attributes.username), 'username', 'Username cannot be blank'),
        ...problem(isGiven(attributes.projectPath), 'projectPath', 'Project Path cannot be blank'),
      ];
  }
}

function urlProblems(value: Url, problem: Check): Problem[] {
  const shown = shownUrl(value);
  if (shown.trim() === '') return problem(false, 'url', 'URL cannot be blank');
  return [
    ...problem(/^[a-zA-Z0-9/#]/.test(shown), 'url', 'URL does not seem to be valid.'),
    ...problem(!hasControlCharacter(shown), 'url', NO_CONTROL_CHARACTERS),
    ...problem(
      !isUnknown(value),
      'url',
      'The password in the URL is masked. Send the URL with its password, or leave it as it was returned.',
    ),
  ];
}

function ambiguousCredentials(attributes: { url: Url; username: string | null; password: unknown }, problem: Check): Problem[] {
  const hasAttributes = (attributes.username ?? '') !== '' || attributes.password !== null;
  const isClear = !(hasCredentials(attributes.url) && hasAttributes);
  return problem(isClear, 'url', 'Ambiguous credentials, must be provided either in URL or as attributes.');
}

function branchProblems(value: string, problem: Check): Problem[] {
  const colon = value.indexOf(':');
  if (colon < 0) return problem(!value.includes('*'), 'branch', "Branch names may not contain '*'");
  const source = value.slice(0, colon);
  return [
    ...problem(source !== '', 'branch', 'Refspec is missing a source ref'),
    ...problem(source === '' || source.startsWith('refs/'), 'branch', 'Refspec source must be an absolute ref (must start with `refs/`)'),
    ...problem(value.slice(colon + 1) !== '', 'branch', 'Refspec is missing a destination ref'),
    ...problem(!value.includes('*'), 'branch', 'Refspecs may not contain wildcards; source and destination refs must be exact'),
  ];
}

/** Equal for two of the same repository. Not the fingerprint that clients see: that one needs the clear address. */
export function repositoryIdentity({ type, attributes: own }: Repository): string {
  switch (type) {
    case 'git':
    case 'hg':
      return JSON.stringify([type, whole(own.url), orUnset(own.branch)]);
    case 'svn':
      return JSON.stringify([type, whole(own.url), orUnset(own.username), own.checkExternals]);
    case 'p4':
      return JSON.stringify([type, own.port, orUnset(own.username), own.view]);
    case 'tfs':
      return JSON.stringify([type, whole(own.url), orUnset(own.username), orUnset(own.domain), own.projectPath]);
  }
}

/** The part that is not secret may differ where the whole does not: parameters are replaced only there. */
function whole(address: Url): string {
  return typeof address === 'string' ? address : `${identityOf(address)} ${address.masked}`;
}

function orUnset(value: string | null): string | null {
  return value?.trim() ? value : null;
}

/** What stands for the repository in messages. */
export function shownRepository({ attributes }: Repository): string {
  return 'url' in attributes ? shownUrl(attributes.url) : (attributes.port ?? '');
}

export function omittedWhenUnset(field: Field<string | null>): Field<string | null> {
  return {
    ...field,
    write: (value, name, out) => {
      if (value !== null && value !== '') out[name] = value;
    },
  };
}
