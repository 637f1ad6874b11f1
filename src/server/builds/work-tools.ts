// The tools that turn the plan of a job into work: secrets in clear, and materials in the form for agents.

import { type BuildConfig, keyOfName } from '../../builds/configured.ts';
import type { ArtifactStore, PublishedArtifact } from '../../builds/jobs/external-artifacts.ts';
import { configuredJobOf } from '../../builds/jobs/instance-names.ts';
import type { MaterialFacts, MaterialSetting } from '../../builds/jobs/materials/material-variables.ts';
import type { PlannedMaterial } from '../../builds/jobs/stored-plan.ts';
import type { MaterialOwner, RevisionOfMaterial, VariableOwner, WorkTools } from '../../builds/jobs/work.ts';
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Cipher } from '../../kit/bytes/cipher.ts';
import { shownUrl } from '../../materials/catalogue/configured-types.ts';
import type { MaterialTools } from '../../materials/catalogue/identity.ts';
import { foundMaterial } from '../../materials/catalogue/material.ts';
import { withSecrets } from '../../materials/catalogue/secret-texts.ts';
import type { PolledMaterial } from '../../materials/clients/client.ts';
import { findRepositoryDefinition, repositoryDefinition } from '../../materials/types/list.ts';
import { textOf } from '../../materials/types/repository-definition.ts';
import type { SecretReferences } from '../../plugins/secret-references.ts';
import { isSecret, type Secret } from '../../shape/secrets/secret.ts';
import { refersToSecret } from '../../shape/secrets/secret-reference.ts';

interface Parts {
  readonly cipher: Cipher;
  readonly tools: MaterialTools;
  readonly secrets: SecretReferences;
  artifactStore(id: string): ArtifactStore | undefined;
  readonly stagesOf: BuildConfig['stagesOf'];
  serverUrl(): string;
  readonly traceparentOf?: WorkTools['traceparentOf'];
}

const DEFAULT_BRANCH = 'master';

export function openWorkTools({ cipher, tools, secrets: references, artifactStore, stagesOf, serverUrl, traceparentOf }: Parts): WorkTools {
  const lookedUp = new Set<string>();
  const secrets = noting(references, (secret) => lookedUp.add(secret));
  const open: WorkTools['open'] = ({ cipherText }) => cipher.decrypt(cipherText) ?? '';
  const clear = async (values: readonly (string | Secret)[], owner: VariableOwner) => {
    const texts = values.map((value) => (isSecret(value) ? open(value) : value));
    const resolved = await secrets.resolveTexts(texts, owner);
    return values.map((value, index) => ({ value: resolved[index]!, is_secret: isSecret(value) || refersToSecret(texts[index]!) }));
  };
  return {
    lookedUp,
    open,
    serverUrl,
    ...(traceparentOf && { traceparentOf }),
    clearMaterial: (material, owner) => clearMaterial(material, owner, tools, secrets),
    clearVariables: async (variables, owner) => {
      const values = variables.map(({ value }) => value);
      return (await clear(values, owner)).map((inClear, index) => ({ name: variables[index]!.name, ...inClear }));
    },
    clearSettings: async (settings, group) => {
      const values = settings.map(({ value = '' }) => value);
      const owner: VariableOwner = { type: 'pipeline_group', name: group };
      return (await clear(values, owner)).map((inClear, index) => ({ key: settings[index]!.key, ...inClear }));
    },
    artifactStore,
    storeOfArtifact: (artifact) => storeOfArtifact(artifact, stagesOf),
    materialFacts,
    workMaterial,
  };
}

type Lookup = Pick<SecretReferences, 'resolve' | 'resolveAll' | 'resolveTexts'>;

function noting(secrets: SecretReferences, note: (secret: string) => void): Lookup {
  return {
    resolve: (text, referrer) => secrets.resolve(text, referrer, note),
    resolveAll: (settings, referrer) => secrets.resolveAll(settings, referrer, note),
    resolveTexts: (texts, referrer) => secrets.resolveTexts(texts, referrer, note),
  };
}

function storeOfArtifact({ pipeline, stage, job, artifactId }: PublishedArtifact, stagesOf: Parts['stagesOf']): string | undefined {
  const { jobs = [] } = stagesOf(pipeline)?.find(({ name }) => keyOfName(name) === keyOfName(stage)) ?? {};
  for (const artifact of configuredJobOf(job, jobs)?.artifacts ?? [])
    if (artifact.type === 'external' && artifact.attributes.artifactId === artifactId) return artifact.attributes.storeId;
  return undefined;
}

/** The material as it was when the stage was scheduled, even if it has changed since. */
function clearMaterial(
  { written, definition }: PlannedMaterial,
  { group, parameters }: MaterialOwner,
  tools: MaterialTools,
  secrets: Lookup,
): Promise<PolledMaterial> {
  const pipeline = { name: '', group, parameters, materials: [] };
  const definitions = {
    scm: () => (definition && 'scm' in definition ? definition.scm : undefined),
    package: () => (definition && 'package' in definition ? definition.package : undefined),
    repository: () => (definition && 'repository' in definition ? definition.repository : undefined),
  };
  const found = foundMaterial(written, definitions, tools, pipeline);
  const use = { group, pipeline: '', written, order: [] };
  return withSecrets({ ...found, uses: [use], configRepos: [] }, secrets);
}

function materialFacts(
  material: PlannedMaterial,
  clear: PolledMaterial | undefined,
  { isChanged, from, to }: RevisionOfMaterial,
): MaterialFacts {
  const { name, folder, written, definition } = material;
  const { type, attributes } = written;
  const label = to.revision;
  switch (type) {
    case 'dependency':
      return { type, isChanged, name, pipeline: attributes.pipeline, label: to.pipelineLabel ?? '', locator: to.revision };
    case 'package':
      return {
        type,
        isChanged,
        name: name ?? '',
        label,
        repository: settingsOf(clear?.repository, definition && 'repository' in definition ? definition.repository.configuration : []),
        settings: settingsOf(clear?.package, definition && 'package' in definition ? definition.package.configuration : []),
      };
    case 'plugin': {
      const configured = definition && 'scm' in definition ? definition.scm.configuration : [];
      return { type, isChanged, name: name ?? '', label, settings: settingsOf(clear?.settings, configured) };
    }
    default:
      return {
        type: 'repository',
        isChanged,
        name,
        destination: folder,
        fromRevision: from.revision,
        toRevision: to.revision,
        url: 'url' in attributes ? withoutLogin(shownUrl(attributes.url)) : (attributes.port ?? ''),
        typeVariables: (clear && repositoryDefinition(type).jobVariables?.(clear)) ?? {},
      };
  }
}

function settingsOf(
  values: SettingValues | undefined,
  configured: readonly { readonly key: string; readonly value?: unknown }[],
): MaterialSetting[] {
  const secret = new Set(configured.filter(({ value }) => isSecret(value) || refersToSecret(textOf(value))).map(({ key }) => key));
  return [...(values ?? new Map<string, string>())].map(([key, value]) => ({
    key,
    value: value ?? '',
    isSecret: secret.has(key),
  }));
}

function withoutLogin(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

/** Packages are not checked out. */
function workMaterial(
  { type, name, fingerprint, folder, description }: PlannedMaterial,
  clear: PolledMaterial,
  revision: string,
): WorkMaterial | undefined {
  const checkout = { fingerprint, destination: folder, revision, description };
  if (type === 'plugin') return { ...checkout, ...pluginRepository(clear) };
  const definition = findRepositoryDefinition(type);
  if (!definition) return undefined;
  if (!definition.forAgents) throw new Error(`Agents cannot check out materials of the type ${definition.title}.`);
  const common = { ...checkout, username: textOf(clear.username) || null, password: textOf(clear.password) || null };
  return definition.forAgents(clear, { common, name });
}

function pluginRepository(clear: PolledMaterial) {
  const { settings } = clear;
  if (!settings) throw new Error('The SCM of the material is not there any more.');
  const setting = (key: string) => settings.get(key)?.trim() ?? '';
  return {
    type: 'plugin',
    plugin: textOf(clear.pluginId),
    username: setting('username') || null,
    password: settings.get('password') || null,
    url: setting('url'),
    branch: setting('branch') || DEFAULT_BRANCH,
  } as const;
}
