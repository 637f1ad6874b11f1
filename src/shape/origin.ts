// Where an entity of a config repo is defined, and the values of its file that no field of the entity shows.

export interface RemoteOrigin {
  /** The id of the config repo. */
  readonly repo: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Of a pipeline: where it is shown among those of its group; absent: as those that say -1. */
  readonly order?: number;
  /** Of a pipeline: its own names of the SCMs and packages that it uses, by id. */
  readonly scms?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, string>>;
  /** Of an SCM: its other names, in pipelines that declare the same one. */
  readonly alsoCalled?: readonly string[];
}
