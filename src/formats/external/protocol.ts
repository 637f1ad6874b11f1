// The protocol between the server and an external plugin: one request on standard input, one answer on standard output, both JSON.

/** Grows when a plugin written for an older one could misunderstand. */
export const PROTOCOL = 1;

/** As much as of a file of the bundled formats. */
export const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** The id, in the parser threads, of the parser for answers of external plugins. */
export const ANSWERS = 'slipway.foreign-answers';

export interface ParseRequest {
  readonly protocol: typeof PROTOCOL;
  readonly call: 'parse';
  readonly file: { readonly path: string; readonly content: string };
  readonly settings: Readonly<Record<string, string>>;
}

export interface ExportRequest {
  readonly protocol: typeof PROTOCOL;
  readonly call: 'export';
  /** In the words of the JSON format. */
  readonly pipeline: object;
}
