// Subversion repositories.
import { flag } from '../../../shape/fields.ts';
import { password, urlProblems, username } from '../attributes/common.ts';
import { url } from '../attributes/url.ts';
import { defineRepository, textOf } from '../repository-definition.ts';
import { materialOfExternal } from './external-material.ts';
import { SVN_CLASS, svnIdentity } from './identity.ts';

const address = url(SVN_CLASS);
const checkExternals = flag(false, { description: 'Whether changes of externals count.' });

export const svn = defineRepository({
  title: 'Subversion',
  className: SVN_CLASS,
  addressedBy: 'url',
  fields: { url: address, checkExternals, username, password: password(SVN_CLASS) },
  inPipelines: { before: { url: address }, after: { checkExternals } },
  problems: (attributes, check) => urlProblems(attributes.url, check),
  identity: svnIdentity,
  details: (own) => [
    ['Username', own.username],
    ['CheckExternals', own.checkExternals],
  ],
  pathsBeginWithSlash: true,
  xml: {
    attributes: [
      { name: 'url', member: 'url', is: 'required' },
      { name: 'checkexternals', member: 'check_externals', is: 'flag' },
    ],
    username: 'null',
  },
  file: { title: 'Svn', needs: ['url'], texts: ['url'], flags: ['check_externals'], hasShortForm: true },
  external: materialOfExternal,
  forAgents: ({ url, checkExternals: follows }, { common }) => ({
    ...common,
    type: 'svn',
    url: textOf(url),
    check_externals: follows === true,
  }),
  load: async () => (await import('./access.ts')).svnAccess,
});
