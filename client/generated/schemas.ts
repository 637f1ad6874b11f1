// Made from the OpenAPI document by tools/generate-client.ts. Do not change it by hand.
import type { Json } from '../json.ts';

export type Refusal = {
  /** What is wrong, in words. */
  readonly message: string;
  /** The object as sent, with `errors` beside the fields they belong to. */
  readonly data?: { readonly [name: string]: Json };
  /** Media types that would have worked. */
  readonly supported?: readonly string[];
} & { readonly [name: string]: Json | undefined };

export type PlanOfAFile = {
  /** What is created. */
  readonly created: readonly {
    /** What it is. */
    readonly kind: string;
    /** Its id; empty if there is only one of the kind. */
    readonly id: string;
  }[];
  /** What is changed. */
  readonly changed: readonly {
    /** What it is. */
    readonly kind: string;
    /** Its id; empty if there is only one of the kind. */
    readonly id: string;
  }[];
  /** What is removed. */
  readonly removed: readonly {
    /** What it is. */
    readonly kind: string;
    /** Its id; empty if there is only one of the kind. */
    readonly id: string;
  }[];
  /** How many stay as they are. */
  readonly unchanged: number;
  /** What of the file is not taken over. */
  readonly ignored: readonly {
    /** What it is. */
    readonly what: string;
    /** Why it is not taken over. */
    readonly why: string;
  }[];
  /** What is taken over although a plugin does not accept its settings. */
  readonly warnings: readonly {
    /** Line of the file, from 1. */
    readonly line: number;
    /** Column of the line, from 1. */
    readonly column: number;
    /** What is wrong, in words. */
    readonly message: string;
  }[];
  /** The schema version of the file. */
  readonly schema_version: number;
};

export type RefusedFile = {
  /** Why, line by line. */
  readonly result: string;
  /** The same one by one; absent when it has no place in the file. */
  readonly errors?: readonly {
    /** Line of the file, from 1. */
    readonly line: number;
    /** Column of the line, from 1. */
    readonly column: number;
    /** What is wrong, in words. */
    readonly message: string;
  }[];
};

export type StageInAMap = {
  /** The name of the stage. */
  readonly name: string;
  /** Its state; `Unknown`: */
  readonly status: 'Unknown' | 'Building' | 'Failing' | 'Passed' | 'Failed' | 'Cancelled';
  /** How long it took, in seconds; null: */
  readonly duration: number | null;
  /** Its page; empty: */
  readonly locator: string;
};

export type RunInAMap = {
  /** The counter of the run; 0: */
  readonly counter: number;
  /** Its label. */
  readonly label: string;
  /** Its own map; empty: */
  readonly locator: string;
  /** Its stages, in order. */
  readonly stages: readonly StageInAMap[];
  /** Milliseconds since 1970 began. */
  readonly scheduled_date?: number;
};

export type RevisionInAMap = {
  /** The revision in the repository. */
  readonly revision: string;
  /** Who made it. */
  readonly user: string | null;
  /** The mail address of its author. */
  readonly email_address: string | null;
  /** Its comment. */
  readonly comment: string | null;
  /** When it was made, in milliseconds since the beginning of 1970. */
  readonly modified_time: number;
  /** Its own map. */
  readonly locator: string;
};

export type NodeOfAMap = {
  /** Its id: */
  readonly id: string;
  /** The name of the pipeline, or the address of the material; empty when you may not see it. */
  readonly name: string;
  /** `PIPELINE`, or the type of a material, such as `GIT`. */
  readonly node_type: string;
  /** Its row in the column. */
  readonly depth: number;
  /** The ids of the nodes it depends on. */
  readonly parents: readonly string[];
  /** The ids of the nodes that depend on it. */
  readonly dependents: readonly string[];
  /** Whether you may see it. */
  readonly can_view: boolean;
  /** `DELETED`: */
  readonly view_type: null | 'NO_PERMISSION' | 'DELETED';
  /** The page of the pipeline. */
  readonly locator: string;
  /** The runs, newest first; at most 10 for a pipeline downstream. */
  readonly instances: readonly RunInAMap[];
  /** Why nothing more is shown. */
  readonly message?: string;
  /** For a pipeline: */
  readonly has_more_instances?: boolean;
  /** For a material: */
  readonly material_names?: readonly string[];
  /** For a material: */
  readonly modifications?: readonly RevisionInAMap[];
};

export type RegistrationOfAnAgent = {
  /** The version of the protocol that the agent speaks. */
  readonly protocol: number;
  /** Identifies the agent, which chooses it once. */
  readonly uuid: string;
  /** Chosen by each process of an agent when it starts, and sent only to the server. */
  readonly instance: string;
  /** The name of its machine. */
  readonly hostname: string;
  /** Its working directory. */
  readonly sandbox: string;
  /** Its operating system. */
  readonly operating_system: string;
  /** Its release. */
  readonly version: string;
  /** Free space in the working directory, in bytes; null: */
  readonly free_space?: number | null;
  /** The auto-register key of the server. */
  readonly key?: string;
  /** The resources that jobs may ask for. */
  readonly resources?: readonly string[];
  /** The environments of the agent. */
  readonly environments?: readonly string[];
  /** The id that the elastic agent plugin gave it. */
  readonly elastic_agent_id?: string;
  /** The elastic agent plugin that made it. */
  readonly elastic_plugin_id?: string;
};

export type RegisteredAgent = {
  /** Whether the agent may get work; `Pending`: */
  readonly state: 'Pending' | 'Enabled' | 'Disabled';
  /** The token of the agent; only the first time. */
  readonly token?: string;
  /** Why the agent has to wait. */
  readonly message?: string;
};

export type JobThatAnAgentWorksOn = {
  /** The id of the job. */
  readonly job: number;
  /** The number of its assignment. */
  readonly epoch: number;
  /** Whether the agent knows that the job was cancelled, and is ending it. */
  readonly is_cancelling: boolean;
};

export type PollOfAnAgent = {
  /** Chosen by each process of an agent when it starts, and sent only to the server. */
  readonly instance: string;
  /** The jobs it works on. */
  readonly jobs: readonly JobThatAnAgentWorksOn[];
  /** The last state that the server sent it. */
  readonly state: 'Pending' | 'Enabled' | 'Disabled';
  /** Free space in the working directory, in bytes; null: */
  readonly free_space?: number | null;
};

export type OrderToAnAgent = {
  /** What to do; `none`: */
  readonly order: 'none' | 'state' | 'work' | 'cancel' | 'kill' | 'drop';
  /** Whether the agent may get work; `Pending`: */
  readonly state?: 'Pending' | 'Enabled' | 'Disabled';
  /** The job to cancel, kill or drop. */
  readonly job?: number;
  /** The job to run, with all that it needs. */
  readonly work?: { readonly [name: string]: Json };
};

export type ReportOfAnAgent = {
  /** Chosen by each process of an agent when it starts, and sent only to the server. */
  readonly instance: string;
  /** The number of the assignment of the job. */
  readonly epoch: number;
  /** 1, 2, 3 … for each job. */
  readonly number: number;
  /** The state of the job. */
  readonly state: 'Preparing' | 'Building' | 'Completing' | 'Completed';
  /** Only with `Completing` and `Completed`. */
  readonly result?: 'Passed' | 'Failed' | 'Cancelled';
};

export type CountedReport = {
  /** The report is stored. */
  readonly is_counted: boolean;
};

export type FileOfAnAgent = {
  /** How many bytes of the file the server has. */
  readonly length: number;
};

export type FilesOfAnArchive = {
  /** How many files arrived. */
  readonly files: number;
};

export type ArtifactOfAJob = {
  /** Its path, with slashes. */
  readonly path: string;
  /** Its size in bytes. */
  readonly bytes: number;
  /** Its digest, in lower-case hex. */
  readonly sha256: string;
  /** The same in the words of older servers. */
  readonly md5: string;
};

export type PublicationOfArtifacts = {
  /** Chosen by each process of an agent when it starts, and sent only to the server. */
  readonly instance: string;
  /** The number of the assignment of the job. */
  readonly epoch: number;
  /** With `test`, XML files are read as test reports. */
  readonly type: 'build' | 'test' | 'metadata';
  /** Uploaded files. */
  readonly files: readonly ArtifactOfAJob[];
  /** Empty ones. */
  readonly folders: readonly string[];
};

export type PublishedArtifacts = {
  /** The paths of the files to send again. */
  readonly missing: readonly string[];
};

export type FilesOfAFetchTask = {
  /** The files. */
  readonly files: readonly ArtifactOfAJob[];
  /** Empty folders; their paths end with a slash. */
  readonly folders: readonly string[];
  /** Whether there are more after the last one. */
  readonly has_more: boolean;
};

export type WantedFiles = {
  /** The number of the assignment of the job. */
  readonly epoch: number;
  /** Files of the list. */
  readonly paths: readonly string[];
};

export type ConsoleOfAnAgent = {
  /** How many bytes of this assignment the server has. */
  readonly length: number;
};

export type Artifact = {
  /** The name of the file or folder. */
  readonly name: string;
  /** Its address. */
  readonly url: string;
  /** Whether it is a file or a folder. */
  readonly type: 'file' | 'folder';
  /** The content of the folder, in the same form. */
  readonly files?: readonly Json[];
  /** The size of the file in bytes. */
  readonly size?: number;
};

export type RetentionRule = {
  /** The name of a pipeline, or a pattern with the wildcards `*` and `?`; case-insensitive. */
  readonly pipelines?: string | null;
  /** How many of the last runs keep their artifacts. */
  readonly keep_runs?: number | null;
  /** For how many days artifacts stay after their stage has ended; with `keep_runs`, what either keeps stays. */
  readonly keep_days?: number | null;
};

export type ArtifactRetention = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** For each pipeline, the first rule that matches its name counts. */
  readonly rules?: readonly RetentionRule[];
};

export type RetentionRuleRequest = {
  /** The name of a pipeline, or a pattern with the wildcards `*` and `?`; case-insensitive. */
  readonly pipelines: string | null;
  /** How many of the last runs keep their artifacts. */
  readonly keep_runs?: number | null;
  /** For how many days artifacts stay after their stage has ended; with `keep_runs`, what either keeps stays. */
  readonly keep_days?: number | null;
};

export type ArtifactRetentionRequest = {
  /** For each pipeline, the first rule that matches its name counts. */
  readonly rules?: readonly RetentionRuleRequest[];
};

export type ArtifactRetentionRequestAsAMergePatch = {
  /** For each pipeline, the first rule that matches its name counts. */
  readonly rules?: readonly RetentionRuleRequest[] | null;
};

export type ArtifactStore = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type ArtifactStoreRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The plugin whose settings these are. */
  readonly plugin_id: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type ChangeSince = {
  /** The revision that it made. */
  readonly revision: number;
  /** When. */
  readonly time: string;
  /** Who. */
  readonly actor: string;
  /** Why; null: */
  readonly reason: string | null;
  /** What was done. */
  readonly operation: 'create' | 'update' | 'delete';
};

export type DifferenceInAField = {
  /** JSON pointer. */
  readonly path: string;
  /** What became of the field. */
  readonly operation: 'add' | 'remove' | 'replace' | 'move';
  /** The same for people. */
  readonly words: string;
  /** What people call the field, by the names of the members of lists. */
  readonly field?: string;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly before?: Json;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly after?: Json;
};

export type Overlap = {
  /** JSON pointer. */
  readonly path: string;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly base?: Json;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly yours?: Json;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly theirs?: Json;
};

export type Conflict = {
  /** What is wrong, in words. */
  readonly message: string;
  /** Absent when If-Match was not sent. */
  readonly data?: {
    /** The revision of the version in If-Match; null: */
    readonly base: {
      /** Its number. */
      readonly revision: number;
    } | null;
    /** What happened to it since, the newest first; without a known base the last change only. */
    readonly changes: readonly ChangeSince[];
    /** What you have changed, or what your patch makes of it, compared with the base, or with what is there now when that is not known. */
    readonly yours: readonly DifferenceInAField[];
    /** How many changes are not listed. */
    readonly more_changes?: number;
    /** What others have changed, compared with the base. */
    readonly theirs?: readonly DifferenceInAField[];
    /** What both have changed. */
    readonly overlaps?: readonly Overlap[];
    /** Whether nothing overlaps; `Prefer: */
    readonly can_be_merged?: boolean;
  };
};

export type ArtifactStoreRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string | null;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type ArtifactsConfig = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Absolute, or relative to the data directory. */
  readonly artifacts_dir?: string | null;
  /** When old artifacts are deleted; absent: */
  readonly purge_settings?: {
    /** Artifacts are deleted when less than this is free, in GB. */
    readonly purge_start_disk_space?: number;
    /** Deletion stops when more than this is free, in GB. */
    readonly purge_upto_disk_space?: number;
  };
};

export type ArtifactsConfigRequest = {
  /** Absolute, or relative to the data directory. */
  readonly artifacts_dir: string | null;
  /** When old artifacts are deleted; absent: */
  readonly purge_settings?: {
    /** Artifacts are deleted when less than this is free, in GB. */
    readonly purge_start_disk_space?: number;
    /** Deletion stops when more than this is free, in GB. */
    readonly purge_upto_disk_space?: number;
  };
};

export type ArtifactsConfigRequestAsAMergePatch = {
  /** Absolute, or relative to the data directory. */
  readonly artifacts_dir?: string | null | null;
  /** When old artifacts are deleted; absent: */
  readonly purge_settings?: {
    /** Artifacts are deleted when less than this is free, in GB. */
    readonly purge_start_disk_space?: number | null;
    /** Deletion stops when more than this is free, in GB. */
    readonly purge_upto_disk_space?: number | null;
  } | null;
};

export type BackupConfig = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Send mail to the administrator when a backup fails. */
  readonly email_on_failure?: boolean;
  /** Send mail to the administrator when a backup succeeds. */
  readonly email_on_success?: boolean;
  /** Path of a program to run after each backup. */
  readonly post_backup_script?: string | null;
  /** Quartz cron expression, such as `0 0 2 * * ?` for every day at 02:00; none: */
  readonly schedule?: string | null;
};

export type BackupConfigRequest = {
  /** Send mail to the administrator when a backup fails. */
  readonly email_on_failure?: boolean;
  /** Send mail to the administrator when a backup succeeds. */
  readonly email_on_success?: boolean;
  /** Path of a program to run after each backup. */
  readonly post_backup_script?: string | null;
  /** Quartz cron expression, such as `0 0 2 * * ?` for every day at 02:00; none: */
  readonly schedule?: string | null;
};

export type BackupConfigRequestAsAMergePatch = {
  /** Send mail to the administrator when a backup fails. */
  readonly email_on_failure?: boolean | null;
  /** Send mail to the administrator when a backup succeeds. */
  readonly email_on_success?: boolean | null;
  /** Path of a program to run after each backup. */
  readonly post_backup_script?: string | null | null;
  /** Quartz cron expression, such as `0 0 2 * * ?` for every day at 02:00; none: */
  readonly schedule?: string | null | null;
};

export type BackupExtensions = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Which backups are kept on the disk. */
  readonly retention?: {
    /** How many of the last backups stay. */
    readonly keep_last?: number | null;
    /** For how many days backups stay; with `keep_last`, what either keeps stays. */
    readonly keep_days?: number | null;
  };
  /** The bucket that each backup is copied to. */
  readonly copy?: {
    /** The address of the store, such as https://s3.eu-central-1.amazonaws.com; none: */
    readonly endpoint?: string | null;
    /** The name of the bucket. */
    readonly bucket?: string | null;
    /** The folder in the bucket. */
    readonly prefix?: string | null;
    /** The region that requests are signed for; us-east-1 unless set. */
    readonly region?: string | null;
    /** The key. */
    readonly access_key_id?: string | null;
    /** The secret, encrypted; can be sent back. */
    readonly encrypted_secret_access_key?: string | null;
  };
  /** Minutes after which the post-backup script is ended. */
  readonly script_timeout?: number;
};

export type BackupExtensionsRequest = {
  /** Which backups are kept on the disk. */
  readonly retention?: {
    /** How many of the last backups stay. */
    readonly keep_last?: number | null;
    /** For how many days backups stay; with `keep_last`, what either keeps stays. */
    readonly keep_days?: number | null;
  };
  /** The bucket that each backup is copied to. */
  readonly copy?: {
    /** The address of the store, such as https://s3.eu-central-1.amazonaws.com; none: */
    readonly endpoint?: string | null;
    /** The name of the bucket. */
    readonly bucket?: string | null;
    /** The folder in the bucket. */
    readonly prefix?: string | null;
    /** The region that requests are signed for; us-east-1 unless set. */
    readonly region?: string | null;
    /** The key. */
    readonly access_key_id?: string | null;
    /** In clear; never returned. */
    readonly secret_access_key?: string;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_secret_access_key?: string | null;
  };
  /** Minutes after which the post-backup script is ended. */
  readonly script_timeout?: number;
};

export type BackupExtensionsRequestAsAMergePatch = {
  /** Which backups are kept on the disk. */
  readonly retention?: {
    /** How many of the last backups stay. */
    readonly keep_last?: number | null | null;
    /** For how many days backups stay; with `keep_last`, what either keeps stays. */
    readonly keep_days?: number | null | null;
  } | null;
  /** The bucket that each backup is copied to. */
  readonly copy?: {
    /** The address of the store, such as https://s3.eu-central-1.amazonaws.com; none: */
    readonly endpoint?: string | null | null;
    /** The name of the bucket. */
    readonly bucket?: string | null | null;
    /** The folder in the bucket. */
    readonly prefix?: string | null | null;
    /** The region that requests are signed for; us-east-1 unless set. */
    readonly region?: string | null | null;
    /** The key. */
    readonly access_key_id?: string | null | null;
    /** In clear; never returned. */
    readonly secret_access_key?: string | null;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_secret_access_key?: string | null | null;
  } | null;
  /** Minutes after which the post-backup script is ended. */
  readonly script_timeout?: number | null;
};

export type ClusterProfile = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type ClusterProfileRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The plugin whose settings these are. */
  readonly plugin_id: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type ClusterProfileRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string | null;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type DefaultJobTimeout = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Minutes. */
  readonly default_job_timeout?: string;
};

export type DefaultJobTimeoutRequest = {
  /** Minutes. */
  readonly default_job_timeout: string;
};

export type DefaultJobTimeoutRequestAsAMergePatch = {
  /** Minutes. */
  readonly default_job_timeout?: string | null;
};

export type MailServerConfig = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** SMTP host name or address. */
  readonly hostname?: string | null;
  /** SMTP port: */
  readonly port?: number;
  /** SMTP user; none: */
  readonly username?: string | null;
  /** The secret, encrypted; can be sent back. */
  readonly encrypted_password?: string | null;
  /** Whether to use TLS from the first byte, as on port 465. */
  readonly tls?: boolean;
  /** The sender of all mail. */
  readonly sender_email?: string | null;
  /** The address for test mails, mails about backups, and whatever else needs the attention of an administrator. */
  readonly admin_email?: string | null;
};

export type MailServerConfigRequest = {
  /** SMTP host name or address. */
  readonly hostname: string | null;
  /** SMTP port: */
  readonly port: number;
  /** SMTP user; none: */
  readonly username?: string | null;
  /** In clear; never returned. */
  readonly password?: string;
  /** As returned earlier for the same field; keeps the stored secret. */
  readonly encrypted_password?: string | null;
  /** Whether to use TLS from the first byte, as on port 465. */
  readonly tls?: boolean;
  /** The sender of all mail. */
  readonly sender_email: string | null;
  /** The address for test mails, mails about backups, and whatever else needs the attention of an administrator. */
  readonly admin_email: string | null;
};

export type MailServerConfigRequestAsAMergePatch = {
  /** SMTP host name or address. */
  readonly hostname?: string | null | null;
  /** SMTP port: */
  readonly port?: number | null;
  /** SMTP user; none: */
  readonly username?: string | null | null;
  /** In clear; never returned. */
  readonly password?: string | null;
  /** As returned earlier for the same field; keeps the stored secret. */
  readonly encrypted_password?: string | null | null;
  /** Whether to use TLS from the first byte, as on port 465. */
  readonly tls?: boolean | null;
  /** The sender of all mail. */
  readonly sender_email?: string | null | null;
  /** The address for test mails, mails about backups, and whatever else needs the attention of an administrator. */
  readonly admin_email?: string | null | null;
};

export type PackageRepository = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly repo_id?: string;
  /** Unique among repositories, case-insensitive. */
  readonly name?: string | null;
  /** The plugin it belongs to. */
  readonly plugin_metadata?: {
    /** The plugin. */
    readonly id?: string | null;
    /** Its version; for information only. */
    readonly version?: string | null;
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** The content of the answer. */
  readonly _embedded?: {
    /** The packages of the repository. */
    readonly packages: readonly {
      /** Where it is, where it is documented, how others are found. */
      readonly _links: { readonly [name: string]: {
          /** The address. */
          readonly href: string;
        } };
      /** The name of the package. */
      readonly name: string;
      /** Its id. */
      readonly id: string;
    }[];
  };
};

export type PackageRepositoryRequest = {
  /** What it is called; others refer to it by this. */
  readonly repo_id?: string;
  /** Unique among repositories, case-insensitive. */
  readonly name: string | null;
  /** The plugin it belongs to. */
  readonly plugin_metadata: {
    /** The plugin. */
    readonly id: string | null;
    /** Its version; for information only. */
    readonly version?: string | null;
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type PackageRepositoryRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly repo_id?: string | null;
  /** Unique among repositories, case-insensitive. */
  readonly name?: string | null | null;
  /** The plugin it belongs to. */
  readonly plugin_metadata?: {
    /** The plugin. */
    readonly id?: string | null | null;
    /** Its version; for information only. */
    readonly version?: string | null | null;
  } | null;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type PipelineGroup = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly name?: string;
  /** Who may do what with the pipelines of the group. */
  readonly authorization?: {
    /** Who sees the pipelines of the group. */
    readonly view?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
    /** Who starts and pauses them. */
    readonly operate?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
    /** Who changes them. */
    readonly admins?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
  };
  /** The pipelines of the group. */
  readonly pipelines?: readonly {
    /** Where it is, where it is documented, how others are found. */
    readonly _links: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** The name of the pipeline. */
    readonly name: string;
  }[];
};

export type PipelineGroupRequest = {
  /** What it is called; others refer to it by this. */
  readonly name: string;
  /** Who may do what with the pipelines of the group. */
  readonly authorization?: {
    /** Who sees the pipelines of the group. */
    readonly view?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
    /** Who starts and pauses them. */
    readonly operate?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
    /** Who changes them. */
    readonly admins?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
  };
};

export type PipelineGroupRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly name?: string | null;
  /** Who may do what with the pipelines of the group. */
  readonly authorization?: {
    /** Who sees the pipelines of the group. */
    readonly view?: {
      /** Login names. */
      readonly users?: readonly string[] | null;
      /** Names of roles. */
      readonly roles?: readonly string[] | null;
    } | null;
    /** Who starts and pauses them. */
    readonly operate?: {
      /** Login names. */
      readonly users?: readonly string[] | null;
      /** Names of roles. */
      readonly roles?: readonly string[] | null;
    } | null;
    /** Who changes them. */
    readonly admins?: {
      /** Login names. */
      readonly users?: readonly string[] | null;
      /** Names of roles. */
      readonly roles?: readonly string[] | null;
    } | null;
  } | null;
};

export type PluginSettings = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly plugin_id?: string;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type PluginSettingsRequest = {
  /** What it is called; others refer to it by this. */
  readonly plugin_id: string;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type PluginSettingsRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly plugin_id?: string | null;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type SiteURLs = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Starts with http:// or https://. */
  readonly site_url?: string;
  /** Starts with https://. */
  readonly secure_site_url?: string;
};

export type SiteURLsRequest = {
  /** Starts with http:// or https://. */
  readonly site_url?: string;
  /** Starts with https://. */
  readonly secure_site_url?: string;
};

export type SiteURLsRequestAsAMergePatch = {
  /** Starts with http:// or https://. */
  readonly site_url?: string | null;
  /** Starts with https://. */
  readonly secure_site_url?: string | null;
};

export type OutgoingWebhook = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The address of the receiver, with `http` or `https`. */
  readonly url?: string;
  /** The secret, encrypted; can be sent back. */
  readonly encrypted_secret?: string | null;
  /** Which events are sent: */
  readonly filter?: {
    /** Types of events, with `*` and `?` as wildcards, such as `backup.*`. */
    readonly types?: readonly string[];
    /** The users who caused the event. */
    readonly actors?: readonly string[];
    /** The kinds of things that the event is about, as in addresses: */
    readonly resources?: readonly string[];
    /** Their ids. */
    readonly ids?: readonly string[];
  };
  /** Whether events are sent. */
  readonly enabled?: boolean;
};

export type OutgoingWebhookRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The address of the receiver, with `http` or `https`. */
  readonly url: string;
  /** In clear; never returned. */
  readonly secret?: string;
  /** As returned earlier for the same field; keeps the stored secret. */
  readonly encrypted_secret?: string | null;
  /** Which events are sent: */
  readonly filter?: {
    /** Types of events, with `*` and `?` as wildcards, such as `backup.*`. */
    readonly types?: readonly string[];
    /** The users who caused the event. */
    readonly actors?: readonly string[];
    /** The kinds of things that the event is about, as in addresses: */
    readonly resources?: readonly string[];
    /** Their ids. */
    readonly ids?: readonly string[];
  };
  /** Whether events are sent. */
  readonly enabled?: boolean;
};

export type OutgoingWebhookRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The address of the receiver, with `http` or `https`. */
  readonly url?: string | null;
  /** In clear; never returned. */
  readonly secret?: string | null;
  /** As returned earlier for the same field; keeps the stored secret. */
  readonly encrypted_secret?: string | null | null;
  /** Which events are sent: */
  readonly filter?: {
    /** Types of events, with `*` and `?` as wildcards, such as `backup.*`. */
    readonly types?: readonly string[] | null;
    /** The users who caused the event. */
    readonly actors?: readonly string[] | null;
    /** The kinds of things that the event is about, as in addresses: */
    readonly resources?: readonly string[] | null;
    /** Their ids. */
    readonly ids?: readonly string[] | null;
  } | null;
  /** Whether events are sent. */
  readonly enabled?: boolean | null;
};

export type TemplateAuthorization = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Whether every administrator of a pipeline group may see it. */
  readonly all_group_admins_are_view_users: boolean;
  /** Who may change the template. */
  readonly admin: {
    /** Login names. */
    readonly users?: readonly string[];
    /** Names of roles. */
    readonly roles?: readonly string[];
  };
  /** Who may see it. */
  readonly view: {
    /** Login names. */
    readonly users?: readonly string[];
    /** Names of roles. */
    readonly roles?: readonly string[];
  };
};

export type TemplateAuthorizationRequest = {
  /** Whether every administrator of a pipeline group may see it. */
  readonly all_group_admins_are_view_users?: boolean;
  /** Who may change the template. */
  readonly admin?: {
    /** Login names. */
    readonly users?: readonly string[];
    /** Names of roles. */
    readonly roles?: readonly string[];
  };
  /** Who may see it. */
  readonly view?: {
    /** Login names. */
    readonly users?: readonly string[];
    /** Names of roles. */
    readonly roles?: readonly string[];
  };
};

export type TemplateAuthorizationRequestAsAMergePatch = {
  /** Whether every administrator of a pipeline group may see it. */
  readonly all_group_admins_are_view_users?: boolean | null;
  /** Who may change the template. */
  readonly admin?: {
    /** Login names. */
    readonly users?: readonly string[] | null;
    /** Names of roles. */
    readonly roles?: readonly string[] | null;
  } | null;
  /** Who may see it. */
  readonly view?: {
    /** Login names. */
    readonly users?: readonly string[] | null;
    /** Names of roles. */
    readonly roles?: readonly string[] | null;
  } | null;
};

export type Origin = {
  /** The configuration of the server, or a config repo. */
  readonly type: 'gocd' | 'config_repo';
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The id of the config repo. */
  readonly id?: string;
};

export type AgentOfAnEnvironment = {
  /** The id of the agent. */
  readonly uuid: string;
  /** Where it is defined. */
  readonly origin: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links?: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** `gocd`: */
    readonly type?: 'gocd' | 'config_repo';
    /** The config repo; absent if it is not a config repo. */
    readonly id?: string;
  };
};

export type EnvironmentWithOrigins = {
  /** The name of the environment. */
  readonly name: string;
  /** All places where it is defined. */
  readonly origins: readonly Origin[];
  /** Its pipelines. */
  readonly pipelines: readonly {
    /** The name of the pipeline. */
    readonly name: string;
    /** Where it is put into the environment. */
    readonly origin: Origin;
  }[];
  /** Agents that config repos have put into the environment; absent: */
  readonly agents: readonly AgentOfAnEnvironment[];
  /** Its variables. */
  readonly environment_variables: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
    /** Where the variable is set. */
    readonly origin?: Origin;
  }[];
};

export type UsageOfAnElasticAgentProfile = {
  /** The pipeline, or the template, with the job. */
  readonly pipeline_name: string;
  /** Its stage. */
  readonly stage_name: string;
  /** The job that uses the profile. */
  readonly job_name: string;
  /** Where the pipeline is defined. */
  readonly pipeline_config_origin: 'gocd' | 'config_repo';
  /** The template of the pipeline. */
  readonly template_name?: string;
};

export type UsagesOfAnEntity = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The entities that refer to it. */
  readonly usages: readonly {
    /** The kind of the entity. */
    readonly resource: string;
    /** What stands for it in addresses; empty: */
    readonly id: string;
  }[];
};

export type Operation = {
  /** As of the single call. */
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path of the single call, such as `/api/admin/environments/prod`, without parameters. */
  readonly path: string;
  /** The body of the single call. */
  readonly body?: { readonly [name: string]: Json };
  /** The header If-Match of the single call. */
  readonly if_match?: string;
};

export type ResultOfAnOperation = {
  /** The status of the single call. */
  readonly status: number;
  /** The body of its answer. */
  readonly body: { readonly [name: string]: Json };
  /** The ETag of its answer; absent when it is gone. */
  readonly etag?: string;
};

export type ChangeOfAnEntity = {
  /** The kind of configuration: */
  readonly resource: string;
  /** What stands for it in addresses; empty where there is only one. */
  readonly id: string;
  /** What is done to it. */
  readonly operation: 'create' | 'update' | 'delete';
  /** Field by field. */
  readonly differences: readonly DifferenceInAField[];
  /** The ETag it has then; absent when it is gone. */
  readonly etag?: string;
};

export type OutcomeOfABatch = {
  /** The revision it made; null when it changed nothing. */
  readonly revision: number | null;
  /** The answer to each operation. */
  readonly results: readonly ResultOfAnOperation[];
  /** What has changed, in order. */
  readonly changes: readonly ChangeOfAnEntity[];
};

export type HowANewOneIsSent = {
  /** The name of the member. */
  readonly member: string;
  /** Members that are placed beside it instead. */
  readonly beside: readonly string[];
};

export type FormInShort = {
  /** Its name, as in addresses of the history. */
  readonly resource: string;
  /** The name for people, in the plural. */
  readonly title: string;
  /** The name of one of them, for use in a sentence. */
  readonly singular: string;
  /** What they are for. */
  readonly about: string;
  /** Whether there is only one. */
  readonly is_singleton: boolean;
  /** For a single one that the caller may see: */
  readonly is_set: boolean | null;
  /** Where they are listed and created; one is at `path/ADDRESS`, a single one at `path`. */
  readonly path: string;
  /** The member that others refer to; null: */
  readonly id_field: string | null;
  /** The member that identifies it in addresses. */
  readonly address_field: string | null;
  /** The member to show to people. */
  readonly name_field: string | null;
  /** The member of `_embedded` that holds the list. */
  readonly list_key: string | null;
  /** The member of another object in which a new one is sent; null: */
  readonly created_as: HowANewOneIsSent | null;
  /** The version of the API that the schema belongs to. */
  readonly version: number;
  /** Whether the caller may see any. */
  readonly can_view: boolean;
  /** Whether the caller may create any. */
  readonly can_create: boolean;
  /** Whether they can be deleted; for a single one this also depends on the rights of the caller. */
  readonly can_delete: boolean;
  /** Whether a change may rename one. */
  readonly can_rename: boolean;
  /** The address that lists what uses one, with `{id}` in place of its id; null: */
  readonly has_usages: string | null;
};

export type Form = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Its name, as in addresses of the history. */
  readonly resource: string;
  /** The name for people, in the plural. */
  readonly title: string;
  /** The name of one of them, for use in a sentence. */
  readonly singular: string;
  /** What they are for. */
  readonly about: string;
  /** Whether there is only one. */
  readonly is_singleton: boolean;
  /** For a single one that the caller may see: */
  readonly is_set: boolean | null;
  /** Where they are listed and created; one is at `path/ADDRESS`, a single one at `path`. */
  readonly path: string;
  /** The member that others refer to; null: */
  readonly id_field: string | null;
  /** The member that identifies it in addresses. */
  readonly address_field: string | null;
  /** The member to show to people. */
  readonly name_field: string | null;
  /** The member of `_embedded` that holds the list. */
  readonly list_key: string | null;
  /** The member of another object in which a new one is sent; null: */
  readonly created_as: HowANewOneIsSent | null;
  /** The version of the API that the schema belongs to. */
  readonly version: number;
  /** Whether the caller may see any. */
  readonly can_view: boolean;
  /** Whether the caller may create any. */
  readonly can_create: boolean;
  /** Whether they can be deleted; for a single one this also depends on the rights of the caller. */
  readonly can_delete: boolean;
  /** Whether a change may rename one. */
  readonly can_rename: boolean;
  /** The address that lists what uses one, with `{id}` in place of its id; null: */
  readonly has_usages: string | null;
  /** The JSON schema of the body to send. */
  readonly schema: { readonly [name: string]: Json };
  /** An example of a body. */
  readonly example: { readonly [name: string]: Json };
};

export type MaterialAndWhatIsKnownOfIt = {
  /** The material as it is configured. */
  readonly config: {
    readonly type: 'git';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `git` has. */
    readonly attributes: {
      /** Address of the repository. */
      readonly url?: string;
      /** Directory for the checkout, inside that of the pipeline. */
      readonly destination?: string | null;
      /** Files whose changes alone do not trigger the pipeline. */
      readonly filter?: {
        /** Patterns of file names, such as `docs/** /*`. */
        readonly ignore?: readonly string[];
      };
      /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
      readonly invert_filter?: boolean;
      /** Name of the material. */
      readonly name?: string | null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
      readonly branch?: string;
      /** Folder of a submodule. */
      readonly submodule_folder?: string | null;
      /** Whether to fetch only as much history as needed. */
      readonly shallow_clone?: boolean;
    };
  } | {
    readonly type: 'hg';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `hg` has. */
    readonly attributes: {
      /** Address of the repository. */
      readonly url?: string;
      /** Directory for the checkout, inside that of the pipeline. */
      readonly destination?: string | null;
      /** Files whose changes alone do not trigger the pipeline. */
      readonly filter?: {
        /** Patterns of file names, such as `docs/** /*`. */
        readonly ignore?: readonly string[];
      };
      /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
      readonly invert_filter?: boolean;
      /** Name of the material. */
      readonly name?: string | null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Branch. */
      readonly branch?: string | null;
    };
  } | {
    readonly type: 'svn';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `svn` has. */
    readonly attributes: {
      /** Address of the repository. */
      readonly url?: string;
      /** Directory for the checkout, inside that of the pipeline. */
      readonly destination?: string | null;
      /** Files whose changes alone do not trigger the pipeline. */
      readonly filter?: {
        /** Patterns of file names, such as `docs/** /*`. */
        readonly ignore?: readonly string[];
      };
      /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
      readonly invert_filter?: boolean;
      /** Name of the material. */
      readonly name?: string | null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Whether changes of externals count. */
      readonly check_externals?: boolean;
    };
  } | {
    readonly type: 'p4';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `p4` has. */
    readonly attributes: {
      /** Directory for the checkout, inside that of the pipeline. */
      readonly destination?: string | null;
      /** Files whose changes alone do not trigger the pipeline. */
      readonly filter?: {
        /** Patterns of file names, such as `docs/** /*`. */
        readonly ignore?: readonly string[];
      };
      /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
      readonly invert_filter?: boolean;
      /** Name of the material. */
      readonly name?: string | null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** [transport:]host:port */
      readonly port?: string | null;
      /** Whether to log in with a ticket. */
      readonly use_tickets?: boolean;
      /** The view. */
      readonly view?: string | null;
    };
  } | {
    readonly type: 'tfs';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `tfs` has. */
    readonly attributes: {
      /** Address of the repository. */
      readonly url?: string;
      /** Directory for the checkout, inside that of the pipeline. */
      readonly destination?: string | null;
      /** Files whose changes alone do not trigger the pipeline. */
      readonly filter?: {
        /** Patterns of file names, such as `docs/** /*`. */
        readonly ignore?: readonly string[];
      };
      /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
      readonly invert_filter?: boolean;
      /** Name of the material. */
      readonly name?: string | null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Domain of the user. */
      readonly domain?: string;
      /** Path in the collection. */
      readonly project_path?: string | null;
    };
  } | {
    readonly type: 'dependency';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `dependency` has. */
    readonly attributes: {
      /** The upstream pipeline. */
      readonly pipeline?: string | null;
      /** The stage that must have passed. */
      readonly stage?: string | null;
      /** Name of the material. */
      readonly name?: string | null;
      readonly auto_update?: true;
      /** Whether its runs alone do not trigger the pipeline. */
      readonly ignore_for_scheduling?: boolean;
    };
  } | {
    readonly type: 'package';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `package` has. */
    readonly attributes: {
      /** The id of the package. */
      readonly ref?: string;
    };
  } | {
    readonly type: 'plugin';
    /** Stands for it in addresses; the same for equal materials. */
    readonly fingerprint: string;
    /** What one of type `plugin` has. */
    readonly attributes: {
      /** The id of the SCM. */
      readonly ref?: string;
      /** Files whose changes alone do not trigger the pipeline. */
      readonly filter?: {
        /** Patterns of file names, such as `docs/** /*`. */
        readonly ignore?: readonly string[];
      };
      /** Directory for the checkout, inside that of the pipeline. */
      readonly destination?: string | null;
      /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
      readonly invert_filter?: boolean;
    };
  };
  /** Where it is, in short: */
  readonly place: string;
  /** What distinguishes it from other repositories at its address, such as a branch or a view. */
  readonly details: readonly {
    /** What it is, in one word. */
    readonly label: string;
    /** Its value. */
    readonly value: string;
  }[];
  /** Whether you may have it polled now. */
  readonly can_trigger_update: boolean;
  /** How many of the pipelines that you may see use it. */
  readonly pipelines: number;
  /** Whether it is being polled. */
  readonly material_update_in_progress: boolean;
  /** The newest; null: */
  readonly modification: {
    /** Who made it. */
    readonly username: string | null;
    /** What the repository calls it. */
    readonly revision: string;
    /** When it was made. */
    readonly modified_time: string;
    /** Its comment. */
    readonly comment: string | null;
    /** The address of who made it. */
    readonly email_address?: string;
  } | null;
  /** What is wrong with it. */
  readonly messages: readonly {
    /** How bad it is. */
    readonly level: 'WARNING' | 'ERROR';
    /** What is wrong. */
    readonly message: string;
    /** More about it. */
    readonly description: string;
  }[];
  /** When the poll that is under way began. */
  readonly material_update_start_time?: string;
  /** When a poll ended last, well or not; absent: */
  readonly material_update_end_time?: string;
};

export type ModificationOfAMaterial = {
  /** What the repository calls it. */
  readonly revision: string;
  /** Who made it. */
  readonly username: string | null;
  /** The mail address of its author. */
  readonly email_address: string | null;
  /** When it was made. */
  readonly modified_time: string;
  /** Its comment. */
  readonly comment: string | null;
};

export type SourceOfADefinition = {
  /** Its name. */
  readonly name: string;
  /** The file, from the root of the repository. */
  readonly file: string;
  /** Where it begins; null: */
  readonly line: number | null;
};

export type Sources = {
  /** The revision that is in force, to which the lines belong; null: */
  readonly revision: string | null;
  /** Its pipelines. */
  readonly pipelines: readonly SourceOfADefinition[];
  /** Its parts of environments; several files can say something of the same one. */
  readonly environments: readonly SourceOfADefinition[];
};

export type MistakeInAFile = {
  /** null: */
  readonly file: string | null;
  /** From 1; null: */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
  /** What is defined there. */
  readonly entity: string | null;
  /** What is wrong, in words. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string | null;
};

export type ParseOfAConfigRepo = {
  /** Grows with every attempt. */
  readonly id: number;
  /** null: */
  readonly revision: string | null;
  /** When it began. */
  readonly time: string;
  /** `published`: */
  readonly outcome: 'published' | 'no_files' | 'unread' | 'unparsed' | 'refused';
  /** Files that the plugin reads. */
  readonly files_matched: number;
  /** How many of them had changed, and were read. */
  readonly files_parsed: number;
  /** How long it took, in milliseconds. */
  readonly duration_ms: number;
  /** What is wrong. */
  readonly errors: readonly MistakeInAFile[];
  /** What files say in vain, and what was passed over. */
  readonly warnings: readonly MistakeInAFile[];
};

export type PlanOfAPublication = {
  /** What happens to pipelines. */
  readonly pipelines: {
    /** Those that would be created. */
    readonly created: readonly string[];
    /** Those that would be changed. */
    readonly changed: readonly string[];
    /** Those that would be deleted. */
    readonly deleted: readonly string[];
  };
  /** What happens to pipeline groups. */
  readonly pipeline_groups: {
    /** Those that would be created. */
    readonly created: readonly string[];
    /** Those that would be changed. */
    readonly changed: readonly string[];
    /** Those that would be deleted. */
    readonly deleted: readonly string[];
  };
  /** What happens to environments. */
  readonly environments: {
    /** Those that would be created. */
    readonly created: readonly string[];
    /** Those that would be changed. */
    readonly changed: readonly string[];
    /** Those that would be deleted. */
    readonly deleted: readonly string[];
  };
  /** What happens to SCMs. */
  readonly scms: {
    /** Those that would be created. */
    readonly created: readonly string[];
    /** Those that would be changed. */
    readonly changed: readonly string[];
    /** Those that would be deleted. */
    readonly deleted: readonly string[];
  };
};

export type PreflightResult = {
  /** The errors, in words. */
  readonly errors: readonly string[];
  /** Whether there are no errors. */
  readonly valid: boolean;
  /** Every error with its place; absent: */
  readonly problems?: readonly MistakeInAFile[];
  /** What in the files has no effect or was skipped; absent: */
  readonly warnings?: readonly MistakeInAFile[];
  /** What would change, by name. */
  readonly plan?: PlanOfAPublication;
};

export type WebhookSecretRequest = {
  /** In clear; never returned. */
  readonly webhook_secret?: string;
  /** Instead of the clear text: */
  readonly encrypted_webhook_secret?: string;
};

export type WebhookSecretRequestAsAMergePatch = {
  /** In clear; never returned. */
  readonly webhook_secret?: string | null;
  /** Instead of the clear text: */
  readonly encrypted_webhook_secret?: string | null;
};

export type CurrentUser = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The name to log in with. */
  readonly login_name: string;
  /** The name to show. */
  readonly display_name: string;
  /** Whether the user may log in. */
  readonly enabled: boolean;
  /** Mail address; empty: */
  readonly email: string;
  /** Whether to send the mails that the filters of the user ask for. */
  readonly email_me: boolean;
  /** Names under which the user commits, to recognise their changes. */
  readonly checkin_aliases: readonly string[];
};

export type Rights = {
  /** Those the user may see. */
  readonly view: readonly string[];
  /** Those the user may change. */
  readonly administer: readonly string[];
};

export type AccessToken = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** What it is for. */
  readonly description: string;
  /** The user it belongs to. */
  readonly username: string;
  /** Whether it is revoked, so that the server no longer accepts it. */
  readonly revoked: boolean;
  /** Why it was revoked. */
  readonly revoke_cause: string | null;
  /** Who revoked it. */
  readonly revoked_by: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last used; null: */
  readonly last_used_at: string | null;
  /** When it ends. */
  readonly expires_at?: string;
  /** What it is limited to. */
  readonly scopes?: readonly string[];
  /** The addresses and networks from which it can be used. */
  readonly allowed_addresses?: readonly string[];
};

export type UserAccessToken = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** What it is for. */
  readonly description: string;
  /** The user it belongs to. */
  readonly username: string;
  /** Whether it is revoked, so that the server no longer accepts it. */
  readonly revoked: boolean;
  /** Why it was revoked. */
  readonly revoke_cause: string | null;
  /** Who revoked it. */
  readonly revoked_by: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last used; null: */
  readonly last_used_at: string | null;
  /** Whether it was revoked because its user was deleted. */
  readonly revoked_because_user_deleted: boolean;
  /** When it ends. */
  readonly expires_at?: string;
  /** What it is limited to. */
  readonly scopes?: readonly string[];
  /** The addresses and networks from which it can be used. */
  readonly allowed_addresses?: readonly string[];
};

export type AccessTokenOfAServiceAccount = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** What it is for. */
  readonly description: string;
  /** The user it belongs to. */
  readonly username: string;
  /** Whether it is revoked, so that the server no longer accepts it. */
  readonly revoked: boolean;
  /** Why it was revoked. */
  readonly revoke_cause: string | null;
  /** Who revoked it. */
  readonly revoked_by: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last used; null: */
  readonly last_used_at: string | null;
  /** When it ends. */
  readonly expires_at?: string;
  /** What it is limited to. */
  readonly scopes?: readonly string[];
  /** The addresses and networks from which it can be used. */
  readonly allowed_addresses?: readonly string[];
};

export type NewAccessToken = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** What it is for. */
  readonly description: string;
  /** The user it belongs to. */
  readonly username: string;
  /** Whether it is revoked, so that the server no longer accepts it. */
  readonly revoked: boolean;
  /** Why it was revoked. */
  readonly revoke_cause: string | null;
  /** Who revoked it. */
  readonly revoked_by: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last used; null: */
  readonly last_used_at: string | null;
  /** The secret. */
  readonly token: string;
  /** When it ends. */
  readonly expires_at?: string;
  /** What it is limited to. */
  readonly scopes?: readonly string[];
  /** The addresses and networks from which it can be used. */
  readonly allowed_addresses?: readonly string[];
};

export type NewAccessTokenOfAServiceAccount = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** What it is for. */
  readonly description: string;
  /** The user it belongs to. */
  readonly username: string;
  /** Whether it is revoked, so that the server no longer accepts it. */
  readonly revoked: boolean;
  /** Why it was revoked. */
  readonly revoke_cause: string | null;
  /** Who revoked it. */
  readonly revoked_by: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** When it was last used; null: */
  readonly last_used_at: string | null;
  /** The secret. */
  readonly token: string;
  /** When it ends. */
  readonly expires_at?: string;
  /** What it is limited to. */
  readonly scopes?: readonly string[];
  /** The addresses and networks from which it can be used. */
  readonly allowed_addresses?: readonly string[];
};

export type ServiceAccount = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Its login name, as used in roles and groups. */
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** The login name of the user who is responsible for it. */
  readonly owner: string;
  /** Whether the server accepts its access tokens. */
  readonly enabled: boolean;
};

export type Session = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The login name of the current user. */
  readonly login_name: string;
  /** Their display name. */
  readonly display_name: string;
  /** Whether they administer the server. */
  readonly is_admin: boolean;
  /** Whether they administer a pipeline group, or everything. */
  readonly is_group_admin: boolean;
  /** Whether callers may see something without a login; here always false. */
  readonly anonymous: boolean;
  /** Whether users have to log in; here always true. */
  readonly security_enabled: boolean;
  /** To be sent as `X-CSRF-Token` with every change; null: */
  readonly csrf_token: string | null;
  /** When the session ends without a further request; null: */
  readonly expires_at: string | null;
  /** Which server this is. */
  readonly server: {
    /** The name of the server. */
    readonly name: string;
    /** Its version. */
    readonly version: string;
    /** Whether it is in maintenance mode, and refuses changes. */
    readonly maintenance_mode: boolean;
    /** The time zone of its clock, which timers follow. */
    readonly time_zone: string;
  };
  /** Which pages have something for the caller to see: */
  readonly can: { readonly [name: string]: boolean };
};

export type SubjectOfAnEvent = {
  /** Their kind, as addresses have it: */
  readonly resource: string;
  /** Its id; empty if there is only one of the kind. */
  readonly id: string;
  /** What happened to it in a change of the configuration. */
  readonly operation?: 'create' | 'update' | 'delete';
  /** Its new ETag; absent when it was deleted. */
  readonly etag?: string;
};

export type Event = {
  /** 1, 2, 3 … without gaps. */
  readonly number: number;
  /** When it happened. */
  readonly time: string;
  /** What happened. */
  readonly type: 'events.begun' | 'configuration.changed' | 'revision.named' | 'revision.unnamed' | 'login.failed' | 'access_token.created' | 'access_token.revoked' | 'access_token.rotated' | 'access_token.expired' | 'service_account.created' | 'service_account.changed' | 'service_account.deleted' | 'backup.started' | 'backup.ended' | 'maintenance_mode.enabled' | 'maintenance_mode.disabled' | 'material.failed' | 'material.recovered' | 'run.scheduled' | 'stage.started' | 'stage.completed' | 'job.assigned' | 'job.completed' | 'job.rescheduled' | 'artifacts.published' | 'artifacts.purged' | 'pipeline.paused' | 'pipeline.unpaused' | 'pipeline.unlocked' | 'agent.registered' | 'agent.enabled' | 'agent.disabled' | 'agent.changed' | 'agent.deleted' | 'agent.lost' | 'agent.returned' | 'config_repo.parsed';
  /** Who did it; null: */
  readonly actor: string | null;
  /** What it is about. */
  readonly about: readonly SubjectOfAnEvent[];
  /** Details that depend on the type of the event. */
  readonly data: { readonly [name: string]: Json };
  /** The hash of the event before it. */
  readonly previous_hash: string;
  /** The SHA-256 of all members before this one, in this order, as JSON without blanks. */
  readonly hash: string;
};

export type ResultOfACheckOfTheEvents = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Whether nothing was changed after it was written. */
  readonly is_whole: boolean;
  /** How many events there are, from when to when, and the hash of the last one; null: */
  readonly message: string | null;
  /** What was changed, in sentences. */
  readonly faults: readonly string[];
};

export type QueueOfAWebhook = {
  /** The number of the last event that was delivered, or that its filter left out. */
  readonly position: number;
  /** How many events that pass its filter have still to be delivered. */
  readonly behind: number;
  /** How many further events have not been checked by its filter yet: */
  readonly uncounted: number;
  /** How many attempts have failed in a row. */
  readonly failures: number;
  /** Since when attempts fail; null: */
  readonly failing_since: string | null;
  /** Why the last attempt failed. */
  readonly last_error: string | null;
  /** When the last event was delivered. */
  readonly delivered_at: string | null;
};

export type DeliveryOfAnEvent = {
  /** Its id, which grows with every attempt. */
  readonly id: number;
  /** The number of the event. */
  readonly event: number;
  /** The type of the event. */
  readonly type: string;
  /** The number of the attempt: */
  readonly attempt: number;
  /** When the attempt was made. */
  readonly time: string;
  /** How long it took. */
  readonly milliseconds: number;
  /** The status of the answer; null: */
  readonly status: number | null;
  /** Why it does not count as delivered; null: */
  readonly error: string | null;
};

export type OutcomeOfATestDelivery = {
  /** Whether the receiver answered with a status from 200 to 299. */
  readonly is_delivered: boolean;
  /** The status of the answer; null: */
  readonly status: number | null;
  /** Why it does not count as delivered. */
  readonly error: string | null;
  /** How long it took. */
  readonly milliseconds: number;
};

export type MaterialUpdate = {
  /** The type of the material. */
  readonly type: string;
  /** The attributes of the material, without secrets. */
  readonly attributes: { readonly [name: string]: Json };
  /** When it began. */
  readonly mdu_start_time: string;
};

export type JobUnderWay = {
  /** The pipeline. */
  readonly pipeline_name: string;
  /** The counter of the run. */
  readonly pipeline_counter: number;
  /** The stage. */
  readonly stage_name: string;
  /** The counter of the stage run. */
  readonly stage_counter: string;
  /** The name of the job. */
  readonly name: string;
  /** Its state. */
  readonly state: string;
  /** When it was scheduled. */
  readonly scheduled_date: string;
  /** Its agent; null: */
  readonly agent_uuid: string | null;
};

export type RunningSystems = {
  /** Materials that are being polled. */
  readonly material_update_in_progress: readonly MaterialUpdate[];
  /** Jobs that an agent is working on. */
  readonly building_jobs: readonly JobUnderWay[];
  /** Jobs that wait for an agent. */
  readonly scheduled_jobs: readonly JobUnderWay[];
  /** Other periodic work. */
  readonly other_work: readonly {
    /** Its name. */
    readonly name: string;
    /** When it began. */
    readonly start_time: string;
  }[];
};

export type MaintenanceMode = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Whether it is on. */
  readonly is_maintenance_mode: boolean;
  /** The last change. */
  readonly metadata: {
    /** Who last switched it on or off; null: */
    readonly updated_by: string | null;
    /** When. */
    readonly updated_on: string | null;
  };
  /** Only while it is on. */
  readonly attributes?: {
    /** Jobs that wait for an agent do not count. */
    readonly has_running_systems: boolean;
    /** What still runs. */
    readonly running_systems: RunningSystems;
    /** Why it is on. */
    readonly reason: string | null;
    /** When it ends by itself. */
    readonly until: string | null;
    /** Whether it stays on after a restart. */
    readonly survive_restart: boolean;
  };
};

export type DrainedServer = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  readonly drained: true;
  /** Jobs that wait for an agent. */
  readonly running_systems: RunningSystems;
};

export type ChangedEntity = {
  /** The kind of configuration: */
  readonly resource: string;
  /** Empty where there is only one. */
  readonly id: string;
  /** What was done to it. */
  readonly operation: 'create' | 'update' | 'delete';
};

export type Revision = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** 1, 2, 3 … */
  readonly revision: number;
  /** When. */
  readonly time: string;
  /** Who. */
  readonly actor: string;
  /** The id of the access token that was used. */
  readonly token: number | null;
  /** Where the request came from. */
  readonly address: string | null;
  /** From the header `X-Svc-Reason`. */
  readonly reason: string | null;
  /** The name that a user gave it. */
  readonly name: string | null;
  /** How many entities it has changed. */
  readonly change_count: number;
  /** The first ten. */
  readonly changes: readonly ChangedEntity[];
};

export type DifferenceOfAField = {
  /** JSON pointer into the later state; the last step of what was removed counts in the earlier one. */
  readonly path: string;
  /** `move`: */
  readonly operation: 'add' | 'remove' | 'replace' | 'move';
  /** The same for people. */
  readonly words: string;
  /** What people call the field, by the names of the members of lists. */
  readonly field?: string;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly before?: Json;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly after?: Json;
};

export type OperationOfAPatch = {
  /** The operation. */
  readonly op: 'add' | 'remove' | 'replace' | 'move';
  /** JSON pointer to its target. */
  readonly path: string;
  /** JSON pointer to what is moved. */
  readonly from?: string;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly value?: Json;
};

export type ChangedEntityAndItsDifference = {
  /** The kind of configuration: */
  readonly resource: string;
  /** Empty where there is only one. */
  readonly id: string;
  /** What was done to it. */
  readonly operation: 'create' | 'update' | 'delete';
  /** Field by field; null: */
  readonly differences: readonly DifferenceOfAField[] | null;
  /** The same as a JSON Patch (RFC 6902) between the states as they are shown here. */
  readonly patch: readonly OperationOfAPatch[] | null;
};

export type RevisionAndItsDifferences = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** 1, 2, 3 … */
  readonly revision: number;
  /** When. */
  readonly time: string;
  /** Who. */
  readonly actor: string;
  /** The id of the access token that was used. */
  readonly token: number | null;
  /** Where the request came from. */
  readonly address: string | null;
  /** From the header `X-Svc-Reason`. */
  readonly reason: string | null;
  /** The name that a user gave it. */
  readonly name: string | null;
  /** How many entities it has changed. */
  readonly change_count: number;
  /** What it changed. */
  readonly changes: readonly ChangedEntityAndItsDifference[];
};

export type NamedRevision = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** 1, 2, 3 … */
  readonly revision: number;
  /** When. */
  readonly time: string;
  /** Who. */
  readonly actor: string;
  /** The id of the access token that was used. */
  readonly token: number | null;
  /** Where the request came from. */
  readonly address: string | null;
  /** From the header `X-Svc-Reason`. */
  readonly reason: string | null;
  /** The name that a user gave it. */
  readonly name: string | null;
  /** How many entities it has changed. */
  readonly change_count: number;
};

export type RevisionInTheHistoryOfAnEntity = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** 1, 2, 3 … */
  readonly revision: number;
  /** When. */
  readonly time: string;
  /** Who. */
  readonly actor: string;
  /** The id of the access token that was used. */
  readonly token: number | null;
  /** Where the request came from. */
  readonly address: string | null;
  /** From the header `X-Svc-Reason`. */
  readonly reason: string | null;
  /** The name that a user gave it. */
  readonly name: string | null;
  /** How many entities it has changed. */
  readonly change_count: number;
  /** What was done to it. */
  readonly operation: 'create' | 'update' | 'delete';
  /** Field by field; null: */
  readonly differences: readonly DifferenceOfAField[] | null;
  /** The same as a JSON Patch (RFC 6902) between the states as they are shown here. */
  readonly patch: readonly OperationOfAPatch[] | null;
};

export type FieldAndWhoSetIt = {
  /** JSON pointer. */
  readonly path: string;
  /** The same in words. */
  readonly field: string;
  /** The value of the field; secrets as `(secret)`, passwords in addresses as `******`. */
  readonly value: Json;
  /** null: */
  readonly revision: number | null;
  /** When it was set. */
  readonly time: string | null;
  /** Who set it. */
  readonly actor: string | null;
  /** The id of the access token that was used. */
  readonly token: number | null;
  /** Why. */
  readonly reason: string | null;
};

export type MistakeInTheDesiredState = {
  /** The kind of configuration; null: */
  readonly resource: string | null;
  /** The entity; null: */
  readonly id: string | null;
  /** A JSON pointer into the entity, or into the body if no entity is named; for a file, the line. */
  readonly path: string;
  /** What is wrong, in words. */
  readonly message: string;
};

export type Plan = {
  /** Identifies it, to apply it; null: */
  readonly id: string | null;
  /** Until when it can be applied. */
  readonly expires_at: string | null;
  /** The revision of the configuration for which it was made. */
  readonly based_on: number;
  /** What is created, changed and deleted, in order. */
  readonly changes: readonly ChangeOfAnEntity[];
  /** The mistakes in the desired state. */
  readonly errors: readonly MistakeInTheDesiredState[];
  /** Entities that refer to something that changes. */
  readonly affected: readonly {
    /** The kind of configuration: */
    readonly resource: string;
    /** What stands for it in addresses; empty where there is only one. */
    readonly id: string;
  }[];
  /** What is ignored: */
  readonly ignored: readonly {
    /** What it is. */
    readonly what: string;
    /** Why it is ignored. */
    readonly why: string;
  }[];
  /** Parts of a file that are accepted although a plugin does not accept their settings. */
  readonly warnings: readonly {
    /** The line of the file. */
    readonly path: string;
    /** What the plugin says. */
    readonly message: string;
  }[];
};

export type AppliedPlan = {
  /** The id of the plan. */
  readonly id: string;
  /** What is created, changed and deleted, in order. */
  readonly changes: readonly ChangeOfAnEntity[];
};

export type MovedEntity = {
  /** The kind of configuration: */
  readonly resource: string;
  /** What stands for it in addresses; empty where there is only one. */
  readonly id: string;
  /** What happened to it. */
  readonly what: 'created' | 'changed' | 'deleted';
  /** The revision of the change. */
  readonly revision?: number;
  /** Who did it. */
  readonly actor?: string;
  /** When. */
  readonly time?: string;
};

export type WhatIsLeftAsItIsAndWhy = {
  /** The kind of configuration; null: */
  readonly resource: string | null;
  /** The entity; null: */
  readonly id: string | null;
  /** The reason in words. */
  readonly message: string;
  /** The later revision that stands in the way. */
  readonly revision: number | null;
  /** Who made it. */
  readonly actor: string | null;
};

export type Reversal = {
  /** The revision that was asked for. */
  readonly reverted: number;
  /** What was put back. */
  readonly changes: readonly ChangeOfAnEntity[];
  /** What config repos define. */
  readonly left_out: readonly WhatIsLeftAsItIsAndWhy[];
};

export type Version = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The version of the API, by which clients choose. */
  readonly version: string;
  /** The version of Slipway. */
  readonly build_number: string;
  /** The commit it runs from. */
  readonly git_sha: string;
  /** All of them, as people quote it. */
  readonly full_version: string;
  /** Where the commit can be seen. */
  readonly commit_url: string;
};

export type ServerHealthMessage = {
  /** What is wrong. */
  readonly message: string;
  /** More about it. */
  readonly detail: string;
  /** How bad it is. */
  readonly level: 'WARNING' | 'ERROR';
  /** Since when. */
  readonly time: string;
};

export type MaterialOfARun = {
  /** Its name, or where it is. */
  readonly name: string;
  /** Its fingerprint. */
  readonly fingerprint: string;
  /** Its type in words, such as `Git` or `Pipeline`. */
  readonly type: string;
  /** Where it is. */
  readonly description: string;
};

export type ModificationInARun = {
  /** The revision in the repository; of an upstream pipeline, the run of its stage. */
  readonly revision: string;
  /** When it was made, in milliseconds since the beginning of 1970. */
  readonly modified_time: number;
  /** Who made it. */
  readonly user_name: string | null;
  /** Its comment. */
  readonly comment: string | null;
  /** The mail address of its author. */
  readonly email_address: string | null;
};

export type RevisionInARun = {
  /** Whether it is new to the pipeline. */
  readonly changed: boolean;
  /** The material. */
  readonly material: MaterialOfARun;
  /** What is new in it, the newest first; at most 100. */
  readonly modifications: readonly ModificationInARun[];
  /** How the revision compares with that of the run before. */
  readonly since_previous_run?: 'newer' | 'same' | 'older';
};

export type JobInARun = {
  /** The name of the job. */
  readonly name: string;
  /** Its state. */
  readonly state: 'Scheduled' | 'Assigned' | 'Preparing' | 'Building' | 'Completing' | 'Completed';
  /** `Unknown` until it has ended. */
  readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** When it was scheduled, in milliseconds since the beginning of 1970. */
  readonly scheduled_date: number;
  /** When it ended; null: */
  readonly completed_date: number | null;
  /** Its agent; null: */
  readonly agent_uuid: string | null;
  /** How long it usually takes: */
  readonly estimated_duration_ms?: number;
  /** When one that is under way should end, in milliseconds since the beginning of 1970. */
  readonly estimated_end?: number;
};

export type StageInARun = {
  /** The name of the stage. */
  readonly name: string;
  /** Which run of the stage this is; `1` for one that has not been run. */
  readonly counter: string;
  /** Whether it has been run. */
  readonly scheduled: boolean;
  /** Its state. */
  readonly status: 'Unknown' | 'Building' | 'Failing' | 'Passed' | 'Failed' | 'Cancelled';
  /** `Unknown` until it has ended. */
  readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** Whether it starts by itself. */
  readonly approval_type: 'success' | 'manual' | null;
  /** Who started it; `changes` when it started by itself. */
  readonly approved_by: string | null;
  /** The run of the stage some of whose jobs were run again. */
  readonly rerun_of_counter: number | null;
  /** Whether you may operate it. */
  readonly operate_permission: boolean;
  /** Whether you could run it now, or run it again. */
  readonly can_run: boolean;
  /** Whether users can start it only when the stage before it has passed. */
  readonly allow_only_on_success: boolean;
  /** Whether it waits for a user to start it, and could be started now. */
  readonly awaits_approval: boolean;
  /** Whether you could run some of its jobs again now. */
  readonly can_rerun_jobs: boolean;
  /** Whether you could run its failed and cancelled jobs again now. */
  readonly can_rerun_failed_jobs: boolean;
  /** When it was scheduled; null: */
  readonly scheduled_date: number | null;
  /** When it ended; null: */
  readonly completed_date: number | null;
  /** The revision of the configuration that it was made by; null: */
  readonly config_revision: number | null;
  /** Its jobs. */
  readonly jobs: readonly JobInARun[];
  /** The user who cancelled it, or `Slipway` for the server. */
  readonly cancelled_by?: string;
  /** How long it usually takes: */
  readonly estimated_duration_ms?: number;
  /** When one that is under way should end, in milliseconds since the beginning of 1970. */
  readonly estimated_end?: number;
};

export type Run = {
  /** The pipeline. */
  readonly name: string;
  /** Which run of the pipeline this is. */
  readonly counter: number;
  /** Its label. */
  readonly label: string;
  /** Its place among the runs. */
  readonly natural_order: number;
  /** Whether you could trigger the pipeline now. */
  readonly can_run: boolean;
  /** Always false: */
  readonly preparing_to_schedule: boolean;
  /** The comment of a user on it. */
  readonly comment: string | null;
  /** When it was scheduled, in milliseconds since the beginning of 1970. */
  readonly scheduled_date: number;
  /** The revision of the configuration that it was made by. */
  readonly config_revision: number;
  /** What set it off, and what it was made from. */
  readonly build_cause: {
    /** What set it off, in words. */
    readonly trigger_message: string;
    /** Whether a user or a timer asked for it. */
    readonly trigger_forced: boolean;
    /** `changes`, `timer`, or who asked for it. */
    readonly approver: string;
    /** What it was made from. */
    readonly material_revisions: readonly RevisionInARun[];
  };
  /** Its stages, those that have not been run yet, too. */
  readonly stages: readonly StageInARun[];
};

export type JobAndWhatBelongsToIt = {
  /** The name of the job. */
  readonly name: string;
  /** Its state. */
  readonly state: 'Scheduled' | 'Assigned' | 'Preparing' | 'Building' | 'Completing' | 'Completed';
  /** `Unknown` until it has ended. */
  readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** The job whose result this one repeats, because only others were run again. */
  readonly original_job_id: number | null;
  /** When it was scheduled, in milliseconds since the beginning of 1970. */
  readonly scheduled_date: number;
  /** When it ended; null: */
  readonly completed_date: number | null;
  /** How long it waited for an agent, in milliseconds; null: */
  readonly waiting_ms: number | null;
  /** How long an agent had it, in milliseconds; null: */
  readonly duration_ms: number | null;
  /** Whether the server has run it again by itself. */
  readonly rerun: boolean;
  /** Its agent; null: */
  readonly agent_uuid: string | null;
  /** The pipeline. */
  readonly pipeline_name: string;
  /** The counter of the run. */
  readonly pipeline_counter: number;
  /** The stage. */
  readonly stage_name: string;
  /** The counter of the stage run. */
  readonly stage_counter: string;
  /** Its states so far, in order. */
  readonly job_state_transitions: readonly {
    /** The state. */
    readonly state: string;
    /** Since when, in milliseconds since the beginning of 1970. */
    readonly state_change_time: number;
  }[];
  /** The addresses of its console, artifacts and tests, and of jobs with the same name. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The label of the run. */
  readonly pipeline_label: string;
  /** Its agent; null: */
  readonly agent: {
    /** The agent. */
    readonly uuid: string;
    /** The name of its machine; null: */
    readonly hostname: string | null;
  } | null;
  /** The environment that the pipeline is in now; null: */
  readonly environment: string | null;
  /** The revisions of the materials of the run. */
  readonly material_revisions: readonly RevisionInARun[];
  /** Artifacts that the configuration shows as tabs. */
  readonly tabs: readonly {
    /** The title. */
    readonly name: string;
    /** The file as named in the configuration. */
    readonly path: string;
    /** The address of the file; null: */
    readonly url: string | null;
  }[];
  /** How long it usually takes: */
  readonly estimated_duration_ms?: number;
  /** When one that is under way should end, in milliseconds since the beginning of 1970. */
  readonly estimated_end?: number;
};

export type Job = {
  /** The name of the job. */
  readonly name: string;
  /** Its state. */
  readonly state: 'Scheduled' | 'Assigned' | 'Preparing' | 'Building' | 'Completing' | 'Completed';
  /** `Unknown` until it has ended. */
  readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** The job whose result this one repeats, because only others were run again. */
  readonly original_job_id: number | null;
  /** When it was scheduled, in milliseconds since the beginning of 1970. */
  readonly scheduled_date: number;
  /** When it ended; null: */
  readonly completed_date: number | null;
  /** How long it waited for an agent, in milliseconds; null: */
  readonly waiting_ms: number | null;
  /** How long an agent had it, in milliseconds; null: */
  readonly duration_ms: number | null;
  /** Whether the server has run it again by itself. */
  readonly rerun: boolean;
  /** Its agent; null: */
  readonly agent_uuid: string | null;
  /** The pipeline. */
  readonly pipeline_name: string;
  /** The counter of the run. */
  readonly pipeline_counter: number;
  /** The stage. */
  readonly stage_name: string;
  /** The counter of the stage run. */
  readonly stage_counter: string;
  /** Its states so far, in order. */
  readonly job_state_transitions: readonly {
    /** The state. */
    readonly state: string;
    /** Since when, in milliseconds since the beginning of 1970. */
    readonly state_change_time: number;
  }[];
  /** How long it usually takes: */
  readonly estimated_duration_ms?: number;
  /** When one that is under way should end, in milliseconds since the beginning of 1970. */
  readonly estimated_end?: number;
  /** Its agent; null: */
  readonly agent?: {
    /** The agent. */
    readonly uuid: string;
    /** The name of its machine; null: */
    readonly hostname: string | null;
  } | null;
};

export type FiguresOfARun = {
  /** The counter of the run. */
  readonly counter: number;
  /** Its label. */
  readonly label: string;
  /** When it was scheduled, in milliseconds since the beginning of 1970. */
  readonly scheduled_date: number;
  /** The result of all its stages together; `Unknown` while one is under way. */
  readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** How long its stages took together, in milliseconds, without the time between them. */
  readonly duration_ms: number;
  /** How long its stages waited for agents, in milliseconds: */
  readonly waiting_ms: number;
  /** The last run of each stage that has been run. */
  readonly stages: readonly {
    /** The name of the stage. */
    readonly name: string;
    /** `Unknown` until it has ended. */
    readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
    /** How long it took, in milliseconds. */
    readonly duration_ms: number | null;
    /** The longest that a job of a stage waited for an agent, in milliseconds. */
    readonly waiting_ms: number;
  }[];
};

export type WhyAPipelineRuns = {
  /** Whether nothing stops it: */
  readonly will_run: boolean;
  /** Whether a user or a timer has asked for a run that is not scheduled yet. */
  readonly is_requested: boolean;
  /** What stops it, if anything does; `timer` states when a timer runs it. */
  readonly reasons: readonly ({
    /** The rule that stops it. */
    readonly rule: string;
    /** What stops it, and what would make it run. */
    readonly message: string;
  } & { readonly [name: string]: Json | undefined })[];
  /** The last run; null: */
  readonly last_run: {
    /** Its counter. */
    readonly counter: number;
    /** Its label. */
    readonly label: string;
    /** When it was scheduled, in milliseconds since the beginning of 1970. */
    readonly scheduled_date: number;
  } | null;
  /** What it is built from. */
  readonly materials: readonly {
    /** The fingerprint. */
    readonly fingerprint: string;
    /** The type in words, such as `Git` or `Pipeline`. */
    readonly type: string;
    /** Where it is. */
    readonly description: string;
    /** The revision that the last run used; null: */
    readonly last_run_revision: string | null;
    /** The newest that is known; null: */
    readonly latest_revision: string | null;
  }[];
};

export type WhyAJobWaits = {
  /** Whether it runs, or an agent may take it. */
  readonly will_run: boolean;
  /** Its state. */
  readonly state: 'Scheduled' | 'Assigned' | 'Preparing' | 'Building' | 'Completing' | 'Completed';
  /** Its agent; null: */
  readonly agent_uuid: string | null;
  /** What stops it, if anything does. */
  readonly reasons: readonly {
    /** The rule that stops it. */
    readonly rule: string;
    /** What stops it, and what would make it run. */
    readonly message: string;
  }[];
  /** All agents, while it waits for one. */
  readonly agents: readonly {
    /** The agent. */
    readonly uuid: string;
    /** The name of its machine. */
    readonly hostname: string | null;
    /** Whether it may take the job now. */
    readonly may_take: boolean;
    /** By which rule it does not; null: */
    readonly rule: string | null;
    /** The same in words. */
    readonly message: string;
  }[];
};

export type FailedTest = {
  /** The name of the test. */
  readonly name: string;
  /** Its class, suite or package, according to the report; empty: */
  readonly class: string;
  /** How long it took, in seconds. */
  readonly duration: number;
  /** The message of the failure; at most the first 2 kB. */
  readonly message: string | null;
  /** The details of the failure; at most the first 16 kB. */
  readonly trace: string | null;
  /** The counter of the run since which it fails: */
  readonly first_failed_in: number;
  /** Whether it failed in all results that were searched, and there are older ones. */
  readonly may_have_failed_earlier?: true;
};

export type TestsOfAJob = {
  /** Where more failures are (`next`), if there are any. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** How many tests there are. */
  readonly total: number;
  /** How many of them failed. */
  readonly failed: number;
  /** How many were skipped. */
  readonly skipped: number;
  /** How long all of them took together, in seconds. */
  readonly duration: number;
  /** Those that failed, in the order of the reports. */
  readonly failures: readonly FailedTest[];
  /** Files that could not be read completely; at most 100. */
  readonly problems: readonly {
    /** The path among the artifacts of the job. */
    readonly file: string;
    /** What is wrong with it. */
    readonly message: string;
  }[];
  /** Why there are no results, where `allow_empty=true` allows that. */
  readonly message?: string;
};

export type FlakyTest = {
  /** The name of the test. */
  readonly name: string;
  /** Its class, suite or package, according to the report; empty: */
  readonly class: string;
  /** In how many jobs it passed, on revisions on which it also failed. */
  readonly passed: number;
  /** In how many jobs it failed, on revisions on which it also passed. */
  readonly failed: number;
  /** The counter of the last run it failed in. */
  readonly last_failed_in: number;
};

export type SlowTest = {
  /** The name of the test. */
  readonly name: string;
  /** Its class, suite or package, according to the report; empty: */
  readonly class: string;
  /** How long it took, in seconds. */
  readonly duration: number;
  /** The counter of the run. */
  readonly counter: number;
  /** The stage, in lower case. */
  readonly stage: string;
  /** The job, in lower case. */
  readonly job: string;
};

export type TestsOfAPipeline = {
  /** Tests that failed most often come first; at most 100. */
  readonly flaky: readonly FlakyTest[];
  /** Whether there are more failures than were searched, or more flaky tests. */
  readonly is_cut: boolean;
  /** Slowest first; at most 20. */
  readonly slowest: readonly SlowTest[];
};

export type TestInARun = {
  /** The counter of the run. */
  readonly counter: number;
  /** The label of the run. */
  readonly label: string;
  /** The result of the test. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** How long it took, in seconds; if it ran more than once, the longest time. */
  readonly duration: number;
  /** The message of the failure, or why it was skipped. */
  readonly message: string | null;
};

export type HistoryOfATest = {
  /** Where older ones are (`next`), if there are any. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The name of the test. */
  readonly name: string;
  /** Its class, suite or package, according to the report; empty: */
  readonly class: string;
  /** The runs in which it ran. */
  readonly runs: readonly TestInARun[];
};

export type StateOfAJob = {
  /** The state. */
  readonly state: string;
  /** Since when. */
  readonly state_change_time: string;
};

export type JobOfAnAgent = {
  /** The pipeline. */
  readonly pipeline_name: string;
  /** The counter of its run. */
  readonly pipeline_counter: number;
  /** The stage. */
  readonly stage_name: string;
  /** The counter of its run. */
  readonly stage_counter: string;
  /** The job. */
  readonly job_name: string;
  /** How it ended. */
  readonly result: string;
  /** Whether it was run again. */
  readonly rerun: boolean;
  /** Its states, in order. */
  readonly job_state_transitions: readonly StateOfAJob[];
};

export type StageRunToBePurged = {
  /** The name of the pipeline at that time. */
  readonly pipeline: string;
  /** The counter of its run. */
  readonly pipeline_counter: number;
  /** The stage. */
  readonly stage: string;
  /** The counter of the stage run. */
  readonly stage_counter: number;
  /** How many files would be deleted. */
  readonly files: number;
  /** Their size in bytes. */
  readonly bytes: number;
  /** Whether a rule or a lack of disk space is the reason. */
  readonly by: 'rules' | 'space';
  /** The reason in words. */
  readonly reason: string;
};

export type DiskSpaceOfAPurge = {
  /** How many bytes are free, or `free_bytes` of the request; null: */
  readonly free_bytes: number | null;
  /** Artifacts are deleted when less than this is free; null: */
  readonly start_bytes: number | null;
  /** Artifacts are deleted until more than this is free; null: */
  readonly upto_bytes: number | null;
  /** Whether anything would be deleted for lack of space after what the rules delete; null: */
  readonly is_low: boolean | null;
  /** Whether there would be enough space in the end; null: */
  readonly is_enough: boolean | null;
};

export type ArtifactsOfAPipeline = {
  /** The pipeline. */
  readonly pipeline: string;
  /** Whether it still exists. */
  readonly is_configured: boolean;
  /** How many files its artifacts have. */
  readonly files: number;
  /** Their size in bytes. */
  readonly bytes: number;
};

export type AllArtifacts = {
  /** How many pipelines have artifacts. */
  readonly pipelines: number;
  /** How many files they have. */
  readonly files: number;
  /** Their size in bytes. */
  readonly bytes: number;
};

export type LineOfAConsole = {
  /** The number of the line, counted from 0. */
  readonly line: number;
  /** The time of day on the agent, `HH:MM:SS.mmm`; null: */
  readonly time: string | null;
  /** The kind of output: */
  readonly tag: string | null;
  /** The rest of the line. */
  readonly text: string;
  /** Whether the line is longer than 1 MiB, so that only its beginning is shown. */
  readonly is_cut?: true;
};

export type SectionOfAConsole = {
  /** Preparation, a task, what runs when the task is cancelled (inside its section), or publishing of artifacts. */
  readonly kind: 'preparation' | 'task' | 'on_cancel' | 'artifacts';
  /** The number of the line, counted from 0. */
  readonly line: number;
  /** Where the line begins in `console.log`, in bytes. */
  readonly offset: number;
  /** Its first line; for a task, what it runs. */
  readonly text: string;
  /** The time of day on the agent, `HH:MM:SS.mmm`; null: */
  readonly time: string | null;
  /** Its last line; null: */
  readonly end_line: number | null;
  /** The time of its last line. */
  readonly end_time: string | null;
  /** Its result; null: */
  readonly result: 'passed' | 'failed' | 'cancelled' | null;
};

export type SectionsOfAConsole = {
  /** How many lines there are; while the job is active, only complete ones count. */
  readonly lines: number;
  /** How many bytes these lines have. */
  readonly bytes: number;
  /** Whether more may follow. */
  readonly is_active: boolean;
  /** Whether there are more than 10,000 sections, so that only the first ones are shown. */
  readonly is_cut: boolean;
  /** The sections, in the order of their first lines. */
  readonly sections: readonly SectionOfAConsole[];
};

export type MatchInAConsole = {
  /** The number of the line, counted from 0. */
  readonly line: number;
  /** Where the line begins in `console.log`, in bytes. */
  readonly offset: number;
  /** Where the text first occurs in the text of the line, in UTF-16 units. */
  readonly column: number;
  /** The time of day on the agent, `HH:MM:SS.mmm`; null: */
  readonly time: string | null;
  /** The kind of output, as in the lines. */
  readonly tag: string | null;
  /** The line; of a long line, 2,000 characters around the match. */
  readonly text: string;
  /** Whether the line is longer than what is shown. */
  readonly is_cut?: true;
};

export type MatchesInAConsole = {
  /** The lines that match, in order. */
  readonly matches: readonly MatchInAConsole[];
  /** The last line that was searched; null: */
  readonly after: number | null;
  /** Whether all lines have been searched. */
  readonly is_end: boolean;
};

export type AddressOfAnArtifactWithoutALogin = {
  /** The address of the file. */
  readonly url: string;
  /** When it stops working. */
  readonly expires_at: string;
};

export type DashboardRows = {
  /** Stands for this state of what you see: */
  readonly token: string;
  /** Whether this is everything; otherwise it is only what has changed. */
  readonly full: boolean;
  /** What stands in a row, in this order. */
  readonly columns: readonly ('name' | 'place' | 'flags' | 'run' | 'others' | 'pause' | 'exceptions')[];
  /** The bits in the column `flags`. */
  readonly flags: { readonly [name: string]: number };
  /** What the numbers of statuses mean. */
  readonly statuses: readonly ('Unknown' | 'Building' | 'Failing' | 'Passed' | 'Failed' | 'Cancelled')[];
  /** What the numbers of texts mean; 0 is null. */
  readonly texts: readonly (string | null)[];
  /** What the numbers of stages mean: */
  readonly stages: readonly (readonly [string, number, number])[];
  /** The time that all other times count back from: */
  readonly base: number;
  /** Where pipelines are: */
  readonly places: readonly (readonly number[])[];
  /** What runs have in common: */
  readonly patterns: readonly (readonly [number, string])[];
  /** One for each pipeline. */
  readonly rows: readonly (readonly Json[])[];
  /** The names of pipelines that are gone, or that you may not see any more; only with `full` false. */
  readonly removed?: readonly string[];
};

export type ViewOfTheDashboard = {
  /** The name, case-insensitive; no two views of yours have the same. */
  readonly name: string;
  /** `blacklist`: */
  readonly type?: 'blacklist' | 'whitelist';
  /** Names of pipelines. */
  readonly pipelines?: readonly string[];
  /** Only pipelines that build or fail now; empty: */
  readonly state?: readonly ('building' | 'failing')[];
};

export type Notice = {
  /** What kind of thing has changed. */
  readonly event: 'pipeline' | 'stage' | 'job' | 'agent' | 'material' | 'health' | 'maintenance' | 'config';
  /** Its members, as in the table. */
  readonly data: { readonly [name: string]: Json };
};

export type Notices = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The value for `since` in the next request. */
  readonly id: string;
  /** Whether the server does not know what has changed, so that everything must be read again. */
  readonly reload: boolean;
  /** What has changed, oldest first. */
  readonly notices: readonly Notice[];
};

export type AuthorizationConfiguration = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string;
  /** Whether only users whom an administrator has added may log in. */
  readonly allow_only_known_users_to_login?: boolean;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type AuthorizationConfigurationRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The plugin whose settings these are. */
  readonly plugin_id: string;
  /** Whether only users whom an administrator has added may log in. */
  readonly allow_only_known_users_to_login?: boolean;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type AuthorizationConfigurationRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string | null;
  /** Whether only users whom an administrator has added may log in. */
  readonly allow_only_known_users_to_login?: boolean | null;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type ElasticAgentProfile = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The cluster profile it belongs to. */
  readonly cluster_profile_id?: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type ElasticAgentProfileRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The cluster profile it belongs to. */
  readonly cluster_profile_id: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type ElasticAgentProfileRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The cluster profile it belongs to. */
  readonly cluster_profile_id?: string | null;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type Package = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Unique in its repository, case-insensitive. */
  readonly name?: string | null;
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** Whether to poll for new versions. */
  readonly auto_update?: boolean;
  /** The repository it is in. */
  readonly package_repo?: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** The id of the repository. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type PackageRequest = {
  /** Unique in its repository, case-insensitive. */
  readonly name: string | null;
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** Whether to poll for new versions. */
  readonly auto_update?: boolean;
  /** The repository it is in. */
  readonly package_repo: {
    /** The id of the repository. */
    readonly id: string;
    /** Its name. */
    readonly name?: string;
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type PackageRequestAsAMergePatch = {
  /** Unique in its repository, case-insensitive. */
  readonly name?: string | null | null;
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** Whether to poll for new versions. */
  readonly auto_update?: boolean | null;
  /** The repository it is in. */
  readonly package_repo?: {
    /** The id of the repository. */
    readonly id?: string | null;
    /** Its name. */
    readonly name?: string | null;
  } | null;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type SystemAdministrators = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Names of roles. */
  readonly roles?: readonly string[];
  /** Login names. */
  readonly users?: readonly string[];
};

export type SystemAdministratorsRequest = {
  /** Names of roles. */
  readonly roles?: readonly string[];
  /** Login names. */
  readonly users?: readonly string[];
};

export type SystemAdministratorsRequestAsAMergePatch = {
  /** Names of roles. */
  readonly roles?: readonly string[] | null;
  /** Login names. */
  readonly users?: readonly string[] | null;
};

export type Usages = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The pipelines that use it. */
  readonly usages: readonly {
    /** The group of the pipeline. */
    readonly group: string;
    /** Its name. */
    readonly pipeline: string;
  }[];
};

export type Modification = {
  /** Grows with every change in any material. */
  readonly id: number;
  /** Who made the change. */
  readonly user_name: string | null;
  /** The mail address of the author of the change. */
  readonly email_address: string | null;
  /** The revision in the repository, such as a commit id. */
  readonly revision: string;
  /** Milliseconds since 1970 began. */
  readonly modified_time: number;
  /** The commit message. */
  readonly comment: string | null;
};

export type NotificationFilter = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** Name of a pipeline, or [Any Pipeline]. */
  readonly pipeline: string;
  /** Name of a stage, or [Any Stage]. */
  readonly stage: string;
  /** What happened to the stage. */
  readonly event: 'Fails' | 'Passes' | 'Breaks' | 'Fixed' | 'Cancelled' | 'All';
  /** Whether only runs with a commit of yours count. */
  readonly match_commits: boolean;
};

export type PhaseOfABackup = {
  /** The name of the phase. */
  readonly name: 'config' | 'history' | 'database' | 'consoles' | 'verification' | 'copy' | 'script';
  /** When it began. */
  readonly started_at: string;
  /** How long it took, or has taken so far. */
  readonly seconds: number;
  /** How many bytes are done. */
  readonly bytes: number;
  /** How many bytes there are, as far as is known. */
  readonly total_bytes: number;
};

export type ScriptAfterABackup = {
  /** The file that was run. */
  readonly path: string;
  /** Its exit status; null: */
  readonly exit_status: number | null;
  /** What went wrong; null: */
  readonly problem: string | null;
  /** The last 64 KiB of its output. */
  readonly output: string;
};

export type CopyOfABackup = {
  /** `waiting`: */
  readonly status: 'running' | 'completed' | 'waiting' | 'failed';
  /** Where the copy is. */
  readonly address: string;
  /** Its progress, or why it failed. */
  readonly message: string;
};

export type Backup = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly id: number;
  /** When it was requested. */
  readonly time: string;
  /** The folder. */
  readonly path: string;
  /** `ABORTED`: */
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'ERROR' | 'ABORTED';
  /** The last step that was started. */
  readonly progress_status: 'STARTING' | 'CREATING_DIR' | 'BACKUP_VERSION_FILE' | 'BACKUP_CONFIG' | 'BACKUP_CONFIG_REPO' | 'BACKUP_DATABASE' | 'POST_BACKUP_SCRIPT_START' | 'POST_BACKUP_SCRIPT_COMPLETE';
  /** Its progress, or how it ended. */
  readonly message: string;
  /** Who requested it. */
  readonly user: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** `timer` for a scheduled one. */
    readonly login_name: string;
  };
  /** Whether it was scheduled, or a user asked for it. */
  readonly initiated_via: 'TIMER' | 'USER';
  /** null: */
  readonly ended_at: string | null;
  /** The size of the folder in bytes. */
  readonly bytes: number | null;
  /** Whether a trial restore gave what the server had; null: */
  readonly verified: boolean | null;
  /** Why it is not verified. */
  readonly verification: string | null;
  /** While the backup is in progress, the last one is still running. */
  readonly phases: readonly PhaseOfABackup[];
  /** The outcome of the script that ran after it; null: */
  readonly script: ScriptAfterABackup | null;
  /** The state of its copy in the bucket; null: */
  readonly copy: CopyOfABackup | null;
  /** When the folder was removed by the rule for keeping backups. */
  readonly removed_at: string | null;
};

export type RevisionOfARepository = {
  /** The revision in the repository. */
  readonly revision_sha: string;
  /** Who made it. */
  readonly modified_by: string | null;
  /** When it was made. */
  readonly modified_at: string;
  /** Its comment. */
  readonly commit_message: string | null;
};

export type RunAbove = {
  /** The run of the stage above. */
  readonly revision: string;
  /** Which run of the pipeline above. */
  readonly pipeline_counter: string;
  /** Its label. */
  readonly pipeline_label: string;
  /** When the stage passed. */
  readonly completed_at: string;
};

export type ChangesOfAMaterial = {
  /** The material. */
  readonly material: {
    /** Its type, such as `git` or `dependency`. */
    readonly type: string;
    /** Its fingerprint. */
    readonly fingerprint: string;
    /** Its attributes. */
    readonly attributes: {
      /** Its name. */
      readonly name: string | null;
      /** Its type in words. */
      readonly display_type: string;
      /** Its address. */
      readonly description: string;
      /** For a dependency: */
      readonly pipeline?: string;
      /** For a dependency: */
      readonly stage?: string;
    };
  };
  /** How many modifications of it are new, or are taken back. */
  readonly total: number;
  /** How many newer ones are skipped here. */
  readonly offset: number;
  /** Some or all of them, newest first. */
  readonly revision: readonly (RevisionOfARepository | RunAbove)[];
};

export type EnvironmentConfig = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly name?: string;
  /** Pipelines by name. */
  readonly pipelines?: readonly {
    /** Where it is, where it is documented, how others are found. */
    readonly _links: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** The name of the pipeline. */
    readonly name: string;
  }[];
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** Agents that config repos have put into the environment; absent: */
  readonly agents?: readonly AgentOfAnEnvironment[];
};

export type EnvironmentConfigRequest = {
  /** What it is called; others refer to it by this. */
  readonly name: string;
  /** Pipelines by name. */
  readonly pipelines?: readonly {
    /** The name of the pipeline. */
    readonly name: string;
  }[];
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type EnvironmentConfigRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly name?: string | null;
  /** Pipelines by name. */
  readonly pipelines?: readonly {
    /** The name of the pipeline. */
    readonly name: string;
  }[] | null;
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type Role = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly name?: string;
  /** `svc`: */
  readonly type?: string;
  /** What the members may see and administer; the first directive that matches decides. */
  readonly policy?: readonly {
    /** `allow` or `deny`. */
    readonly permission?: string | null;
    /** `view` or `administer`. */
    readonly action?: string | null;
    /** The kind of things, or `*`. */
    readonly type?: string | null;
    /** Their names; `*` and `?` are wildcards. */
    readonly resource?: string | null;
  }[];
  /** `users` of a role that lists its members; `auth_config_id` and `properties` of a plugin role. */
  readonly attributes?: {
    /** Login names of the members. */
    readonly users?: readonly string[];
  } | {
    /** The authorization configuration that decides who is a member: */
    readonly auth_config_id?: string | null;
    /** Settings of the plugin. */
    readonly properties?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
};

export type RoleRequest = {
  /** What it is called; others refer to it by this. */
  readonly name: string;
  /** `svc`: */
  readonly type: string;
  /** What the members may see and administer; the first directive that matches decides. */
  readonly policy?: readonly {
    /** `allow` or `deny`. */
    readonly permission: string | null;
    /** `view` or `administer`. */
    readonly action: string | null;
    /** The kind of things, or `*`. */
    readonly type: string | null;
    /** Their names; `*` and `?` are wildcards. */
    readonly resource: string | null;
  }[];
  /** `users` of a role that lists its members; `auth_config_id` and `properties` of a plugin role. */
  readonly attributes?: {
    /** Login names of the members. */
    readonly users?: readonly string[];
  } | {
    /** The authorization configuration that decides who is a member: */
    readonly auth_config_id: string | null;
    /** Settings of the plugin. */
    readonly properties?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
};

export type RoleRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly name?: string | null;
  /** `svc`: */
  readonly type?: string | null;
  /** What the members may see and administer; the first directive that matches decides. */
  readonly policy?: readonly {
    /** `allow` or `deny`. */
    readonly permission: string | null;
    /** `view` or `administer`. */
    readonly action: string | null;
    /** The kind of things, or `*`. */
    readonly type: string | null;
    /** Their names; `*` and `?` are wildcards. */
    readonly resource: string | null;
  }[] | null;
  /** `users` of a role that lists its members; `auth_config_id` and `properties` of a plugin role. */
  readonly attributes?: {
    /** Login names of the members. */
    readonly users?: readonly string[];
  } | {
    /** The authorization configuration that decides who is a member: */
    readonly auth_config_id: string | null;
    /** Settings of the plugin. */
    readonly properties?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  } | null;
};

export type SecretConfig = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string;
  /** For the reader. */
  readonly description?: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** What may refer to its secrets; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive?: string | null;
    /** `refer`. */
    readonly action?: string | null;
    /** `pipeline_group`, `environment`, `pluggable_scm`, `package_repository`, `cluster_profile` or `*`. */
    readonly type?: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource?: string | null;
  }[];
};

export type SecretConfigRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The plugin whose settings these are. */
  readonly plugin_id: string;
  /** For the reader. */
  readonly description?: string;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
    /** Whether to encrypt the value, even if the plugin does not declare it secret. */
    readonly is_secure?: boolean;
  }[];
  /** What may refer to its secrets; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive: string | null;
    /** `refer`. */
    readonly action: string | null;
    /** `pipeline_group`, `environment`, `pluggable_scm`, `package_repository`, `cluster_profile` or `*`. */
    readonly type: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource: string | null;
  }[];
};

export type SecretConfigRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The plugin whose settings these are. */
  readonly plugin_id?: string | null;
  /** For the reader. */
  readonly description?: string | null;
  /** Settings of the plugin. */
  readonly properties?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
    /** Whether to encrypt the value, even if the plugin does not declare it secret. */
    readonly is_secure?: boolean;
  }[] | null;
  /** What may refer to its secrets; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive: string | null;
    /** `refer`. */
    readonly action: string | null;
    /** `pipeline_group`, `environment`, `pluggable_scm`, `package_repository`, `cluster_profile` or `*`. */
    readonly type: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource: string | null;
  }[] | null;
};

export type User = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The name to log in with. */
  readonly login_name: string;
  /** The name to show. */
  readonly display_name: string;
  /** Whether the user may log in. */
  readonly enabled: boolean;
  /** Mail address; empty: */
  readonly email: string;
  /** Whether to send the mails that the filters of the user ask for. */
  readonly email_me: boolean;
  /** Names under which the user commits, to recognise their changes. */
  readonly checkin_aliases: readonly string[];
  /** Whether the user is an administrator, by name or by role. */
  readonly is_admin: boolean;
  /** The roles of the user. */
  readonly roles: readonly {
    /** The name of the role. */
    readonly name: string;
    /** `svc`: */
    readonly type: string;
  }[];
  /** Whether it is a service account. */
  readonly service_account?: boolean;
};

export type StageRun = {
  /** The name of the stage. */
  readonly name: string;
  /** The counter of the stage run. */
  readonly counter: number;
  /** Whether it starts by itself. */
  readonly approval_type: 'success' | 'manual';
  /** Who started it; `changes` when it started by itself. */
  readonly approved_by: string;
  /** When it was scheduled, in milliseconds since the beginning of 1970. */
  readonly scheduled_at: number;
  /** When anything last happened in it, in milliseconds since the beginning of 1970. */
  readonly last_transitioned_time: number;
  /** `Unknown` until it has ended. */
  readonly result: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** The stage run of which some jobs were run again. */
  readonly rerun_of_counter: number | null;
  /** Whether its jobs get the materials. */
  readonly fetch_materials: boolean;
  /** Whether its jobs begin with an empty directory. */
  readonly clean_working_directory: boolean;
  /** Whether its artifacts have been deleted. */
  readonly artifacts_deleted: boolean;
  /** The pipeline. */
  readonly pipeline_name: string;
  /** The counter of the run. */
  readonly pipeline_counter: number;
  /** The label of the run. */
  readonly pipeline_label: string;
  /** Its state. */
  readonly status: 'Unknown' | 'Building' | 'Failing' | 'Passed' | 'Failed' | 'Cancelled';
  /** When it ended; null: */
  readonly completed_at: number | null;
  /** How long it took, in milliseconds; null: */
  readonly duration_ms: number | null;
  /** The revision of the configuration that it used. */
  readonly config_revision: number;
  /** Whether the stage was not run again in this run of the pipeline. */
  readonly is_latest: boolean;
  /** Its jobs. */
  readonly jobs: readonly Job[];
  /** The user who cancelled it, or `Slipway` for the server. */
  readonly cancelled_by?: string;
  /** How long it usually takes: */
  readonly estimated_duration_ms?: number;
  /** When one that is under way should end, in milliseconds since the beginning of 1970. */
  readonly estimated_end?: number;
};

export type ConfigRepo = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The plugin that reads the files. */
  readonly plugin_id?: string | null;
  /** The repository. */
  readonly material?: {
    readonly type: 'git';
    /** What one of type `git` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
      readonly branch?: string;
    };
  } | {
    readonly type: 'hg';
    /** What one of type `hg` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Branch. */
      readonly branch?: string | null;
    };
  } | {
    readonly type: 'svn';
    /** What one of type `svn` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** Whether changes of externals count. */
      readonly check_externals?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'p4';
    /** What one of type `p4` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** [transport:]host:port */
      readonly port?: string | null;
      /** Whether to log in with a ticket. */
      readonly use_tickets?: boolean;
      /** The view. */
      readonly view?: string | null;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'tfs';
    /** What one of type `tfs` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** Path in the collection. */
      readonly project_path?: string | null;
      /** Domain of the user. */
      readonly domain?: string | null;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
    };
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** What the definitions in the repository may refer to; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive?: string | null;
    /** `refer`. */
    readonly action?: string | null;
    /** `pipeline`, `pipeline_group`, `environment` or `*`. */
    readonly type?: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource?: string | null;
  }[];
};

export type ConfigRepoRequest = {
  /** What it is called; others refer to it by this. */
  readonly id: string;
  /** The plugin that reads the files. */
  readonly plugin_id?: string | null;
  /** The repository. */
  readonly material: {
    readonly type: 'git';
    /** What one of type `git` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
      /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
      readonly branch?: string;
    };
  } | {
    readonly type: 'hg';
    /** What one of type `hg` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
      /** Branch. */
      readonly branch?: string | null;
    };
  } | {
    readonly type: 'svn';
    /** What one of type `svn` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** Whether changes of externals count. */
      readonly check_externals?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'p4';
    /** What one of type `p4` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** [transport:]host:port */
      readonly port: string | null;
      /** Whether to log in with a ticket. */
      readonly use_tickets?: boolean;
      /** The view. */
      readonly view: string | null;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'tfs';
    /** What one of type `tfs` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** Path in the collection. */
      readonly project_path?: string | null;
      /** Domain of the user. */
      readonly domain?: string | null;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
    };
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
    /** Whether to encrypt the value, even if the plugin does not declare it secret. */
    readonly is_secure?: boolean;
  }[];
  /** What the definitions in the repository may refer to; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive: string | null;
    /** `refer`. */
    readonly action: string | null;
    /** `pipeline`, `pipeline_group`, `environment` or `*`. */
    readonly type: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource: string | null;
  }[];
};

export type ConfigRepoRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** The plugin that reads the files. */
  readonly plugin_id?: string | null | null;
  /** The repository. */
  readonly material?: {
    readonly type: 'git';
    /** What one of type `git` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
      /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
      readonly branch?: string;
    };
  } | {
    readonly type: 'hg';
    /** What one of type `hg` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
      /** Branch. */
      readonly branch?: string | null;
    };
  } | {
    readonly type: 'svn';
    /** What one of type `svn` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** Whether changes of externals count. */
      readonly check_externals?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'p4';
    /** What one of type `p4` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** [transport:]host:port */
      readonly port: string | null;
      /** Whether to log in with a ticket. */
      readonly use_tickets?: boolean;
      /** The view. */
      readonly view: string | null;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'tfs';
    /** What one of type `tfs` has. */
    readonly attributes?: {
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url: string;
      /** Path in the collection. */
      readonly project_path?: string | null;
      /** Domain of the user. */
      readonly domain?: string | null;
      /** User name. */
      readonly username?: string | null;
      /** In clear; never returned. */
      readonly password?: string;
      /** As returned earlier for the same field; keeps the stored secret. */
      readonly encrypted_password?: string | null;
    };
  } | null;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
    /** Whether to encrypt the value, even if the plugin does not declare it secret. */
    readonly is_secure?: boolean;
  }[] | null;
  /** What the definitions in the repository may refer to; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive: string | null;
    /** `refer`. */
    readonly action: string | null;
    /** `pipeline`, `pipeline_group`, `environment` or `*`. */
    readonly type: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource: string | null;
  }[] | null;
};

export type SCM = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** Unique, case-insensitive. */
  readonly name?: string | null;
  /** Whether to poll for changes regularly. */
  readonly auto_update?: boolean;
  /** Where it is defined. */
  readonly origin?: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links?: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** `gocd`: */
    readonly type?: 'gocd' | 'config_repo';
    /** The config repo; absent if it is not a config repo. */
    readonly id?: string;
  };
  /** The plugin it belongs to. */
  readonly plugin_metadata?: {
    /** The plugin. */
    readonly id?: string | null;
    /** Its version; for information only. */
    readonly version?: string | null;
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type SCMRequest = {
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** Unique, case-insensitive. */
  readonly name?: string | null;
  /** Whether to poll for changes regularly. */
  readonly auto_update?: boolean;
  /** The plugin it belongs to. */
  readonly plugin_metadata: {
    /** The plugin. */
    readonly id: string | null;
    /** Its version; for information only. */
    readonly version?: string | null;
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
};

export type SCMRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly id?: string | null;
  /** Unique, case-insensitive. */
  readonly name?: string | null | null;
  /** Whether to poll for changes regularly. */
  readonly auto_update?: boolean | null;
  /** The plugin it belongs to. */
  readonly plugin_metadata?: {
    /** The plugin. */
    readonly id?: string | null | null;
    /** Its version; for information only. */
    readonly version?: string | null | null;
  } | null;
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
};

export type PipelinesOfAGroup = {
  /** The name of the group. */
  readonly name: string;
  /** Its pipelines. */
  readonly pipelines: readonly {
    /** Its name. */
    readonly name: string;
  }[];
};

export type Definitions = {
  /** Environments of which it defines something. */
  readonly environments: readonly {
    /** Its name. */
    readonly name: string;
  }[];
  /** Pipelines, by group. */
  readonly groups: readonly PipelinesOfAGroup[];
};

export type ModificationOfAConfigRepo = {
  /** Who made the change. */
  readonly username: string | null;
  /** Their mail address. */
  readonly email_address: string | null;
  /** The revision in the repository, such as a commit id. */
  readonly revision: string;
  /** The commit message. */
  readonly comment: string | null;
  /** When it was made. */
  readonly modified_time: string;
};

export type ConfigRepoWithTheStateOfItsParsing = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly id?: string;
  /** The plugin that reads the files. */
  readonly plugin_id?: string | null;
  /** The repository. */
  readonly material?: {
    readonly type: 'git';
    /** What one of type `git` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
      readonly branch?: string;
    };
  } | {
    readonly type: 'hg';
    /** What one of type `hg` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
      /** Branch. */
      readonly branch?: string | null;
    };
  } | {
    readonly type: 'svn';
    /** What one of type `svn` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** Whether changes of externals count. */
      readonly check_externals?: boolean;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'p4';
    /** What one of type `p4` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** [transport:]host:port */
      readonly port?: string | null;
      /** Whether to log in with a ticket. */
      readonly use_tickets?: boolean;
      /** The view. */
      readonly view?: string | null;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
    };
  } | {
    readonly type: 'tfs';
    /** What one of type `tfs` has. */
    readonly attributes?: {
      /** Always null: */
      readonly name?: null;
      /** Whether to poll for changes regularly. */
      readonly auto_update?: boolean;
      /** Address of the repository. */
      readonly url?: string;
      /** Path in the collection. */
      readonly project_path?: string | null;
      /** Domain of the user. */
      readonly domain?: string | null;
      /** User name. */
      readonly username?: string | null;
      /** The secret, encrypted; can be sent back. */
      readonly encrypted_password?: string | null;
    };
  };
  /** Settings of the plugin. */
  readonly configuration?: readonly {
    /** Name of the setting. */
    readonly key: string;
    /** In clear. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** What the definitions in the repository may refer to; the first rule that matches decides. */
  readonly rules?: readonly {
    /** `allow` or `deny`. */
    readonly directive?: string | null;
    /** `refer`. */
    readonly action?: string | null;
    /** `pipeline`, `pipeline_group`, `environment` or `*`. */
    readonly type?: string | null;
    /** A name; `*` and `?` are wildcards. */
    readonly resource?: string | null;
  }[];
  /** Whether it is being brought up to date. */
  readonly material_update_in_progress: boolean;
  /** Empty when nothing was parsed yet, and nothing went wrong. */
  readonly parse_info: {
    /** The last one that was tried. */
    readonly latest_parsed_modification?: ModificationOfAConfigRepo | null;
    /** The last one that came into force. */
    readonly good_modification?: ModificationOfAConfigRepo | null;
    /** Why the last one did not. */
    readonly error?: string | null;
  };
};

export type NamesOfOneKind = {
  /** What the names stand for. */
  readonly key: 'environment' | 'pipeline_group' | 'pipeline';
  /** The names. */
  readonly value: readonly string[];
};

export type GroupOnTheDashboard = {
  /** The name of the group. */
  readonly name: string;
  /** The names of its pipelines, as far as they are shown. */
  readonly pipelines: readonly string[];
  /** Whether you may change the group. */
  readonly can_administer: boolean;
  /** Whether it has pipelines that you may see, shown or not. */
  readonly defines_pipelines: boolean;
};

export type EnvironmentOnTheDashboard = {
  /** The name of the environment. */
  readonly name: string;
  /** The names of its pipelines, as far as they are shown. */
  readonly pipelines: readonly string[];
  /** Whether you may change the environment. */
  readonly can_administer: boolean;
  /** Whether it has pipelines that you may see, shown or not. */
  readonly defines_pipelines: boolean;
};

export type PreviousRunOfAStage = {
  /** The name of the stage. */
  readonly name: string;
  /** Which run of the stage it was. */
  readonly counter: string;
  /** What became of it. */
  readonly status: 'Unknown' | 'Passed' | 'Failed' | 'Cancelled';
  /** The run of the pipeline it was in. */
  readonly pipeline_counter: number;
  /** What people call that run. */
  readonly pipeline_label: string;
};

export type StageOnTheDashboard = {
  /** The name of the stage. */
  readonly name: string;
  /** Which run of the stage this is; `1` for one that has not been run. */
  readonly counter: string;
  /** Its state; `Unknown`: */
  readonly status: 'Unknown' | 'Building' | 'Failing' | 'Passed' | 'Failed' | 'Cancelled';
  /** Whether it starts by itself. */
  readonly approval_type: 'success' | 'manual';
  /** Who started it; `changes` when it started by itself, null when it has not been run. */
  readonly approved_by: string | null;
  /** When it was scheduled; null when it has not been run. */
  readonly scheduled_at: string | null;
  /** Whether you may run and cancel it. */
  readonly can_operate: boolean;
  /** Whether the previous stage must have passed. */
  readonly allow_only_on_success_of_previous_stage: boolean;
  /** Who cancelled it; only of one that was cancelled. */
  readonly cancelled_by?: string | null;
  /** The last run of the stage that ended before; only of one that is under way. */
  readonly previous_stage?: PreviousRunOfAStage;
};

export type RunOnTheDashboard = {
  /** Its label. */
  readonly label: string;
  /** Which run of the pipeline this is. */
  readonly counter: number;
  /** What set it off, in words. */
  readonly triggered_by: string;
  /** When it was scheduled. */
  readonly scheduled_at: string;
  /** Its stages. */
  readonly _embedded: {
    /** Its stages, those that have not been run yet, too. */
    readonly stages: readonly StageOnTheDashboard[];
  };
};

export type PipelineOnTheDashboard = {
  /** The name of the pipeline. */
  readonly name: string;
  /** When something of this changed last, in milliseconds since the beginning of 1970. */
  readonly last_updated_timestamp: number;
  /** Whether a run holds its lock. */
  readonly locked: boolean;
  /** Whether it is paused, and why. */
  readonly pause_info: {
    /** Whether it is paused. */
    readonly paused: boolean;
    /** Who paused it; null when it is not. */
    readonly paused_by: string | null;
    /** Why; null when it is not. */
    readonly pause_reason: string | null;
    /** When; null when it is not. */
    readonly paused_at: string | null;
  };
  /** Where its stages come from. */
  readonly template_info: {
    /** Whether its stages come from a template. */
    readonly is_using_template: boolean;
    /** The template. */
    readonly template_name: string | null;
  };
  /** Whether you may trigger it. */
  readonly can_operate: boolean;
  /** Whether you may change it. */
  readonly can_administer: boolean;
  /** Whether you may release its lock. */
  readonly can_unlock: boolean;
  /** Whether you may pause it. */
  readonly can_pause: boolean;
  /** Whether a config repo defines it. */
  readonly from_config_repo: boolean;
  /** Its runs. */
  readonly _embedded: {
    /** Those that are under way, and the latest; newest first. */
    readonly instances: readonly RunOnTheDashboard[];
  };
  /** The config repo that defines it. */
  readonly config_repo_id?: string;
  /** Where that repository is. */
  readonly config_repo_material_url?: string;
  /** Where numbers in commit messages lead to. */
  readonly tracking_tool?: {
    /** What finds the number of an issue in a commit message. */
    readonly regex: string;
    /** The address it leads to; `${ID}` stands for the number. */
    readonly link: string;
  };
};

export type CancelTaskRequest = {
  readonly type: 'exec';
  /** What one of type `exec` has. */
  readonly attributes?: {
    /** The program. */
    readonly command?: string | null;
    /** Its arguments, one by one. */
    readonly arguments?: readonly string[];
    /** Instead of `arguments`: */
    readonly args?: string;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** After how many minutes it is stopped and fails; shown only if there is one. */
    readonly timeout?: number;
  };
} | {
  readonly type: 'ant';
  /** What one of type `ant` has. */
  readonly attributes?: {
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'rake';
  /** What one of type `rake` has. */
  readonly attributes?: {
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'nant';
  /** What one of type `nant` has. */
  readonly attributes?: {
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** Where nant is. */
    readonly nant_path?: string | null;
  };
} | {
  readonly type: 'fetch';
  /** What one of type `fetch` has. */
  readonly attributes?: {
    /** `gocd`: */
    readonly artifact_origin?: 'gocd' | 'external';
    /** The pipeline to fetch from; an ancestor as a path such as `a/b`. */
    readonly pipeline?: string | null;
    /** The stage to fetch from. */
    readonly stage?: string | null;
    /** The job to fetch from. */
    readonly job?: string | null;
    /** Whether the source is a file. */
    readonly is_source_a_file?: boolean;
    /** What to fetch. */
    readonly source?: string | null;
    /** Where to put it. */
    readonly destination?: string | null;
    /** The external artifact to fetch. */
    readonly artifact_id?: string | null;
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
} | {
  readonly type: 'script';
  /** What one of type `script` has. */
  readonly attributes?: {
    /** Lines for the shell on the agent. */
    readonly script?: string | null;
    /** The shell. */
    readonly shell?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'pluggable_task';
  /** What one of type `pluggable_task` has. */
  readonly attributes?: {
    /** The plugin that runs the task. */
    readonly plugin_configuration?: {
      /** The plugin. */
      readonly id?: string | null;
      /** Its version. */
      readonly version?: string | null;
    };
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
};

export type TaskRequest = {
  readonly type: 'exec';
  /** What one of type `exec` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** The program. */
    readonly command?: string | null;
    /** Its arguments, one by one. */
    readonly arguments?: readonly string[];
    /** Instead of `arguments`: */
    readonly args?: string;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** After how many minutes it is stopped and fails; shown only if there is one. */
    readonly timeout?: number;
  };
} | {
  readonly type: 'ant';
  /** What one of type `ant` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'rake';
  /** What one of type `rake` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'nant';
  /** What one of type `nant` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** Where nant is. */
    readonly nant_path?: string | null;
  };
} | {
  readonly type: 'fetch';
  /** What one of type `fetch` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** `gocd`: */
    readonly artifact_origin?: 'gocd' | 'external';
    /** The pipeline to fetch from; an ancestor as a path such as `a/b`. */
    readonly pipeline?: string | null;
    /** The stage to fetch from. */
    readonly stage?: string | null;
    /** The job to fetch from. */
    readonly job?: string | null;
    /** Whether the source is a file. */
    readonly is_source_a_file?: boolean;
    /** What to fetch. */
    readonly source?: string | null;
    /** Where to put it. */
    readonly destination?: string | null;
    /** The external artifact to fetch. */
    readonly artifact_id?: string | null;
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
} | {
  readonly type: 'script';
  /** What one of type `script` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Lines for the shell on the agent. */
    readonly script?: string | null;
    /** The shell. */
    readonly shell?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'pluggable_task';
  /** What one of type `pluggable_task` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTaskRequest | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** The plugin that runs the task. */
    readonly plugin_configuration?: {
      /** The plugin. */
      readonly id?: string | null;
      /** Its version. */
      readonly version?: string | null;
    };
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
};

export type JobRequest = {
  /** Unique in the stage, case-insensitive. */
  readonly name?: string | null;
  /** How many agents run it at once; `all`: */
  readonly run_instance_count?: number | string | null;
  /** After how many minutes without console output it is cancelled; null: */
  readonly timeout?: number | string | null;
  /** The elastic agent profile to run it on. */
  readonly elastic_profile_id?: string | null;
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** The resources that an agent needs to run it. */
  readonly resources?: readonly string[];
  /** The tasks of the job, in the order in which they run. */
  readonly tasks?: readonly TaskRequest[];
  /** Artifacts shown as tabs. */
  readonly tabs?: readonly {
    /** Title. */
    readonly name?: string | null;
    /** Artifact to show. */
    readonly path?: string | null;
  }[];
  /** The results to keep. */
  readonly artifacts?: readonly ({
    readonly type: 'build';
    /** What to keep. */
    readonly source?: string | null;
    /** The folder in which to store it. */
    readonly destination?: string | null;
  } | {
    readonly type: 'test';
    /** What to keep. */
    readonly source?: string | null;
    /** The folder in which to store it. */
    readonly destination?: string | null;
  } | {
    readonly type: 'external';
    /** The name of the artifact. */
    readonly artifact_id?: string | null;
    /** The artifact store. */
    readonly store_id?: string | null;
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  })[];
};

export type StageRequest = {
  /** Unique in the pipeline, case-insensitive. */
  readonly name?: string | null;
  /** Whether to check out the materials. */
  readonly fetch_materials?: boolean;
  /** Whether to delete what earlier runs left behind. */
  readonly clean_working_directory?: boolean;
  /** Whether to keep the artifacts even when disk space is low. */
  readonly never_cleanup_artifacts?: boolean;
  /** How the stage is started. */
  readonly approval?: {
    /** `success`: */
    readonly type?: 'success' | 'manual';
    /** Whether the previous stage must have passed. */
    readonly allow_only_on_success?: boolean;
    /** Who may start the stage by hand. */
    readonly authorization?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
  };
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** At least one. */
  readonly jobs?: readonly JobRequest[];
};

export type TemplateRequest = {
  /** What it is called; others refer to it by this. */
  readonly name: string;
  /** In the order in which they run. */
  readonly stages: readonly StageRequest[];
};

export type CancelTask = {
  readonly type: 'exec';
  /** What one of type `exec` has. */
  readonly attributes?: {
    /** The program. */
    readonly command?: string | null;
    /** Its arguments, one by one. */
    readonly arguments?: readonly string[];
    /** Instead of `arguments`: */
    readonly args?: string;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** After how many minutes it is stopped and fails; shown only if there is one. */
    readonly timeout?: number;
  };
} | {
  readonly type: 'ant';
  /** What one of type `ant` has. */
  readonly attributes?: {
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'rake';
  /** What one of type `rake` has. */
  readonly attributes?: {
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'nant';
  /** What one of type `nant` has. */
  readonly attributes?: {
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** Where nant is. */
    readonly nant_path?: string | null;
  };
} | {
  readonly type: 'fetch';
  /** What one of type `fetch` has. */
  readonly attributes?: {
    /** `gocd`: */
    readonly artifact_origin?: 'gocd' | 'external';
    /** The pipeline to fetch from; an ancestor as a path such as `a/b`. */
    readonly pipeline?: string | null;
    /** The stage to fetch from. */
    readonly stage?: string | null;
    /** The job to fetch from. */
    readonly job?: string | null;
    /** Whether the source is a file. */
    readonly is_source_a_file?: boolean;
    /** What to fetch. */
    readonly source?: string | null;
    /** Where to put it. */
    readonly destination?: string | null;
    /** The external artifact to fetch. */
    readonly artifact_id?: string | null;
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
} | {
  readonly type: 'script';
  /** What one of type `script` has. */
  readonly attributes?: {
    /** Lines for the shell on the agent. */
    readonly script?: string | null;
    /** The shell. */
    readonly shell?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'pluggable_task';
  /** What one of type `pluggable_task` has. */
  readonly attributes?: {
    /** The plugin that runs the task. */
    readonly plugin_configuration?: {
      /** The plugin. */
      readonly id?: string | null;
      /** Its version. */
      readonly version?: string | null;
    };
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
};

export type Task = {
  readonly type: 'exec';
  /** What one of type `exec` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** The program. */
    readonly command?: string | null;
    /** Its arguments, one by one. */
    readonly arguments?: readonly string[];
    /** Instead of `arguments`: */
    readonly args?: string;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** After how many minutes it is stopped and fails; shown only if there is one. */
    readonly timeout?: number;
  };
} | {
  readonly type: 'ant';
  /** What one of type `ant` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'rake';
  /** What one of type `rake` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'nant';
  /** What one of type `nant` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Build file. */
    readonly build_file?: string | null;
    /** Targets. */
    readonly target?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
    /** Where nant is. */
    readonly nant_path?: string | null;
  };
} | {
  readonly type: 'fetch';
  /** What one of type `fetch` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** `gocd`: */
    readonly artifact_origin?: 'gocd' | 'external';
    /** The pipeline to fetch from; an ancestor as a path such as `a/b`. */
    readonly pipeline?: string | null;
    /** The stage to fetch from. */
    readonly stage?: string | null;
    /** The job to fetch from. */
    readonly job?: string | null;
    /** Whether the source is a file. */
    readonly is_source_a_file?: boolean;
    /** What to fetch. */
    readonly source?: string | null;
    /** Where to put it. */
    readonly destination?: string | null;
    /** The external artifact to fetch. */
    readonly artifact_id?: string | null;
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
} | {
  readonly type: 'script';
  /** What one of type `script` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** Lines for the shell on the agent. */
    readonly script?: string | null;
    /** The shell. */
    readonly shell?: string | null;
    /** Directory to run in. */
    readonly working_directory?: string | null;
  };
} | {
  readonly type: 'pluggable_task';
  /** What one of type `pluggable_task` has. */
  readonly attributes?: {
    /** The results of the job so far after which it runs; without any: */
    readonly run_if?: readonly ('passed' | 'failed' | 'any')[];
    /** A task to run when the job is cancelled. */
    readonly on_cancel?: CancelTask | null;
    /** Without such a task: */
    readonly nothing_on_cancel?: boolean;
    /** The plugin that runs the task. */
    readonly plugin_configuration?: {
      /** The plugin. */
      readonly id?: string | null;
      /** Its version. */
      readonly version?: string | null;
    };
    /** Settings of the plugin. */
    readonly configuration?: readonly {
      /** Name of the setting. */
      readonly key: string;
      /** In clear. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
  };
};

export type Stage = {
  /** Unique in the pipeline, case-insensitive. */
  readonly name?: string | null;
  /** Whether to check out the materials. */
  readonly fetch_materials?: boolean;
  /** Whether to delete what earlier runs left behind. */
  readonly clean_working_directory?: boolean;
  /** Whether to keep the artifacts even when disk space is low. */
  readonly never_cleanup_artifacts?: boolean;
  /** How the stage is started. */
  readonly approval?: {
    /** `success`: */
    readonly type?: 'success' | 'manual';
    /** Whether the previous stage must have passed. */
    readonly allow_only_on_success?: boolean;
    /** Who may start the stage by hand. */
    readonly authorization?: {
      /** Login names. */
      readonly users?: readonly string[];
      /** Names of roles. */
      readonly roles?: readonly string[];
    };
  };
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** At least one. */
  readonly jobs?: readonly {
    /** Unique in the stage, case-insensitive. */
    readonly name?: string | null;
    /** How many agents run it at once; `all`: */
    readonly run_instance_count?: number | string | null;
    /** After how many minutes without console output it is cancelled; null: */
    readonly timeout?: number | string | null;
    /** The elastic agent profile to run it on. */
    readonly elastic_profile_id?: string | null;
    /** Handed to every task. */
    readonly environment_variables?: readonly {
      /** Name of the variable. */
      readonly name: string;
      /** Whether it is a secret. */
      readonly secure?: boolean;
      /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
      readonly value?: string;
      /** Instead of `value`: */
      readonly encrypted_value?: string;
    }[];
    /** The resources that an agent needs to run it. */
    readonly resources?: readonly string[];
    /** The tasks of the job, in the order in which they run. */
    readonly tasks?: readonly Task[];
    /** Artifacts shown as tabs. */
    readonly tabs?: readonly {
      /** Title. */
      readonly name?: string | null;
      /** Artifact to show. */
      readonly path?: string | null;
    }[];
    /** The results to keep. */
    readonly artifacts?: readonly ({
      readonly type: 'build';
      /** What to keep. */
      readonly source?: string | null;
      /** The folder in which to store it. */
      readonly destination?: string | null;
    } | {
      readonly type: 'test';
      /** What to keep. */
      readonly source?: string | null;
      /** The folder in which to store it. */
      readonly destination?: string | null;
    } | {
      readonly type: 'external';
      /** The name of the artifact. */
      readonly artifact_id?: string | null;
      /** The artifact store. */
      readonly store_id?: string | null;
      /** Settings of the plugin. */
      readonly configuration?: readonly {
        /** Name of the setting. */
        readonly key: string;
        /** In clear. */
        readonly value?: string;
        /** Instead of `value`: */
        readonly encrypted_value?: string;
      }[];
    })[];
  }[];
};

export type Template = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** What it is called; others refer to it by this. */
  readonly name?: string;
  /** In the order in which they run. */
  readonly stages?: readonly Stage[];
};

export type TemplateRequestAsAMergePatch = {
  /** What it is called; others refer to it by this. */
  readonly name?: string | null;
  /** In the order in which they run. */
  readonly stages?: readonly StageRequest[] | null;
};

export type TemplateAndItsUsers = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** The name of the template. */
  readonly name: string;
  /** Whether the caller may change it. */
  readonly can_edit: boolean;
  /** Whether the caller may say who may change it. */
  readonly can_administer: boolean;
  /** The content of the answer. */
  readonly _embedded: {
    /** The pipelines that use it. */
    readonly pipelines: readonly {
      /** The name of the pipeline. */
      readonly name: string;
      /** Whether the caller may change it. */
      readonly can_administer: boolean;
    }[];
  };
};

export type PluginSettingsForm = {
  /** The settings it takes. */
  readonly configurations: readonly {
    /** The name of the setting. */
    readonly key: string;
    /** What is known of it. */
    readonly metadata: {
      /** Whether it must be there. */
      readonly required: boolean;
      /** Whether it is a secret. */
      readonly secure: boolean;
    };
    /** Whether it can be left empty. */
    readonly optional: boolean;
    /** Its name for people. */
    readonly label: string;
    /** How it is filled in. */
    readonly kind: 'text' | 'multiline' | 'number' | 'boolean' | 'choice';
    /** What counts where it is left out; null: */
    readonly default: string | null;
    /** What can be chosen; empty: */
    readonly choices: readonly {
      /** What is sent. */
      readonly value: string;
      /** Its name for people. */
      readonly label: string;
    }[];
    /** What it is for; null: */
    readonly description: string | null;
  }[];
};

export type Plugin = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** By which configuration names it. */
  readonly id: string;
  /** Whether it can be used. */
  readonly status: {
    /** `active`. */
    readonly state: string;
  };
  /** Whether it comes with the server. */
  readonly bundled_plugin: boolean;
  /** What it says of itself. */
  readonly about: {
    /** Its name for people. */
    readonly name: string;
    /** Its version. */
    readonly version: string;
    /** What it is for. */
    readonly description: string;
    /** Who made it. */
    readonly vendor: {
      /** The name. */
      readonly name: string;
      /** The home page. */
      readonly url: string;
    };
  };
  /** The kinds of plugin that it is. */
  readonly extensions: readonly ({
    /** The kind of plugin. */
    readonly type: string;
    /** What it can do, by name. */
    readonly capabilities?: { readonly [name: string]: boolean | string };
  } & { readonly [name: string]: PluginSettingsForm | undefined })[];
};

export type EnvironmentOfAnAgent = {
  /** The name of the environment. */
  readonly name: string;
  /** Who put it into the environment. */
  readonly origin: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links?: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** `gocd`: */
    readonly type?: 'gocd' | 'config_repo';
    /** The config repo; absent if it was not a config repo. */
    readonly id?: string;
  };
};

export type Agent = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** Identifies it in addresses. */
  readonly uuid: string;
  /** Its name. */
  readonly hostname: string;
  /** The address from which it registered. */
  readonly ip_address: string;
  /** Its working directory. */
  readonly sandbox: string;
  /** Its operating system. */
  readonly operating_system: string;
  /** Whether it may get work. */
  readonly agent_config_state: 'Pending' | 'Enabled' | 'Disabled';
  /** `LostContact`: */
  readonly agent_state: 'Idle' | 'Building' | 'LostContact' | 'Missing' | 'Unknown';
  /** The release of the agent. */
  readonly agent_version: string;
  /** The same: */
  readonly agent_bootstrapper_version: string;
  /** It gets only jobs of these environments; without any, only jobs that belong to no environment. */
  readonly environments: readonly EnvironmentOfAnAgent[];
  /** `Cancelled`: */
  readonly build_state: 'Idle' | 'Building' | 'Cancelled' | 'Unknown';
  /** Free space in its working directory, in bytes. */
  readonly free_space: number | 'unknown';
  /** The job it is building, for users who may see the pipeline. */
  readonly build_details?: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** The pipeline. */
    readonly pipeline_name: string;
    /** The stage. */
    readonly stage_name: string;
    /** The job. */
    readonly job_name: string;
  };
  /** The resources that jobs may ask for; absent for elastic agents. */
  readonly resources?: readonly string[];
  /** Only for elastic agents: */
  readonly elastic_agent_id?: string;
  /** Only for elastic agents: */
  readonly elastic_plugin_id?: string;
};

export type Material = {
  readonly type: 'git';
  /** What one of type `git` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url?: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** The secret, encrypted; can be sent back. */
    readonly encrypted_password?: string | null;
    /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
    readonly branch?: string;
    /** Folder of a submodule. */
    readonly submodule_folder?: string | null;
    /** Whether to fetch only as much history as needed. */
    readonly shallow_clone?: boolean;
  };
} | {
  readonly type: 'hg';
  /** What one of type `hg` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url?: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** The secret, encrypted; can be sent back. */
    readonly encrypted_password?: string | null;
    /** Branch. */
    readonly branch?: string | null;
  };
} | {
  readonly type: 'svn';
  /** What one of type `svn` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url?: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** The secret, encrypted; can be sent back. */
    readonly encrypted_password?: string | null;
    /** Whether changes of externals count. */
    readonly check_externals?: boolean;
  };
} | {
  readonly type: 'p4';
  /** What one of type `p4` has. */
  readonly attributes?: {
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** The secret, encrypted; can be sent back. */
    readonly encrypted_password?: string | null;
    /** [transport:]host:port */
    readonly port?: string | null;
    /** Whether to log in with a ticket. */
    readonly use_tickets?: boolean;
    /** The view. */
    readonly view?: string | null;
  };
} | {
  readonly type: 'tfs';
  /** What one of type `tfs` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url?: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** The secret, encrypted; can be sent back. */
    readonly encrypted_password?: string | null;
    /** Domain of the user. */
    readonly domain?: string;
    /** Path in the collection. */
    readonly project_path?: string | null;
  };
} | {
  readonly type: 'dependency';
  /** What one of type `dependency` has. */
  readonly attributes?: {
    /** The upstream pipeline. */
    readonly pipeline?: string | null;
    /** The stage that must have passed. */
    readonly stage?: string | null;
    /** Name of the material. */
    readonly name?: string | null;
    readonly auto_update?: true;
    /** Whether its runs alone do not trigger the pipeline. */
    readonly ignore_for_scheduling?: boolean;
  };
} | {
  readonly type: 'package';
  /** What one of type `package` has. */
  readonly attributes?: {
    /** The id of the package. */
    readonly ref?: string;
  };
} | {
  readonly type: 'plugin';
  /** What one of type `plugin` has. */
  readonly attributes?: {
    /** The id of the SCM. */
    readonly ref?: string;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
  };
};

export type PipelineConfig = {
  /** Where it is, where it is documented, how others are found. */
  readonly _links?: { readonly [name: string]: {
      /** The address. */
      readonly href: string;
    } };
  /** How runs are labelled. */
  readonly label_template?: string;
  /** Whether several runs may be under way at once. */
  readonly lock_behavior?: string;
  /** What it is called; others refer to it by this. */
  readonly name?: string;
  /** The template whose stages it uses. */
  readonly template?: string | null;
  /** The pipeline group it is in. */
  readonly group?: string | null;
  /** Where it is defined. */
  readonly origin?: {
    /** Where it is, where it is documented, how others are found. */
    readonly _links?: { readonly [name: string]: {
        /** The address. */
        readonly href: string;
      } };
    /** `gocd`: */
    readonly type?: 'gocd' | 'config_repo';
    /** The config repo; absent if it is not a config repo. */
    readonly id?: string;
  };
  /** Values for `#{name}` in its texts and its template. */
  readonly parameters?: readonly {
    /** Name. */
    readonly name?: string | null;
    /** Value. */
    readonly value?: string;
  }[];
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** The materials to build from; at least one. */
  readonly materials?: readonly Material[];
  /** In the order in which they run. */
  readonly stages?: readonly Stage[] | null;
  /** The issue tracker to which numbers in commit messages link. */
  readonly tracking_tool?: {
    /** The only type there is. */
    readonly type?: 'generic';
    /** Where, and how. */
    readonly attributes?: {
      /** The address; `${ID}` stands for the number. */
      readonly url_pattern: string;
      /** The pattern that finds the number in a message. */
      readonly regex: string;
    };
  };
  /** When it is triggered by a timer. */
  readonly timer?: {
    /** Quartz cron expression. */
    readonly spec?: string;
    /** Whether it also needs new changes. */
    readonly only_on_changes?: boolean;
  };
};

export type MaterialRequest = {
  readonly type: 'git';
  /** What one of type `git` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** In clear; never returned. */
    readonly password?: string;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_password?: string | null;
    /** Branch, or a refspec such as `refs/pull/7/head:pr-7`. */
    readonly branch?: string;
    /** Folder of a submodule. */
    readonly submodule_folder?: string | null;
    /** Whether to fetch only as much history as needed. */
    readonly shallow_clone?: boolean;
  };
} | {
  readonly type: 'hg';
  /** What one of type `hg` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** In clear; never returned. */
    readonly password?: string;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_password?: string | null;
    /** Branch. */
    readonly branch?: string | null;
  };
} | {
  readonly type: 'svn';
  /** What one of type `svn` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** In clear; never returned. */
    readonly password?: string;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_password?: string | null;
    /** Whether changes of externals count. */
    readonly check_externals?: boolean;
  };
} | {
  readonly type: 'p4';
  /** What one of type `p4` has. */
  readonly attributes?: {
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** In clear; never returned. */
    readonly password?: string;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_password?: string | null;
    /** [transport:]host:port */
    readonly port: string | null;
    /** Whether to log in with a ticket. */
    readonly use_tickets?: boolean;
    /** The view. */
    readonly view: string | null;
  };
} | {
  readonly type: 'tfs';
  /** What one of type `tfs` has. */
  readonly attributes?: {
    /** Address of the repository. */
    readonly url: string;
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
    /** Name of the material. */
    readonly name?: string | null;
    /** Whether to poll for changes regularly. */
    readonly auto_update?: boolean;
    /** User name. */
    readonly username?: string | null;
    /** In clear; never returned. */
    readonly password?: string;
    /** As returned earlier for the same field; keeps the stored secret. */
    readonly encrypted_password?: string | null;
    /** Domain of the user. */
    readonly domain?: string;
    /** Path in the collection. */
    readonly project_path?: string | null;
  };
} | {
  readonly type: 'dependency';
  /** What one of type `dependency` has. */
  readonly attributes?: {
    /** The upstream pipeline. */
    readonly pipeline?: string | null;
    /** The stage that must have passed. */
    readonly stage?: string | null;
    /** Name of the material. */
    readonly name?: string | null;
    readonly auto_update?: true;
    /** Whether its runs alone do not trigger the pipeline. */
    readonly ignore_for_scheduling?: boolean;
  };
} | {
  readonly type: 'package';
  /** What one of type `package` has. */
  readonly attributes?: {
    /** The id of the package. */
    readonly ref?: string;
  };
} | {
  readonly type: 'plugin';
  /** What one of type `plugin` has. */
  readonly attributes?: {
    /** The id of the SCM. */
    readonly ref?: string;
    /** Files whose changes alone do not trigger the pipeline. */
    readonly filter?: {
      /** Patterns of file names, such as `docs/** /*`. */
      readonly ignore?: readonly string[];
    };
    /** Directory for the checkout, inside that of the pipeline. */
    readonly destination?: string | null;
    /** Whether the filter names the files that trigger the pipeline, instead of those that do not. */
    readonly invert_filter?: boolean;
  };
};

export type PipelineConfigRequest = {
  /** How runs are labelled. */
  readonly label_template?: string;
  /** Whether several runs may be under way at once. */
  readonly lock_behavior?: string;
  /** What it is called; others refer to it by this. */
  readonly name: string;
  /** The template whose stages it uses. */
  readonly template?: string | null;
  /** The pipeline group it is in. */
  readonly group?: string | null;
  /** Values for `#{name}` in its texts and its template. */
  readonly parameters?: readonly {
    /** Name. */
    readonly name?: string | null;
    /** Value. */
    readonly value?: string;
  }[];
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[];
  /** The materials to build from; at least one. */
  readonly materials: readonly MaterialRequest[];
  /** In the order in which they run. */
  readonly stages?: readonly StageRequest[] | null;
  /** The issue tracker to which numbers in commit messages link. */
  readonly tracking_tool?: {
    /** The only type there is. */
    readonly type?: 'generic';
    /** Where, and how. */
    readonly attributes?: {
      /** The address; `${ID}` stands for the number. */
      readonly url_pattern: string;
      /** The pattern that finds the number in a message. */
      readonly regex: string;
    };
  };
  /** When it is triggered by a timer. */
  readonly timer?: {
    /** Quartz cron expression. */
    readonly spec?: string;
    /** Whether it also needs new changes. */
    readonly only_on_changes?: boolean;
  };
};

export type PipelineConfigRequestAsAMergePatch = {
  /** How runs are labelled. */
  readonly label_template?: string | null;
  /** Whether several runs may be under way at once. */
  readonly lock_behavior?: string | null;
  /** What it is called; others refer to it by this. */
  readonly name?: string | null;
  /** The template whose stages it uses. */
  readonly template?: string | null | null;
  /** The pipeline group it is in. */
  readonly group?: string | null | null;
  /** Values for `#{name}` in its texts and its template. */
  readonly parameters?: readonly {
    /** Name. */
    readonly name?: string | null;
    /** Value. */
    readonly value?: string;
  }[] | null;
  /** Handed to every task. */
  readonly environment_variables?: readonly {
    /** Name of the variable. */
    readonly name: string;
    /** Whether it is a secret. */
    readonly secure?: boolean;
    /** The value in plain text; that of a secure variable is returned as `encrypted_value`. */
    readonly value?: string;
    /** Instead of `value`: */
    readonly encrypted_value?: string;
  }[] | null;
  /** The materials to build from; at least one. */
  readonly materials?: readonly MaterialRequest[] | null;
  /** In the order in which they run. */
  readonly stages?: readonly StageRequest[] | null | null;
  /** The issue tracker to which numbers in commit messages link. */
  readonly tracking_tool?: {
    /** The only type there is. */
    readonly type?: 'generic' | null;
    /** Where, and how. */
    readonly attributes?: {
      /** The address; `${ID}` stands for the number. */
      readonly url_pattern?: string | null;
      /** The pattern that finds the number in a message. */
      readonly regex?: string | null;
    } | null;
  } | null;
  /** When it is triggered by a timer. */
  readonly timer?: {
    /** Quartz cron expression. */
    readonly spec?: string | null;
    /** Whether it also needs new changes. */
    readonly only_on_changes?: boolean | null;
  } | null;
};
