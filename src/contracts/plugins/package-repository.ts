// The interface of plugins that watch packages, beyond their description. Settings are clear text, and stay in the plugin.
import type { Plugin, SettingValues } from './plugin.ts';
import type { PollTools } from './poll-tools.ts';

export interface PackageRevision {
  readonly revision: string;
  readonly time: Date;
  readonly user: string | undefined;
  readonly comment: string | undefined;
  /** Where people can read about it. */
  readonly trackbackUrl: string | undefined;
  /** Further values that builds get. */
  readonly data: Readonly<Record<string, string>>;
}

/** The result of a check of a connection by a plugin, in words for an administrator. */
export interface CheckResult {
  readonly isOk: boolean;
  readonly messages: readonly string[];
}

/** The settings of a package and of the repository it is in. */
export interface PackageSettings {
  readonly repository: SettingValues;
  readonly package: SettingValues;
}

/** All of them reject, in words without secrets, when the repository cannot be asked. */
export interface PackagePlugin extends Plugin {
  readonly kind: 'package-repository';
  /** Rejects when there is none. */
  latestRevision(settings: PackageSettings, tools: PollTools): Promise<PackageRevision>;
  /** Undefined: the latest one is the known one. */
  latestRevisionSince(
    settings: PackageSettings,
    known: { readonly revision: string },
    tools: PollTools,
  ): Promise<PackageRevision | undefined>;
  checkRepository(repository: SettingValues, tools: PollTools): Promise<CheckResult>;
  checkPackage(settings: PackageSettings, tools: PollTools): Promise<CheckResult>;
}
