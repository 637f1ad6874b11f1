// The interface of plugins that watch a source repository, beyond their description. Settings are clear text, and stay in the plugin.
import type { CheckResult } from './package-repository.ts';
import type { Plugin, SettingValues } from './plugin.ts';
import type { PollTools } from './poll-tools.ts';

export interface ScmFile {
  readonly name: string;
  readonly action: 'added' | 'modified' | 'deleted' | 'unknown';
}

export interface ScmRevision {
  readonly revision: string;
  readonly time: Date;
  readonly user: string | undefined;
  readonly comment: string | undefined;
  readonly files: readonly ScmFile[];
  /** Further values that builds get. */
  readonly data?: Readonly<Record<string, string>>;
}

/** A branch of a git repository, or only its commits that touch some paths. */
export interface GitSource {
  readonly url: string;
  readonly branch: string;
  readonly username?: string;
  readonly password?: string;
  /** As `git log` understands them. */
  readonly paths?: readonly string[];
}

/** The git of the server, for plugins whose repositories are git repositories. */
export interface GitTool {
  /** The commit that the branch points to, without fetching anything. */
  tip(source: GitSource): Promise<string>;
  /** The commits after a commit, oldest first; only the newest when none is named, or when the branch has left it behind. */
  commits(source: GitSource, after?: string): AsyncIterable<readonly ScmRevision[]>;
  checkOut(source: GitSource, revision: string, into: string): Promise<void>;
}

export interface ScmTools extends PollTools {
  /** A directory that belongs to this repository alone; it may be empty or hold the files of an earlier poll. */
  readonly directory: string;
  /** The data that the plugin kept the last time. */
  readonly kept: string | undefined;
  /** Keeps something for the next time. */
  keep(data: string): void;
  readonly git: GitTool;
}

/** All of them reject, in words without secrets, when the repository cannot be asked. */
export interface ScmPlugin extends Plugin {
  readonly kind: 'scm';
  /** Rejects when there is none. */
  latestRevision(settings: SettingValues, tools: ScmTools): Promise<ScmRevision>;
  /** Oldest first, in batches so that a long history does not fill the memory; nothing new: no batch. */
  latestRevisionsSince(
    settings: SettingValues,
    known: { readonly revision: string },
    tools: ScmTools,
  ): AsyncIterable<readonly ScmRevision[]>;
  checkConnection(settings: SettingValues, tools: ScmTools): Promise<CheckResult>;
  /** Brings the files of a revision into a directory. */
  checkOut?(settings: SettingValues, revision: string, into: string, tools: ScmTools): Promise<void>;
}
