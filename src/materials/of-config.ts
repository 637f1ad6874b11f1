// All materials of a configuration, each once, with the pipelines and config repos that use it.
import type { BlockName, SettingValues } from '../contracts/plugins/plugin.ts';
import type { Property } from '../shape/properties.ts';
import type { Secret } from '../shape/secret.ts';
import type { PolledMaterial } from './client.ts';
import type {
  ConfiguredPackage,
  ConfiguredPipeline,
  ConfiguredRepository,
  ConfiguredScm,
  ConfiguredUrl,
  Definition,
  RepositoryAttributes,
  WrittenMaterial,
} from './configured.ts';
import { fingerprintOf, type Identity, identityProperties } from './fingerprint.ts';

/** The parts of a configuration in which materials are. */
export interface MaterialSource {
  /** In their order. */
  readonly groups: Iterable<string>;
  readonly pipelines: Iterable<ConfiguredPipeline>;
  readonly configRepos: Iterable<{ readonly id: string; readonly material: WrittenMaterial }>;
  scm(id: string): ConfiguredScm | undefined;
  package(id: string): ConfiguredPackage | undefined;
  repository(id: string): ConfiguredRepository | undefined;
}

export interface MaterialTools {
  /** The pipeline with its parameters replaced; the same object each time. */
  resolved(pipeline: ConfiguredPipeline): ConfiguredPipeline;
  resolvedText(text: string, pipeline: ConfiguredPipeline): string;
  open(secret: Secret): string;
  clearValues(properties: readonly Property[]): SettingValues;
  /** undefined: nobody knows. */
  isPartOfIdentity(pluginId: string, block: BlockName, key: string): boolean | undefined;
}

export interface MaterialUse {
  readonly group: string;
  readonly pipeline: string;
  readonly written: WrittenMaterial;
  /** Its place among all uses. */
  readonly position: number;
}

export interface Material {
  readonly fingerprint: string;
  readonly type: string;
  /** Whether to look for changes without being told. */
  readonly autoUpdate: boolean;
  readonly written: WrittenMaterial;
  readonly definition: Definition;
  /** In the order of groups and pipelines. */
  readonly uses: readonly MaterialUse[];
  /** The ids of the config repos that are read from it. */
  readonly configRepos: readonly string[];
  /** With its secrets in clear. */
  toPoll(): PolledMaterial;
}

interface Collected extends Material {
  readonly uses: MaterialUse[];
  readonly configRepos: string[];
}

/** In the order in which they are found, the config repos last. */
export function materialsOf(source: MaterialSource, tools: MaterialTools): ReadonlyMap<string, Material> {
  const found = new Map<string, Collected>();
  let position = 0;
  const collect = (written: WrittenMaterial, pipeline?: ConfiguredPipeline) => {
    const definition = definitionOf(written, source);
    const fingerprint = knownFingerprint(written, definition, tools, pipeline);
    return found.getOrInsertComputed(fingerprint, () => ({
      fingerprint,
      type: written.type,
      autoUpdate: isPolled(written, definition),
      written,
      definition,
      uses: [],
      configRepos: [],
      toPoll: () => ({ ...clearOf(written, definition, tools, pipeline), type: written.type as PolledMaterial['type'], fingerprint }),
    }));
  };
  for (const pipeline of inOrderOfGroups(source)) {
    const { name, group } = pipeline;
    for (const written of tools.resolved(pipeline).materials) {
      collect(written, pipeline).uses.push({ group, pipeline: name, written, position: position++ });
    }
  }
  for (const { id, material } of source.configRepos) collect(material).configRepos.push(id);
  return found;
}

function inOrderOfGroups({ groups, pipelines }: MaterialSource): ConfiguredPipeline[] {
  const byGroup = Map.groupBy(pipelines, ({ group }) => group.toLowerCase());
  return [...groups].flatMap((group) => byGroup.get(group.toLowerCase()) ?? []);
}

function definitionOf({ type, attributes }: WrittenMaterial, source: MaterialSource): Definition {
  const { ref = '' } = attributes as { readonly ref?: string };
  if (type === 'plugin') {
    const scm = source.scm(ref);
    return scm && { scm };
  }
  if (type !== 'package') return undefined;
  const named = source.package(ref);
  const repository = named && source.repository(named.packageRepo);
  return repository && { package: named, repository };
}

function isPolled({ attributes }: WrittenMaterial, definition: Definition): boolean {
  if (!definition) return (attributes as { readonly autoUpdate?: boolean }).autoUpdate ?? true;
  return 'scm' in definition ? definition.scm.autoUpdate : definition.package.autoUpdate;
}

interface KnownFingerprint {
  readonly parts: readonly unknown[];
  readonly fingerprint: string;
}

const known = new WeakMap<object, KnownFingerprint>();

/** Entities never change, so each material is opened once, until what it leads to is replaced. */
function knownFingerprint(
  written: WrittenMaterial,
  definition: Definition,
  tools: MaterialTools,
  pipeline: ConfiguredPipeline | undefined,
): string {
  const parts = definition ? Object.values(definition) : [];
  const before = known.get(written);
  if (before && before.parts.length === parts.length && before.parts.every((part, index) => part === parts[index]))
    return before.fingerprint;
  const fingerprint = fingerprintOf(identityOf(written, definition, tools, pipeline));
  known.set(written, { parts, fingerprint });
  return fingerprint;
}

function identityOf(
  { type, attributes }: WrittenMaterial,
  definition: Definition,
  tools: MaterialTools,
  pipeline: ConfiguredPipeline | undefined,
): Identity {
  const own = attributes as RepositoryAttributes;
  const { branch, username, domain, checkExternals } = own;
  const url = () => clearUrl(own.url, tools, pipeline);
  switch (type) {
    case 'git':
    case 'hg':
      return { type, url: url(), branch };
    case 'svn':
      return { type, url: url(), username, checkExternals };
    case 'p4':
      return { type, port: own.port ?? '', username, view: own.view ?? '' };
    case 'tfs':
      return { type, url: url(), username: username ?? '', domain, projectPath: own.projectPath ?? '' };
    case 'dependency':
      return { type, ...(attributes as { readonly pipeline: string; readonly stage: string }) };
    default:
      return definedIdentity(type, attributes, definition, tools);
  }
}

function definedIdentity(type: string, attributes: object, definition: Definition, tools: MaterialTools): Identity {
  const counting = (pluginId: string, block: BlockName, properties: readonly Property[]) => {
    const clear = [...tools.clearValues(properties)].map(([key, value]) => ({ key, value }));
    return identityProperties(clear, (key) => tools.isPartOfIdentity(pluginId, block, key));
  };
  if (!definition) {
    // References are kept whole, so this is only for configuration that was damaged from outside.
    const { ref = '' } = attributes as { readonly ref?: string };
    return { type: 'plugin', pluginId: '', properties: [{ key: type, value: ref }] };
  }
  if ('scm' in definition) {
    const { pluginMetadata, configuration } = definition.scm;
    return { type: 'plugin', pluginId: pluginMetadata.id, properties: counting(pluginMetadata.id, 'scm', configuration) };
  }
  const { package: named, repository } = definition;
  const { id } = repository.pluginMetadata;
  return {
    type: 'package',
    pluginId: id,
    properties: counting(id, 'package', named.configuration),
    repositoryProperties: counting(id, 'repository', repository.configuration),
  };
}

/** Parameters count in the part of an address that is kept secret, too. */
function clearUrl(url: ConfiguredUrl, { open, resolvedText }: MaterialTools, pipeline: ConfiguredPipeline | undefined): string {
  if (typeof url === 'string') return url;
  const text = open(url.full);
  return pipeline ? resolvedText(text, pipeline) : text;
}

function clearOf(
  { attributes }: WrittenMaterial,
  definition: Definition,
  tools: MaterialTools,
  pipeline: ConfiguredPipeline | undefined,
): Readonly<Record<string, unknown>> {
  if (definition && 'scm' in definition) {
    const { pluginMetadata, configuration } = definition.scm;
    return { pluginId: pluginMetadata.id, settings: tools.clearValues(configuration) };
  }
  if (definition) {
    const { package: named, repository } = definition;
    return {
      pluginId: repository.pluginMetadata.id,
      repository: tools.clearValues(repository.configuration),
      package: tools.clearValues(named.configuration),
    };
  }
  const { url, password } = attributes as Partial<RepositoryAttributes>;
  return {
    ...attributes,
    ...(url !== undefined && { url: clearUrl(url, tools, pipeline) }),
    ...(password !== undefined && { password: password && tools.open(password) }),
  };
}
