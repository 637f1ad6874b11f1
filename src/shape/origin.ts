// Where an entity of a config repo is defined, and the values of its file that no field of the entity shows.

export interface RemoteOrigin {
  /** The id of the config repo. */
  readonly repo: string;
  /** From the root of the repository. */
  readonly file: string;
  /** The position of a pipeline among those of its group; absent: as -1. */
  readonly order?: number;
  /** The names that a pipeline gives the SCMs and packages that it uses, by id. */
  readonly scms?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, string>>;
  /** The other names of an SCM, in pipelines that declare the same one. */
  readonly alsoCalled?: readonly string[];
}
