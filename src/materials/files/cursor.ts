// The cursor of a list of files: which revision the caller knows, so that the next list need only contain what has changed since.

const WITH_LINKS = ' links';

/** The cursor states whether there were links: a difference between revisions does not show changes through them. */
export function cursorOf(revision: string, hasLinks: boolean): string {
  return hasLinks ? `${revision}${WITH_LINKS}` : revision;
}

/** The revision that a difference can begin with, if one can. */
export function comparableRevision(cursor: string | undefined): string | undefined {
  return cursor?.endsWith(WITH_LINKS) ? undefined : cursor;
}
