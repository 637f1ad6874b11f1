// The mark of a look at the files, which makes the next look cheap.

const WITH_LINKS = ' links';

/** A difference between revisions does not show changes through links. */
export function markOf(revision: string, hasLinks: boolean): string {
  return hasLinks ? `${revision}${WITH_LINKS}` : revision;
}

/** The revision that a difference can begin with, if one can. */
export function comparableRevision(mark: string | undefined): string | undefined {
  return mark?.endsWith(WITH_LINKS) ? undefined : mark;
}
