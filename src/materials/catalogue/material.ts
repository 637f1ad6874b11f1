// A material as it stands in one place of the configuration, and the values that follow from that.
import type { Secret } from '../../shape/secrets/secret.ts';
import type { ClearAttributes, PolledMaterial } from '../clients/client.ts';
import type { Url } from '../types/attributes/url.ts';
import { type ConfiguredPipeline, type Definition, isRepository, type WrittenMaterial } from './configured-types.ts';
import { fingerprintOf } from './fingerprint.ts';
import { clearUrl, type Definitions, definitionOf, identityOf, type MaterialTools } from './identity.ts';

export interface FoundMaterial {
  readonly fingerprint: string;
  readonly type: WrittenMaterial['type'];
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

/** A material with all its uses, one for each fingerprint. It has the attributes of its first use that is polled, or else of its first use. */
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
  if (!definition) return 'autoUpdate' in attributes ? attributes.autoUpdate : true;
  return 'scm' in definition ? definition.scm.autoUpdate : definition.package.autoUpdate;
}

/** The attributes of a repository that hold secrets. */
interface ClosedAttributes {
  readonly url?: Url;
  readonly password?: Secret | null;
}

function clearOf(
  written: WrittenMaterial,
  definition: Definition,
  tools: MaterialTools,
  pipeline: ConfiguredPipeline | undefined,
): ClearAttributes {
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
  if (!isRepository(written)) return written.attributes;
  const { url, password, ...others }: ClosedAttributes = written.attributes;
  return {
    ...others,
    ...(url !== undefined && { url: clearUrl(url, tools, pipeline) }),
    ...(password !== undefined && { password: password && tools.open(password) }),
  };
}
