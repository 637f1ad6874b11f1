// The identity of a material of the configuration, in clear: its own attributes, or the package or SCM it names.
import type { BlockName, SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Property } from '../../shape/properties.ts';
import type { Secret } from '../../shape/secrets/secret.ts';
import { isRepositoryType } from '../types/list.ts';
import type {
  ConfiguredPackage,
  ConfiguredPipeline,
  ConfiguredRepository,
  ConfiguredScm,
  ConfiguredUrl,
  Definition,
  RepositoryAttributes,
  WrittenMaterial,
} from './configured-types.ts';
import { type Identity, identityProperties } from './fingerprint.ts';

/** Finds the entities that materials name by an id. */
export interface Definitions {
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
  /** undefined: no known plugin has such a setting. */
  isPartOfIdentity(pluginId: string, block: BlockName, key: string): boolean | undefined;
}

export function definitionOf({ type, attributes }: WrittenMaterial, definitions: Definitions): Definition {
  const { ref = '' } = attributes as { readonly ref?: string };
  if (type === 'plugin') {
    const scm = definitions.scm(ref);
    return scm && { scm };
  }
  if (type !== 'package') return undefined;
  const named = definitions.package(ref);
  const repository = named && definitions.repository(named.packageRepo);
  return repository && { package: named, repository };
}

export function identityOf(
  { type, attributes }: WrittenMaterial,
  definition: Definition,
  tools: MaterialTools,
  pipeline: ConfiguredPipeline | undefined,
): Identity {
  if (isRepositoryType(type)) {
    const { url } = attributes as Partial<RepositoryAttributes>;
    return { ...attributes, ...(url !== undefined && { url: clearUrl(url, tools, pipeline) }), type } as Identity;
  }
  if (type === 'dependency') return { type, ...(attributes as { readonly pipeline: string; readonly stage: string }) };
  return definedIdentity(type, attributes, definition, tools);
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
export function clearUrl(url: ConfiguredUrl, { open, resolvedText }: MaterialTools, pipeline: ConfiguredPipeline | undefined): string {
  if (typeof url === 'string') return url;
  const text = open(url.full);
  return pipeline ? resolvedText(text, pipeline) : text;
}
