// The fingerprint of a material, by which clients know it: a digest of its identity, in clear and exactly as configured.
import { digestOf } from '../types/identity-digest.ts';
import { type RepositoryType, type RepositoryTypes, repositoryDefinition } from '../types/list.ts';
import type { IdentityPair } from '../types/repository-definition.ts';

export interface FingerprintProperty {
  readonly key: string;
  /** In clear; absent or null: without a value. */
  readonly value?: string | null;
}

/** The attributes that identify a repository; more of them may be there. */
type RepositoryIdentity = {
  [T in RepositoryType]: { readonly type: T } & Parameters<RepositoryTypes[T]['identity']>[0];
}[RepositoryType];

/** The identity of a material, with secrets in clear. */
export type Identity =
  | RepositoryIdentity
  | { readonly type: 'dependency'; readonly pipeline: string; readonly stage: string }
  | {
      readonly type: 'package';
      readonly pluginId: string;
      readonly properties: readonly FingerprintProperty[];
      readonly repositoryProperties: readonly FingerprintProperty[];
    }
  | { readonly type: 'plugin'; readonly pluginId: string; readonly properties: readonly FingerprintProperty[] };

export function fingerprintOf(identity: Identity): string {
  return digestOf(pairsOf(identity));
}

/** The properties that count: all but those that the plugin excludes. `isPart` is absent when the plugin is not installed. */
export function identityProperties(
  properties: readonly FingerprintProperty[],
  isPart?: (key: string) => boolean | undefined,
): readonly FingerprintProperty[] {
  return properties.filter(({ key }) => isPart?.(key) !== false);
}

function pairsOf(identity: Identity): readonly IdentityPair[] {
  switch (identity.type) {
    case 'dependency':
      return [
        ['type', 'DependencyMaterial'],
        ['pipelineName', identity.pipeline],
        ['stageName', identity.stage],
      ];
    case 'package':
      return [['plugin-id', identity.pluginId], ...identity.properties.map(pairOf), ...identity.repositoryProperties.map(pairOf)];
    case 'plugin':
      return [['plugin-id', identity.pluginId], ...identity.properties.map(pairOf)];
    default:
      return repositoryDefinition(identity.type).identity(identity);
  }
}

function pairOf({ key, value }: FingerprintProperty): IdentityPair {
  return [key, value ?? ''];
}
