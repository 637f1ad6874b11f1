// The document written at once, in the plainest way: a yardstick for the one that the server keeps in chunks.
import {
  ELASTIC_CLOSE,
  type EntitiesOfKind,
  type EntityJson,
  GROUP_CLOSE,
  LISTS,
  ROOT_CLOSE,
  ROOT_OPEN,
  writeElasticOpen,
  writeEmptyElastic,
  writeEmptyGroup,
  writeGroupOpen,
  writeMember,
  writeServer,
} from '../../../src/document/xml/write.ts';
import type { KindName } from '../../../src/shape/configuration.ts';

const LISTS_IN_ORDER: readonly KindName[] = ['packageRepositories', 'scms', 'configRepos', 'artifactStores', 'secretConfigs'];

export function writeDocument(all: EntitiesOfKind): string {
  const belonging = (kind: KindName, ownerOf: (json: EntityJson) => unknown) => Map.groupBy(all(kind), ownerOf);
  const packages = belonging('packages', (one) => (one.package_repo as EntityJson).id);
  const authorizations = belonging('templateAuthorizations', (one) => String(one.template).toLowerCase());
  const pipelines = belonging('pipelines', (one) => String(one.group).toLowerCase());
  const related = (kind: KindName, { repo_id, name }: EntityJson): EntitiesOfKind => {
    const found = kind === 'packageRepositories' ? packages.get(repo_id) : authorizations.get(String(name).toLowerCase());
    return () => found ?? [];
  };
  const list = (kind: KindName) => {
    const members = all(kind).map((json) => writeMember(kind, json, related(kind, json)));
    return members.length === 0 ? '' : `${LISTS[kind]!.open}${members.join('')}${LISTS[kind]!.close}`;
  };
  const group = (json: EntityJson) => {
    const members = (pipelines.get(String(json.name).toLowerCase()) ?? []).map((one) => writeMember('pipelines', one, all));
    return members.length === 0 ? writeEmptyGroup(json) : `${writeGroupOpen(json)}${members.join('')}${GROUP_CLOSE}`;
  };
  const profiles = list('elasticProfiles') + list('clusterProfiles');
  return [
    ROOT_OPEN,
    writeServer(all),
    profiles === '' ? writeEmptyElastic(all) : `${writeElasticOpen(all)}${profiles}${ELASTIC_CLOSE}`,
    ...LISTS_IN_ORDER.map(list),
    ...all('pipelineGroups').map(group),
    list('templates'),
    list('environments'),
    ROOT_CLOSE,
  ].join('');
}
