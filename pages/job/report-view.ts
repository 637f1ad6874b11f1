// Which address a report is shown at: one that needs no login, because the frame has no rights, and that ends after an hour.

/** The answer of the server for the view of a file. */
export interface ArtifactView {
  readonly url: string;
}

export interface ReadView extends ArtifactView {
  /** In milliseconds since 1970, by the clock of the browser. */
  readonly readAt: number;
}

/** Addresses work for 55 minutes at least. */
const RENEWED_AFTER_MS = 50 * 60_000;

export function isDue({ readAt }: Pick<ReadView, 'readAt'>, now: number): boolean {
  return now - readAt >= RENEWED_AFTER_MS;
}

/** A frame with another address loads anew, so it keeps the one it has as long as that works. */
export function shownView(shown: ReadView | undefined, read: ReadView | undefined): ReadView | undefined {
  if (shown === undefined || read === undefined) return shown ?? read;
  return isDue(shown, read.readAt) ? read : shown;
}
