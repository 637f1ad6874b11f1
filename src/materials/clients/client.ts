// The interface of a client of one kind of repository, and its results. Clients know neither the database nor the configuration.
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { NetworkPolicy } from '../../kit/network/reach.ts';

/** The attributes of a material with its secrets in clear. Those that only some types of repositories have are of no known type here. */
export interface ClearAttributes {
  readonly url?: string;
  readonly username?: string | null;
  readonly password?: string | null;
  /** Of an SCM of a plugin. */
  readonly settings?: SettingValues;
  /** Of a package: the settings of its repository, and its own. */
  readonly repository?: SettingValues;
  readonly package?: SettingValues;
  readonly [attribute: string]: unknown;
}

/** A material with its secrets in clear, ready to be asked. Never logged. */
export interface PolledMaterial extends ClearAttributes {
  readonly type: string;
  readonly fingerprint: string;
}

export interface NewModification {
  readonly revision: string;
  readonly userName: string | null;
  readonly email: string | null;
  readonly comment: string | null;
  readonly modifiedTime: Date;
  readonly files: readonly ModifiedFile[];
  readonly additionalData?: string;
}

export type FileAction = 'added' | 'modified' | 'deleted' | 'unknown';

export interface ModifiedFile {
  readonly name: string;
  readonly action: FileAction;
}

/** The newest revision that is known already. */
export interface KnownRevision {
  readonly revision: string;
  /** The data that the client asked to be kept. */
  readonly data?: string;
}

/** The settings of the administrator for all repositories. */
export interface MaterialRules {
  /** A directory into which no address may lead. */
  readonly closedTo?: string;
  /** Folders of this machine: an address that is written as one in them must not lead out of them. */
  readonly localFolders: readonly string[];
  /** Where on the network they may be. */
  readonly networkPolicy: NetworkPolicy;
  readonly tls?: TlsRules;
}

/** Rules for the certificates of servers. */
export interface TlsRules {
  /** All authorities to be trusted, as PEM; absent: those of the machine. */
  readonly caFile?: string;
  /** `host` or `host:port` of those whose certificates are not checked. */
  readonly uncheckedHosts?: readonly string[];
}

export interface PollContext extends MaterialRules {
  /** A directory that belongs to this material alone; it may be missing, empty or hold files of an earlier poll. */
  readonly directory: string;
  /** The author of the address must not reach every path of this machine: only `localFolders` are open to it. */
  readonly isLimitedToFolders?: boolean;
  readonly signal: AbortSignal;
  onActivity(): void;
  readonly limits: Limits;
}

export interface Limits {
  /** Time limit of one program. */
  readonly timeoutMs: number;
  /** Time limit for a sign of the remote server: an answer, output, or a file that grows. Absent: only `timeoutMs` counts. */
  readonly responseTimeoutMs?: number;
  /** Maximum size of the files that are left on the disk. */
  readonly maxBytes: number;
}

/** The location of an external of a material. */
export interface ExternalLocation {
  readonly url: string;
  /** The root of the repository that names it: credentials are for the server of that one. */
  readonly rootUrl: string;
}

export interface MaterialClient<M extends PolledMaterial> {
  /** Oldest first, in batches so that a huge history does not fill the memory; nothing new: no batch. Without `known`: only the newest. */
  poll(material: M, known: KnownRevision | undefined, context: PollContext): AsyncIterable<readonly NewModification[]>;
  /** The locations of its externals. Only asked for when a revision is new, or they are not known. */
  findExternals?(material: M, context: PollContext): Promise<readonly ExternalLocation[]>;
  /** The material of an external, which may have been found long ago; it follows from its owner. */
  external?(owner: M, location: ExternalLocation): PolledMaterial;
  /** Throws the problem in words for an administrator, without secrets. */
  checkConnection(material: M, context: PollContext): Promise<void>;
  /** Brings the files of a revision into a directory, which is empty, missing or holds an earlier checkout of the same material. */
  checkOut?(material: M, revision: string, into: string, context: PollContext): Promise<void>;
}

/** Something is wrong with the repository or its configuration; the message is for an administrator. */
export class MaterialProblem extends Error {}
