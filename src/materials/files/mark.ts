// What is to be remembered of a look, so that the next one can be cheap.

const WITH_LINKS = ' links';

/** What changes through links cannot be told from a difference. */
export function markOf(revision: string, hasLinks: boolean): string {
  return hasLinks ? `${revision}${WITH_LINKS}` : revision;
}

/** The revision that a difference can begin with, if one can. */
export function comparableRevision(mark: string | undefined): string | undefined {
  return mark?.endsWith(WITH_LINKS) ? undefined : mark;
}
