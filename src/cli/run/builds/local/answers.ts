// The answers of the server about the configuration of a pipeline, with only the fields that local jobs need.

export interface VariableAnswer {
  readonly name: string;
  readonly secure?: boolean;
  /** Absent: it is a secret. */
  readonly value?: string;
}

export interface TaskAnswer {
  readonly type: string;
  readonly attributes: {
    readonly run_if?: readonly string[];
    readonly on_cancel?: TaskAnswer | { readonly type: 'none' } | null;
    readonly nothing_on_cancel?: boolean;
    readonly command?: string;
    readonly arguments?: readonly string[];
    readonly args?: string;
    readonly working_directory?: string | null;
    readonly build_file?: string | null;
    readonly target?: string | null;
    readonly nant_path?: string | null;
    readonly script?: string;
    readonly shell?: string | null;
    readonly pipeline?: string | null;
    readonly stage?: string;
    readonly job?: string;
    readonly source?: string | null;
    readonly plugin_configuration?: { readonly id: string };
    readonly configuration?: readonly { readonly key: string; readonly value?: string }[];
  };
}

export interface JobConfig {
  readonly name: string;
  readonly run_instance_count: number | string | null;
  readonly environment_variables: readonly VariableAnswer[];
  readonly tasks: readonly TaskAnswer[];
}

export interface StageConfig {
  readonly name: string;
  readonly approval: { readonly type: string };
  readonly environment_variables: readonly VariableAnswer[];
  readonly jobs: readonly JobConfig[];
}

export interface MaterialConfig {
  readonly type: string;
  readonly attributes: {
    readonly name?: string | null;
    readonly destination?: string | null;
    readonly url?: string;
    readonly branch?: string | null;
  };
}

export interface PipelineConfig {
  readonly name: string;
  readonly group: string;
  readonly template: string | null;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly environment_variables: readonly VariableAnswer[];
  readonly materials: readonly MaterialConfig[];
  /** Null: they come from the template. */
  readonly stages: readonly StageConfig[] | null;
}

export interface EnvironmentConfig {
  readonly name: string;
  readonly pipelines: readonly { readonly name: string }[];
  readonly environment_variables: readonly VariableAnswer[];
}
