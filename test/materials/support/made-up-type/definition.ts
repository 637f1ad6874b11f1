// A made-up type of repository: a text file in which every line is a revision. A test puts this folder among the real types.

import { password, urlProblems, username } from '../../../../src/materials/types/attributes/common.ts';
import { url } from '../../../../src/materials/types/attributes/url.ts';
import { defineRepository } from '../../../../src/materials/types/repository-definition.ts';
import { flag } from '../../../../src/shape/fields.ts';

const CLASS = 'JournalMaterial';
const address = url(CLASS);
const ignoresEmptyLines = flag(false, { description: 'Whether empty lines count.' });

export const journal = defineRepository({
  title: 'Journal',
  className: CLASS,
  addressedBy: 'url',
  fields: { url: address, ignoresEmptyLines, username, password: password(CLASS) },
  inPipelines: { before: { url: address }, after: { ignoresEmptyLines } },
  problems: (attributes, check) => urlProblems(attributes.url, check),
  identity: (own: { readonly url: string }) => [
    ['type', CLASS],
    ['url', own.url],
  ],
  details: (own) => [['IgnoresEmptyLines', own.ignoresEmptyLines]],
  xml: {
    attributes: [
      { name: 'url', member: 'url', is: 'required' },
      { name: 'ignoresEmptyLines', member: 'ignores_empty_lines', is: 'flag' },
    ],
    username: 'null',
  },
  file: { title: 'Journal', needs: ['url'], texts: ['url'], flags: ['ignores_empty_lines'], hasShortForm: true },
  forAgents: null,
  load: async () => (await import('./access.ts')).journalAccess,
});
