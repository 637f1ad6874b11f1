// The interface of plugins that read definitions from files of a repository. It is pure: the result for a file depends on its bytes alone.
import type { Plugin, SettingValues } from './plugin.ts';

/** In bytes: larger ones are not read. */
export const MAX_SOURCE_FILE_BYTES = 2 * 1024 * 1024;

/** A file to read, and its type */
export interface ChosenFile {
  /** From the root of the checkout, with `/` between its parts. */
  readonly path: string;
  readonly as: string;
}

/** Something in a file that its author can correct. */
export interface FileProblem {
  /** Empty when no single file is to blame. */
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** `pipeline 'web'`; undefined when it is about the file as a whole. */
  readonly entity: string | undefined;
  /** The chain of names by which problems are grouped for people: `a.gocd.yaml; Pipeline web; Stage (build)`. */
  readonly location: string;
  readonly message: string;
  /** How to correct it. */
  readonly hint: string | undefined;
}

/** JSON as the API takes it. */
export interface Body {
  readonly [member: string]: BodyValue;
}
type BodyValue = null | boolean | number | string | readonly BodyValue[] | Body;

interface DefinedEntity {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Line and column of each value of the body, in the order in which the body is written; read by `locate`. */
  readonly positions: Uint32Array;
}

export interface DefinedPipeline extends DefinedEntity {
  readonly group: string;
  /**
   * A body of the pipelines resource, group included. Two materials are left for the server, which alone knows what they stand for:
   * `{type: 'configrepo', attributes: {name, destination, filter, invert_filter}}` is the material of the repository itself, and
   * `{type: 'plugin', attributes: {scm: {name, plugin_metadata, configuration}, …}}` declares an SCM instead of naming one by `ref`.
   */
  readonly body: Body;
  /** Sorts the pipelines of a group, ascending. */
  readonly displayOrder: number;
  /** The version that the files agree on decides about a job without tasks: `join` gives it a task where it has to. */
  readonly hasIdleJobs?: boolean;
}

export interface DefinedEnvironment extends DefinedEntity {
  /** A body of the environments resource. */
  readonly body: Body;
  /** Uuids. */
  readonly agents: readonly string[];
}

/** The definitions of one file; plain data, so that they can be kept, and sent between threads. */
export interface ParsedFile {
  readonly path: string;
  /** Undefined: it is not known in which version of the format the file is written, and it goes along with the others. */
  readonly version: number | undefined;
  readonly pipelines: readonly DefinedPipeline[];
  readonly environments: readonly DefinedEnvironment[];
  /** With any of these the definitions must not be used. */
  readonly problems: readonly FileProblem[];
  /** The parts of the file that have no effect. */
  readonly warnings: readonly FileProblem[];
}

export type Definitions = Pick<ParsedFile, 'pipelines' | 'environments' | 'problems' | 'warnings'>;

export interface ExportedFile {
  readonly name: string;
  readonly contentType: string;
  readonly text: string;
}

export interface ExportOptions {
  /** Of a pipeline; absent: it has none. */
  readonly displayOrder?: number | undefined;
  /** Whether a pipeline of the same archive has a job without tasks: all its files have to declare a version that allows that. */
  readonly isBesideIdleJobs?: boolean;
}

export interface ConfigRepoPlugin extends Plugin {
  readonly kind: 'configrepo';
  /** By the key of the setting that replaces it. */
  readonly defaultPatterns: Readonly<Record<string, string>>;
  /** Which files of a checkout to read, sorted by path. The settings of the repository win over those of the plugin. */
  choose(paths: Iterable<string>, configuration: SettingValues, pluginSettings: SettingValues): readonly ChosenFile[];
  /** Which of the files of a preflight to read: by their names alone, without the settings of a repository. */
  chooseSent(
    names: readonly string[],
    pluginSettings: SettingValues,
  ): { readonly files: readonly ChosenFile[]; readonly problems: readonly FileProblem[] };
  /**
   * The output of a program outside of the server for a file, which is parsed instead of the file. Absent: there is no such program.
   * Rejects in words for the author of the file. The signal ends it.
   */
  translate?(file: ChosenFile, bytes: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Puts all files of a repository together; costs next to nothing. Files affect each other only by the versions they declare. */
  join(files: readonly ParsedFile[]): Definitions;
  /** `pipeline` is in the form of documents (`writeSealed`), group included, and declares the SCMs of config repos as files do. Absent: the plugin cannot write. */
  exportPipeline?(pipeline: Body, options?: ExportOptions): ExportedFile | Promise<ExportedFile>;
  /** `environment` is in the same form, with `agents` by uuid. Absent: the plugin cannot write environments. */
  exportEnvironment?(environment: Body, options?: ExportOptions): ExportedFile | Promise<ExportedFile>;
}

/** Reads the files of a plugin. It can take long for a large file, so that a thread of its own does it, and the server never loads it. */
export interface FileParser {
  readonly id: string;
  parse(file: ChosenFile, bytes: Uint8Array): ParsedFile;
}

/** The interface of a format that comes with the server: it exports everything, and synchronously. */
export interface FileFormat extends Omit<ConfigRepoPlugin, keyof Plugin> {
  exportPipeline(pipeline: Body, options?: ExportOptions): ExportedFile;
  exportEnvironment(environment: Body, options?: ExportOptions): ExportedFile;
}
