// Collections of Team Foundation Server.
import { plainField } from '../../../shape/field.ts';
import { readText } from '../../../shape/json/reading.ts';
import { isGiven, password, text, urlProblems, username } from '../attributes/common.ts';
import { url } from '../attributes/url.ts';
import { defineRepository, textOf } from '../repository-definition.ts';

const CLASS = 'TfsMaterial';
const address = url(CLASS);
const projectPath = text('Path in the collection.');
/** Pipelines show it empty where config repos show null. */
const domainOrEmpty = plainField<string | null>(
  { type: 'string', default: '', description: 'Domain of the user.' },
  (cursor, name) => readText(cursor, name) || null,
  (value) => value ?? '',
);

export const tfs = defineRepository({
  title: 'Tfs',
  className: CLASS,
  addressedBy: 'url',
  fields: { url: address, projectPath, domain: text('Domain of the user.'), username, password: password(CLASS) },
  inPipelines: { before: { url: address }, after: { domain: domainOrEmpty, projectPath } },
  problems: (attributes, check) => [
    ...urlProblems(attributes.url, check),
    ...check(isGiven(attributes.username), 'username', 'Username cannot be blank'),
    ...check(isGiven(attributes.projectPath), 'projectPath', 'Project Path cannot be blank'),
  ],
  identity: (own: {
    readonly url: string;
    readonly username: string | null;
    readonly domain?: string | null;
    readonly projectPath: string | null;
  }) => [
    ['type', CLASS],
    ['url', own.url],
    ['username', own.username ?? ''],
    ['domain', own.domain ?? ''],
    ['projectPath', own.projectPath ?? ''],
  ],
  details: (own) => [
    ['Username', own.username],
    ['Domain', own.domain ?? ''],
    ['ProjectPath', own.projectPath],
  ],
  xml: {
    attributes: [
      { name: 'url', member: 'url', is: 'required' },
      { name: 'domain', member: 'domain', is: 'optional', absent: null, absentInPipelines: '' },
      { name: 'projectPath', member: 'project_path', is: 'required' },
    ],
    username: 'required',
  },
  file: {
    title: 'Tfs',
    needs: ['url', 'username', 'project'],
    texts: ['url', 'domain'],
    renamed: { project: 'project_path' },
    hasShortForm: false,
  },
  forAgents: (material, { common }) => ({
    ...common,
    type: 'tfs',
    url: textOf(material.url),
    domain: textOf(material.domain),
    project_path: textOf(material.projectPath),
  }),
  jobVariables: ({ domain }) => ({ DOMAIN: textOf(domain) }),
  load: async () => (await import('./access.ts')).tfsAccess,
});
