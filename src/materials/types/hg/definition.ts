// Mercurial repositories.
import {
  ambiguousCredentials,
  isGiven,
  omittedWhenUnset,
  orUnset,
  password,
  text,
  urlProblems,
  usernameIfSet,
} from '../attributes/common.ts';
import { shownUrl, url } from '../attributes/url.ts';
import { defineRepository, textOf } from '../repository-definition.ts';
import { urlAndBranchOf } from './material.ts';

const CLASS = 'HgMaterial';
const address = url(CLASS);
const branch = omittedWhenUnset(text('Branch.'));

export const hg = defineRepository({
  title: 'Mercurial',
  className: CLASS,
  addressedBy: 'url',
  fields: { url: address, username: usernameIfSet, password: password(CLASS), branch },
  inPipelines: { before: { url: address }, after: { branch } },
  problems: (attributes, check, branchMark) => {
    const isBranchClear = !isGiven(attributes.branch) || !shownUrl(attributes.url).includes(branchMark);
    return [
      ...urlProblems(attributes.url, check),
      ...ambiguousCredentials(attributes, check),
      ...check(isBranchClear, 'url', 'Ambiguous branch, must be provided either in URL or as an attribute.'),
    ];
  },
  identity: (own: { readonly url: string; readonly branch?: string | null }) => {
    const named = orUnset(own.branch);
    return [['type', CLASS], ['url', own.url], ...(named === null ? [] : [['branch', named] as const])];
  },
  details: () => [],
  namesBranchInUrl: true,
  xml: {
    attributes: [
      { name: 'url', member: 'url', is: 'required' },
      { name: 'branch', member: 'branch', is: 'optional' },
    ],
    username: 'omitted',
  },
  file: { title: 'Hg', needs: ['url'], texts: ['url', 'branch'], hasShortForm: true },
  forAgents: (material, { common }) => ({
    ...common,
    type: 'hg',
    ...urlAndBranchOf({ url: textOf(material.url), branch: textOf(material.branch) }),
  }),
  load: async () => (await import('./access.ts')).hgAccess,
});
