// Git repositories.
import { plainField } from '../../../shape/field.ts';
import { flag } from '../../../shape/fields.ts';
import { readText } from '../../../shape/json/reading.ts';
import type { Problem } from '../../../shape/problems/problem.ts';
import { ambiguousCredentials, orUnset, password, text, urlProblems, usernameIfSet } from '../attributes/common.ts';
import { url } from '../attributes/url.ts';
import { type Check, defineRepository, textOf } from '../repository-definition.ts';

const CLASS = 'GitMaterial';
const DEFAULT_BRANCH = 'master';

const address = url(CLASS);
const branch = plainField<string>(
  { type: 'string', default: DEFAULT_BRANCH, description: 'Branch, or a refspec such as `refs/pull/7/head:pr-7`.' },
  (cursor, name) => readText(cursor, name)?.trim() || DEFAULT_BRANCH,
  (value) => value,
);

export const git = defineRepository({
  title: 'Git',
  className: CLASS,
  addressedBy: 'url',
  fields: { url: address, username: usernameIfSet, password: password(CLASS), branch },
  inPipelines: {
    before: { url: address },
    after: {
      branch,
      submoduleFolder: text('Folder of a submodule.'),
      shallowClone: flag(false, { description: 'Whether to fetch only as much history as needed.' }),
    },
  },
  problems: (attributes, check) => [
    ...urlProblems(attributes.url, check),
    ...ambiguousCredentials(attributes, check),
    ...branchProblems(attributes.branch, check),
  ],
  identity: (own: { readonly url: string; readonly branch?: string | null }) => [
    ['type', CLASS],
    ['url', own.url],
    ['branch', orUnset(own.branch) ?? DEFAULT_BRANCH],
  ],
  details: (own) => [['Branch', own.branch]],
  xml: {
    attributes: [
      { name: 'url', member: 'url', is: 'required' },
      { name: 'branch', member: 'branch', is: 'optional', absent: DEFAULT_BRANCH },
    ],
    inPipelines: [{ name: 'shallowClone', member: 'shallow_clone', is: 'flag' }],
    username: 'omitted',
    unsaid: { submodule_folder: null },
  },
  file: {
    title: 'Git',
    needs: ['url'],
    texts: ['url', 'branch', 'submodule_folder'],
    flags: ['shallow_clone'],
    hasShortForm: true,
  },
  forAgents: (material, { common }) => ({
    ...common,
    type: 'git',
    url: textOf(material.url),
    branch: textOf(material.branch) || DEFAULT_BRANCH,
    shallow_clone: material.shallowClone === true,
    submodule_folder: textOf(material.submoduleFolder) || null,
  }),
  jobVariables: ({ branch: name }) => ({ BRANCH: textOf(name) || DEFAULT_BRANCH }),
  load: async () => (await import('./access.ts')).gitAccess,
});

function branchProblems(value: string, check: Check): Problem[] {
  const colon = value.indexOf(':');
  if (colon < 0) return check(!value.includes('*'), 'branch', "Branch names may not contain '*'");
  const source = value.slice(0, colon);
  return [
    ...check(source !== '', 'branch', 'Refspec is missing a source ref'),
    ...check(source === '' || source.startsWith('refs/'), 'branch', 'Refspec source must be an absolute ref (must start with `refs/`)'),
    ...check(value.slice(colon + 1) !== '', 'branch', 'Refspec is missing a destination ref'),
    ...check(!value.includes('*'), 'branch', 'Refspecs may not contain wildcards; source and destination refs must be exact'),
  ];
}
