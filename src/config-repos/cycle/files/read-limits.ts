// The limits of reading the files of one revision of a config repo.
export interface ReadLimits {
  /** Time limit of reading all files. */
  readonly readMs: number;
  /** Time limit of one program that reading starts. */
  readonly programMs: number;
  /** Maximum number of bytes that reading may leave on the disk. */
  readonly maxBytes: number;
}
