// The whole document: which lists it has, in which order.
import type { KindName } from '../../../shape/configuration.ts';
import { ignoredAttribute } from '../form/attributes.ts';
import { wrap } from '../form/children.ts';
import { type ElementForm, element } from '../form/element.ts';
import { entities } from '../form/entities.ts';
import { configRepo } from './config-repos.ts';
import { agentProfile, clusterProfile, elastic } from './elastic.ts';
import { environment } from './environments.ts';
import { pipeline, pipelineGroup } from './pipelines.ts';
import { repository } from './repositories.ts';
import { scm } from './scms.ts';
import { server } from './server.ts';
import { artifactStore, secretConfig } from './stores.ts';
import { template } from './templates.ts';

export const SCHEMA_VERSION = '139';

/** By kind: the element of one, that of the list it stands in, and how deep. */
export const MEMBERS = {
  elasticProfiles: { form: agentProfile, list: 'agentProfiles', depth: 3 },
  clusterProfiles: { form: clusterProfile, list: 'clusterProfiles', depth: 3 },
  packageRepositories: { form: repository, list: 'repositories', depth: 2 },
  scms: { form: scm, list: 'scms', depth: 2 },
  configRepos: { form: configRepo, list: 'config-repos', depth: 2 },
  artifactStores: { form: artifactStore, list: 'artifactStores', depth: 2 },
  secretConfigs: { form: secretConfig, list: 'secretConfigs', depth: 2 },
  pipelines: { form: pipeline, list: 'pipelines', depth: 2 },
  templates: { form: template, list: 'templates', depth: 2 },
  environments: { form: environment, list: 'environments', depth: 2 },
} satisfies Readonly<Partial<Record<KindName, { form: ElementForm; list: string; depth: number }>>>;

const list = (kind: keyof typeof MEMBERS, { isRequired = false } = {}) =>
  wrap(MEMBERS[kind].list, [entities(kind, MEMBERS[kind].form, { isRequired })]);

export const document = element(
  'cruise',
  [
    ignoredAttribute('schemaVersion', false),
    ignoredAttribute('xmlns:xsi', false),
    ignoredAttribute('xsi:noNamespaceSchemaLocation', false),
    server,
    elastic,
    list('packageRepositories'),
    list('scms'),
    list('configRepos'),
    list('artifactStores'),
    list('secretConfigs'),
    entities('pipelineGroups', pipelineGroup),
    list('templates', { isRequired: true }),
    list('environments', { isRequired: true }),
  ],
  { isSequence: true },
);
