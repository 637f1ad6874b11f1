// Brings the document of an older version to the newest schema, step by step.
import type { TextProblem, XmlElement } from '../../kit/xml/tree.ts';
import { dropJobProperties, giveArtifactsTypes, giveFetchesOrigins, giveJobsTasks, renameFetchOrigins } from './job-steps.ts';
import { dropAgents, dropEmptyPasswords, dropMingle, giveTrackingToolsSchemes, replaceColonsInLabels } from './pipeline-steps.ts';
import {
  addClusterProfiles,
  addConfigRepoRules,
  dropNamesOfConfigRepoMaterials,
  dropPluginsOfAgentProfiles,
  moveElastic,
  renameElasticProfiles,
} from './plugin-steps.ts';
import {
  addBackupMails,
  dropCommandRepository,
  dropDefaultTls,
  moveArtifactSettings,
  moveKnownUsersOnly,
  moveSiteUrls,
} from './server-steps.ts';
import type { IgnoredContent, Step } from './step.ts';

const OLDEST_VERSION = 100;
const NEWEST_VERSION = 139;

/** By the version they lead to. Versions without a step only widened the schema; 109 changed the cipher, which is seen to where secrets are opened. */
const STEPS: readonly (readonly [version: number, step: Step])[] = [
  [101, moveElastic],
  [105, giveTrackingToolsSchemes],
  [108, giveArtifactsTypes],
  [108, giveFetchesOrigins],
  [110, dropEmptyPasswords],
  [111, renameFetchOrigins],
  [113, addBackupMails],
  [115, dropNamesOfConfigRepoMaterials],
  [119, addClusterProfiles],
  [120, renameElasticProfiles],
  [122, dropPluginsOfAgentProfiles],
  [125, dropDefaultTls],
  [127, moveSiteUrls],
  [128, dropAgents],
  [130, dropJobProperties],
  [131, dropMingle],
  [132, moveArtifactSettings],
  [133, moveKnownUsersOnly],
  [135, replaceColonsInLabels],
  [136, addConfigRepoRules],
  [137, giveJobsTasks],
  [139, dropCommandRepository],
];

export interface UpgradeResult {
  /** The version the document had. */
  readonly from: number;
  readonly ignored: readonly IgnoredContent[];
  readonly problems: readonly TextProblem[];
}

/** Changes the document in place. */
export function upgrade(root: XmlElement): UpgradeResult {
  const written = root.attributes.get('schemaVersion') ?? '0';
  const from = /^\d{1,6}$/.test(written) ? Number(written) : Number.NaN;
  if (root.name !== 'cruise')
    return {
      from,
      ignored: [],
      problems: [problem(root, `Invalid XML tag "${root.name}" found. The root of a configuration file is "cruise".`)],
    };
  if (!(from >= OLDEST_VERSION && from <= NEWEST_VERSION)) return { from, ignored: [], problems: [problem(root, unknownVersion(written))] };
  const ignored = STEPS.filter(([version]) => version > from).flatMap(([, step]) => step(root) ?? []);
  root.attributes.set('schemaVersion', String(NEWEST_VERSION));
  return { from, ignored, problems: [] };
}

function unknownVersion(written: string): string {
  const version = written.slice(0, 20);
  return `Go config file with version ${version} is invalid. Unable to upgrade. Files of the versions ${OLDEST_VERSION} to ${NEWEST_VERSION} can be read.`;
}

function problem({ line, column }: XmlElement, message: string): TextProblem {
  return { line, column, message };
}
