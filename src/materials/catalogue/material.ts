// A material as it stands in one place of the configuration, and the values that follow from that.
import type { PolledMaterial } from '../clients/client.ts';
import type { ConfiguredPipeline, Definition, RepositoryAttributes, WrittenMaterial } from './configured-types.ts';
import { fingerprintOf } from './fingerprint.ts';
import { clearUrl, type Definitions, definitionOf, identityOf, type MaterialTools } from './identity.ts';

export interface FoundMaterial {
  readonly fingerprint: string;
  readonly type: string;
  /** Whether to poll it periodically, without notifications of changes. */
  readonly autoUpdate: boolean;
  readonly written: WrittenMaterial;
  readonly definition: Definition;
  /** With its secrets in clear. */
  toPoll(): PolledMaterial;
}

export interface MaterialUse {
  readonly group: string;
  readonly pipeline: string;
  readonly written: WrittenMaterial;
  readonly definition?: Definition;
  /** Uses are in the order of these numbers, the first of them first. */
  readonly order: readonly number[];
}

/** One for each fingerprint. Its attributes are those of its first use, of those that are polled if there are any. */
export interface Material extends FoundMaterial {
  /** In the order of groups and pipelines. */
  readonly uses: readonly MaterialUse[];
  /** The ids of the config repos that are read from it. */
  readonly configRepos: readonly string[];
}

/** `pipeline` is the one it is in, for its parameters. */
export function foundMaterial(
  written: WrittenMaterial,
  definitions: Definitions,
  tools: MaterialTools,
  pipeline?: ConfiguredPipeline,
): FoundMaterial {
  const { type } = written;
  const definition = definitionOf(written, definitions);
  const fingerprint = fingerprintOf(identityOf(written, definition, tools, pipeline));
  return {
    fingerprint,
    type,
    autoUpdate: isPolled(written, definition),
    written,
    definition,
    toPoll: () => ({ ...clearOf(written, definition, tools, pipeline), type, fingerprint }),
  };
}

function isPolled({ attributes }: WrittenMaterial, definition: Definition): boolean {
  if (!definition) return (attributes as { readonly autoUpdate?: boolean }).autoUpdate ?? true;
  return 'scm' in definition ? definition.scm.autoUpdate : definition.package.autoUpdate;
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
