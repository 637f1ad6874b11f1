// The work of a job: all that an agent needs for it, with secrets in clear. It is never written to a disk.

export interface Work {
  readonly job: number;
  readonly epoch: number;
  readonly locator: JobLocator;
  /** Whether it is the first assignment of this job to any agent. */
  readonly is_first: boolean;
  readonly fetch_materials: boolean;
  readonly clean_working_directory: boolean;
  readonly materials: readonly WorkMaterial[];
  /** In the order in which they are set: later ones win. The environment of the agent itself comes before. */
  readonly environment: readonly WorkVariable[];
  readonly tasks: readonly WorkTask[];
  readonly artifacts: readonly WorkArtifact[];
  /** Secrets that stand within other values of it: they are replaced by stars on their own, too. */
  readonly secrets?: readonly string[];
}

/** A job of a run, in the JSON of the protocol; the server has `JobIdentifier` for it. */
export interface JobLocator {
  readonly pipeline: string;
  readonly pipeline_counter: number;
  readonly stage: string;
  readonly stage_counter: number;
  readonly job: string;
}

export interface WorkVariable {
  readonly name: string;
  readonly value: string;
  /** Its value is replaced by stars in the console. */
  readonly is_secret: boolean;
}

interface Checkout {
  /** Of the material, whichever pipeline uses it. */
  readonly fingerprint: string;
  /** Below the folder of the pipeline; null: that folder itself. */
  readonly destination: string | null;
  readonly revision: string;
  /** For the console, without secrets. */
  readonly description: string;
}

interface Login {
  readonly username: string | null;
  readonly password: string | null;
}

/** The members that every repository has. */
export type WorkRepository = Checkout & Login;

export type WorkMaterial =
  | (Checkout &
      Login & {
        readonly type: 'git';
        readonly url: string;
        readonly branch: string;
        readonly shallow_clone: boolean;
        readonly submodule_folder: string | null;
      })
  | (Checkout & Login & { readonly type: 'svn'; readonly url: string; readonly check_externals: boolean })
  | (Checkout & Login & { readonly type: 'hg'; readonly url: string; readonly branch: string | null })
  | (Checkout &
      Login & {
        readonly type: 'p4';
        readonly port: string;
        readonly view: string;
        readonly use_tickets: boolean;
        /** Passes to tasks which client workspace the agent uses; only the agent knows it. */
        readonly client_variable: string;
      })
  | (Checkout & Login & { readonly type: 'tfs'; readonly url: string; readonly domain: string; readonly project_path: string })
  /** A repository of an SCM plugin, where that is a git repository in the end. */
  | (Checkout & Login & { readonly type: 'plugin'; readonly plugin: string; readonly url: string; readonly branch: string });

export type RunIf = 'passed' | 'failed' | 'any';

interface Conditions {
  /** After which results of the job so far; none: passed. */
  readonly run_if: readonly RunIf[];
  /** null: its processes are ended; `none`: they are left alone. */
  readonly on_cancel: CancelTask | { readonly type: 'none' } | null;
}

interface BuildTool {
  readonly build_file: string | null;
  readonly target: string | null;
  readonly working_directory: string | null;
}

export type CancelTask =
  | {
      readonly type: 'exec';
      readonly command: string;
      /** A line is split as a shell would, without being one. */
      readonly arguments: readonly string[] | string;
      readonly working_directory: string | null;
      /** After so long its processes are ended, and it has failed; absent: never. */
      readonly timeout_seconds?: number;
    }
  | (BuildTool & { readonly type: 'ant' })
  | (BuildTool & { readonly type: 'rake' })
  | (BuildTool & { readonly type: 'nant'; readonly nant_path: string | null })
  | {
      readonly type: 'script';
      readonly script: string;
      readonly shell: string | null;
      readonly working_directory: string | null;
      /** The console does not show it. */
      readonly is_secret?: true;
    }
  | {
      readonly type: 'fetch';
      /** The id by which the agent asks for the files. */
      readonly id: number;
      /** The job whose artifacts they are. */
      readonly from: JobLocator;
      readonly source: string;
      readonly is_file: boolean;
      readonly destination: string | null;
    }
  | (ExternalArtifact & {
      readonly type: 'fetch_external';
      /** The id by which the agent asks for the metadata that the plugin returned when it published the artifact. */
      readonly id: number;
      /** The job that published it. */
      readonly from: JobLocator;
      /** The id of the artifact, and the key of its metadata. */
      readonly artifact: string;
    })
  /** A task that no agent of this version can run; it fails with these words. */
  | { readonly type: 'unsupported'; readonly reason: string };

export type WorkTask = CancelTask & Conditions;

export type WorkArtifact =
  | { readonly type: 'build' | 'test'; readonly source: string; readonly destination: string | null }
  | (ExternalArtifact & { readonly type: 'external'; readonly id: string });

/** An artifact that a plugin publishes to a store, or fetches from there. */
export interface ExternalArtifact {
  readonly plugin: string;
  readonly store: readonly WorkSetting[];
  /** How it is published, or fetched. */
  readonly configuration: readonly WorkSetting[];
}

/** A setting of a plugin. */
export interface WorkSetting {
  readonly key: string;
  readonly value: string;
  /** Its value is replaced by stars in the console. */
  readonly is_secret: boolean;
}
