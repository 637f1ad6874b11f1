// A place in the list of pipelines, which is in the order of creation: it stays where it is when the pipeline there is deleted.
export interface ListCursor {
  /** When the group was created, and when the pipeline: the places of both in the order of all that was ever created. */
  readonly group: number;
  readonly pipeline: number;
}

/** No name has a colon. */
const WRITTEN = /^(\d{1,15}):(\d{1,15})$/;

export function writeCursor({ group, pipeline }: ListCursor): string {
  return `${group}:${pipeline}`;
}

/** Undefined: it is not a place, but perhaps the name of a pipeline. */
export function readCursor(text: string): ListCursor | undefined {
  const match = WRITTEN.exec(text);
  return match ? { group: Number(match[1]), pipeline: Number(match[2]) } : undefined;
}
