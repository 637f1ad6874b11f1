// The messages between server and agents, version 1. `docs/agent-protocol.md` explains them to authors of agents.
import type { Work } from './work.ts';

/** The versions an agent can speak with this server: this one, and the one before once there is one. */
export const PROTOCOL_VERSION = 1;
export const SUPPORTED_VERSIONS: readonly number[] = [PROTOCOL_VERSION];

export const REGISTRATION_PATH = '/agent/v1/registration';
export const POLL_PATH = '/agent/v1/poll';
/** `:job` is the id in the work. */
export const REPORTS_PATH = '/agent/v1/jobs/:job/reports';
export const CONSOLE_PATH = '/agent/v1/jobs/:job/console';
export const ARTIFACT_FILE_PATH = '/agent/v1/jobs/:job/artifacts/file';
export const ARTIFACT_ARCHIVE_PATH = '/agent/v1/jobs/:job/artifacts/archive';
export const ARTIFACT_PUBLICATION_PATH = '/agent/v1/jobs/:job/artifacts/publication';
/** `:fetch` is the id in the fetch task. */
export const FETCHED_LIST_PATH = '/agent/v1/jobs/:job/fetches/:fetch/files';
export const FETCHED_FILE_PATH = '/agent/v1/jobs/:job/fetches/:fetch/file';
export const FETCHED_ARCHIVE_PATH = '/agent/v1/jobs/:job/fetches/:fetch/archive';

/**
 * The folder of the files `<plugin id>.json` of a job: the metadata of the external artifacts that a plugin published, by their ids. They
 * come as a publication of type `metadata`; a task that fetches an external artifact fetches this folder.
 */
export const METADATA_FOLDER = 'pluggable-artifact-metadata';

/** How long the server holds a poll open when there is nothing to say. */
export const MAX_POLL_SECONDS = 30;
/** An agent without contact for so long has lost contact, and its job is given to another one. */
export const LOST_CONTACT_SECONDS = 300;
/** The most bytes of one piece of console output. */
export const MAX_CONSOLE_CHUNK = 1024 * 1024;
/** The most files of one archive, of one publication, and of one page of a list. */
export const MAX_ARTIFACTS_AT_ONCE = 10_000;
/** Files up to this size can come in an archive. */
export const MAX_ARCHIVED_BYTES = 1024 * 1024;

/** `POST` without a token the first time, and with it at each start of the agent. */
export interface Registration {
  readonly protocol: number;
  readonly uuid: string;
  /** Made anew by each process: it distinguishes two agents with one uuid. */
  readonly instance: string;
  readonly hostname: string;
  /** Its working directory. */
  readonly sandbox: string;
  readonly operating_system: string;
  readonly version: string;
  /** Bytes; null: not known. */
  readonly free_space: number | null;
  /** The auto-register key; without it the agent waits to be enabled. */
  readonly key?: string;
  readonly resources?: readonly string[];
  readonly environments?: readonly string[];
  readonly elastic_agent_id?: string;
  readonly elastic_plugin_id?: string;
}

export const AGENT_CONFIG_STATES = ['Pending', 'Enabled', 'Disabled'] as const;
export type AgentConfigState = (typeof AGENT_CONFIG_STATES)[number];

/** 201: may work, or could when enabled again; 202: an administrator has to enable it first. */
export interface RegistrationAnswer {
  /** Only the first time; from then on the agent says it as bearer token. */
  readonly token?: string;
  readonly state: AgentConfigState;
  /** In words, why the agent has to wait. */
  readonly message?: string;
}

/** `POST`, held open until there is something to say. Each is a heartbeat, too. */
export interface Poll {
  readonly instance: string;
  /** The jobs it works on, with the epoch of each; none: it can take work. */
  readonly jobs: readonly JobClaim[];
  readonly free_space: number | null;
  /** The last state that the server sent it; another one is news. */
  readonly state: AgentConfigState;
}

export interface JobClaim {
  readonly job: number;
  readonly epoch: number;
  /** It knows that the job is cancelled, and is ending it. */
  readonly is_cancelling: boolean;
}

/** The answer to a poll: the command that the agent follows next; its `order` is a word of the protocol. `none`: ask again. */
export type Order =
  | { readonly order: 'none' }
  | { readonly order: 'state'; readonly state: AgentConfigState }
  | { readonly order: 'work'; readonly work: Work }
  /** Run `on_cancel` and end the processes. */
  | { readonly order: 'cancel'; readonly job: number }
  /** End all processes of the job at once, also those of `on_cancel`. */
  | { readonly order: 'kill'; readonly job: number }
  /** The job is not the agent's any more: end it, and send nothing more about it. */
  | { readonly order: 'drop'; readonly job: number };

export type ReportedState = 'Preparing' | 'Building' | 'Completing' | 'Completed';
export type ReportedResult = 'Passed' | 'Failed' | 'Cancelled';

/** `POST`. Sent again it counts once; 409: the job is not the agent's any more. */
export interface Report {
  readonly instance: string;
  readonly epoch: number;
  /** 1, 2, 3 … for each job. */
  readonly number: number;
  readonly state: ReportedState;
  /** With `Completing` and `Completed`. */
  readonly result?: ReportedResult;
}

/**
 * The answer to `PUT …/console?epoch=E&offset=N`, whose body is the bytes from that offset on. Bytes that are there already are left out;
 * 409 when there is a gap. Either way it says how many there are.
 */
export interface ConsoleAnswer {
  readonly length: number;
}

/**
 * The answer to `PUT …/artifacts/file?epoch=E&path=P&offset=N`, whose body is the bytes of a file from that offset on. 409 when there are
 * not as many; either way it says how many there are, and after a cut the agent goes on there. `offset=0` begins anew. With the header
 * `X-Svc-Artifact-Size` the agent says how large the file will be: 413 when the disk has no room for it.
 */
export interface ArtifactAnswer {
  readonly length: number;
}

/**
 * `PUT …/artifacts/archive?epoch=E` takes many small files as a tar stream, each as if it had come alone. The answer says how many;
 * after a cut the archive is sent again.
 */
export interface ArchiveAnswer {
  readonly files: number;
}

export interface ArtifactFile {
  /** Below the folder of the job, with slashes. */
  readonly path: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  readonly md5: string;
}

/** `POST …/artifacts/publication`: files that were sent are seen from now on, all or none of them. Said again it counts once. */
export interface Publication {
  readonly instance: string;
  readonly epoch: number;
  /** `test`: XML files among them are read as reports of tests. */
  readonly type: 'build' | 'test' | 'metadata';
  readonly files: readonly ArtifactFile[];
  /** Empty ones. */
  readonly folders: readonly string[];
}

/** Files of the publication that did not come, or not as it says. When there are any, nothing is published: they are to be sent again. */
export interface PublicationAnswer {
  readonly missing: readonly string[];
}

/** The answer to `GET …/fetches/:fetch/files?epoch=E&after=PATH`: the files and folders of a fetch task, in the order of the paths. */
export interface FetchedList {
  /** Their paths are below the folder that is fetched; of a single file, its name. */
  readonly files: readonly ArtifactFile[];
  readonly folders: readonly string[];
  /** There are more after the last of them. */
  readonly has_more: boolean;
}

/** `POST …/fetches/:fetch/archive`: these files as a tar stream. Single ones come by `GET …/fetches/:fetch/file?epoch=E&path=P`, with ranges. */
export interface FetchedArchive {
  readonly epoch: number;
  readonly paths: readonly string[];
}
