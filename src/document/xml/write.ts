// Writes the parts of the document from the JSON of its entities.
import { PROLOG, STEP } from '../../kit/xml/write-xml.ts';
import type { KindName } from '../../shape/configuration.ts';
import type { JsonOut } from '../../shape/json/json.ts';
import type { EntityJson } from './form/reading.ts';
import { MEMBERS, SCHEMA_VERSION } from './sections/document.ts';
import { elasticHead } from './sections/elastic.ts';
import { pipelineGroup } from './sections/pipelines.ts';
import { server } from './sections/server.ts';

export type { EntityJson } from './form/reading.ts';

/** The entities of a kind, in the order of the document. */
export type EntitiesOfKind = (kind: KindName) => readonly EntityJson[];

export const ROOT_OPEN = `${PROLOG}<cruise xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="cruise-config.xsd" schemaVersion="${SCHEMA_VERSION}">\n`;
export const ROOT_CLOSE = '</cruise>\n';
export const ELASTIC_CLOSE = elasticHead.close(STEP);
export const GROUP_CLOSE = pipelineGroup.close(STEP);

/** They stand in their groups. */
const PIPELINES = 'pipelines' satisfies KindName;

/** The tags around the elements of a kind. */
export const LISTS: Readonly<Partial<Record<KindName, { readonly open: string; readonly close: string }>>> = Object.fromEntries(
  Object.entries(MEMBERS)
    .filter(([kind]) => kind !== PIPELINES)
    .map(([kind, { list, depth }]) => {
      const indent = STEP.repeat(depth - 1);
      return [kind, { open: `${indent}<${list}>\n`, close: `${indent}</${list}>\n` }];
    }),
);

/** Written as members of the element of the server. */
const SERVER_MEMBERS: readonly KindName[] = [
  'siteUrls',
  'authConfigs',
  'roles',
  'systemAdmins',
  'mailServer',
  'backupConfig',
  'artifactsConfig',
];
/** All that the element of the server is made of. */
export const SERVER_KINDS: ReadonlySet<KindName> = new Set(['serverIdentity', 'jobTimeout', ...SERVER_MEMBERS]);

/** Empty when there is nothing to say of it. */
export function writeServer(all: EntitiesOfKind): string {
  const json: JsonOut = { ...all('serverIdentity')[0], ...all('jobTimeout')[0] };
  for (const kind of SERVER_MEMBERS) json[kind] = all(kind);
  return server.writeChildren!(json, STEP);
}

/** One element of a list. `related` gives its children: packages of this repository, the authorization of this template. */
export function writeMember(kind: KindName, json: EntityJson, related: EntitiesOfKind): string {
  const { form, depth } = MEMBERS[kind as keyof typeof MEMBERS];
  const indent = STEP.repeat(depth);
  if (kind === 'packageRepositories') return form.write({ ...json, packages: related('packages') }, indent);
  if (kind === 'templates') return form.write({ ...json, templateAuthorizations: related('templateAuthorizations') }, indent);
  return form.write(json, indent);
}

/** Up to where its pipelines follow. */
export function writeGroupOpen(json: EntityJson): string {
  return pipelineGroup.open({ ...json, pipelines: [] }, STEP);
}

/** A group without pipelines. */
export function writeEmptyGroup(json: EntityJson): string {
  return pipelineGroup.write({ ...json, pipelines: [] }, STEP);
}

export function writeElasticOpen(all: EntitiesOfKind): string {
  return elasticHead.open(all('serverIdentity')[0] ?? {}, STEP);
}

/** Without profiles; empty when there is nothing else to say either. */
export function writeEmptyElastic(all: EntitiesOfKind): string {
  return elasticHead.writeUnlessEmpty(all('serverIdentity')[0] ?? {}, STEP);
}
