// The identity of a material of the configuration, in clear: its own attributes, or the package or SCM it names.
import type { BlockName, SettingValues } from '../../contracts/plugins/plugin.ts';
import type { Property } from '../../shape/properties.ts';
import type { Secret } from '../../shape/secrets/secret.ts';
import type { Url } from '../types/attributes/url.ts';
import type {
  ConfiguredPackage,
  ConfiguredPipeline,
  ConfiguredRepository,
  ConfiguredScm,
  Definition,
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
  if (type === 'plugin') {
    const scm = definitions.scm(attributes.ref);
    return scm && { scm };
  }
  if (type !== 'package') return undefined;
  const named = definitions.package(attributes.ref);
  const repository = named && definitions.repository(named.packageRepo);
  return repository && { package: named, repository };
}

export function identityOf(
  { type, attributes }: WrittenMaterial,
  definition: Definition,
  tools: MaterialTools,
  pipeline: ConfiguredPipeline | undefined,
): Identity {
  switch (type) {
    case 'dependency':
      return { type, pipeline: attributes.pipeline, stage: attributes.stage };
    case 'package':
    case 'plugin':
      // References are kept whole, so an absent definition is only for configuration that was damaged from outside.
      return definition
        ? identityOfDefinition(definition, tools)
        : { type: 'plugin', pluginId: '', properties: [{ key: type, value: attributes.ref }] };
    default:
      // The compiler loses that the attributes are those of the type.
      return { ...attributes, ...('url' in attributes && { url: clearUrl(attributes.url, tools, pipeline) }), type } as Identity;
  }
}

/** The identity of the materials that name it. */
export function identityOfDefinition(definition: NonNullable<Definition>, tools: MaterialTools): Identity {
  const counting = (pluginId: string, block: BlockName, properties: readonly Property[]) => {
    const clear = [...tools.clearValues(properties)].map(([key, value]) => ({ key, value }));
    return identityProperties(clear, (key) => tools.isPartOfIdentity(pluginId, block, key));
  };
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
export function clearUrl(url: Url, { open, resolvedText }: MaterialTools, pipeline: ConfiguredPipeline | undefined): string {
  if (typeof url === 'string') return url;
  const text = open(url.full);
  return pipeline ? resolvedText(text, pipeline) : text;
}
