// The fingerprint of a material, by which clients know it: a digest of what identifies it, in clear and exactly as configured.
import { sha256 } from '../../kit/bytes/hash.ts';

export interface FingerprintProperty {
  readonly key: string;
  /** In clear; absent or null: without a value. */
  readonly value?: string | null;
}

/** What identifies a material, with secrets in clear. */
export type Identity =
  | { readonly type: 'git'; readonly url: string; readonly branch?: string | null }
  | { readonly type: 'hg'; readonly url: string; readonly branch?: string | null }
  | { readonly type: 'svn'; readonly url: string; readonly username?: string | null; readonly checkExternals: boolean }
  | { readonly type: 'p4'; readonly port: string; readonly username?: string | null; readonly view: string }
  | {
      readonly type: 'tfs';
      readonly url: string;
      readonly username: string;
      readonly domain?: string | null;
      readonly projectPath: string;
    }
  | { readonly type: 'dependency'; readonly pipeline: string; readonly stage: string }
  | {
      readonly type: 'package';
      readonly pluginId: string;
      readonly properties: readonly FingerprintProperty[];
      readonly repositoryProperties: readonly FingerprintProperty[];
    }
  | { readonly type: 'plugin'; readonly pluginId: string; readonly properties: readonly FingerprintProperty[] };

type Pair = readonly [key: string, value: string | boolean | null];

const DEFAULT_GIT_BRANCH = 'master';

export function fingerprintOf(identity: Identity): string {
  return digestOf(pairsOf(identity));
}

/** Identifies a material inside one pipeline: the same repository may be there twice, in two directories. */
export function uniqueFingerprintOf(identity: Identity, destination: string | null): string {
  switch (identity.type) {
    case 'dependency':
      return fingerprintOf(identity);
    case 'package':
      return digestOf([
        ['type', 'PackageMaterial'],
        ['fingerprint', fingerprintOf(identity)],
      ]);
    case 'plugin':
      return digestOf([
        ['type', 'PluggableSCMMaterial'],
        ['fingerprint', fingerprintOf(identity)],
        ['dest', destination],
      ]);
    default:
      return digestOf([...pairsOf(identity), ['dest', destination]]);
  }
}

/** Those that count: all but what the plugin says is no part of the identity. `isPart` is absent when the plugin is not installed. */
export function identityProperties(
  properties: readonly FingerprintProperty[],
  isPart?: (key: string) => boolean | undefined,
): readonly FingerprintProperty[] {
  return properties.filter(({ key }) => isPart?.(key) !== false);
}

function pairsOf(identity: Identity): readonly Pair[] {
  switch (identity.type) {
    case 'git':
      return [
        ['type', 'GitMaterial'],
        ['url', identity.url],
        ['branch', orUnset(identity.branch) ?? DEFAULT_GIT_BRANCH],
      ];
    case 'hg': {
      const branch = orUnset(identity.branch);
      return [['type', 'HgMaterial'], ['url', identity.url], ...(branch === null ? [] : [['branch', branch] as const])];
    }
    case 'svn':
      return [
        ['type', 'SvnMaterial'],
        ['url', identity.url],
        ['username', orUnset(identity.username)],
        ['checkExternals', identity.checkExternals],
      ];
    case 'p4':
      return [
        ['type', 'P4Material'],
        ['url', identity.port],
        ['username', orUnset(identity.username)],
        ['view', identity.view],
      ];
    case 'tfs':
      return [
        ['type', 'TfsMaterial'],
        ['url', identity.url],
        ['username', identity.username],
        ['domain', identity.domain ?? ''],
        ['projectPath', identity.projectPath],
      ];
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
  }
}

function pairOf({ key, value }: FingerprintProperty): Pair {
  return [key, value ?? ''];
}

function orUnset(value: string | null | undefined): string | null {
  return value?.trim() ? value : null;
}

function digestOf(pairs: readonly Pair[]): string {
  return sha256(pairs.map(([key, value]) => `${key}=${value}`).join('<|>'));
}
