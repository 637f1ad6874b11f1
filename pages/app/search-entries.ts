// Search by a few letters: the best matches first.

export interface Searchable {
  readonly label: string;
  readonly hint?: string;
  /** More words by which the search finds it. */
  readonly about?: string;
}

/** The entries that have all words in their label, hint or description; labels that begin with the first word come first, then shorter labels. */
export function searchEntries<T extends Searchable>(entries: readonly T[], query: string, max: number): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked: { readonly entry: T; readonly rank: number }[] = [];
  for (const entry of entries) {
    const label = entry.label.toLowerCase();
    const text = `${label}\n${entry.hint ?? ''}\n${entry.about ?? ''}`.toLowerCase();
    if (words.every((word) => text.includes(word))) ranked.push({ entry, rank: rankOf(label, words) });
  }
  // Entries of the same rank stay in their order.
  return ranked
    .toSorted((one, other) => one.rank - other.rank || (words.length > 0 ? one.entry.label.length - other.entry.label.length : 0))
    .slice(0, max)
    .map(({ entry }) => entry);
}

function rankOf(label: string, [first]: readonly string[]): number {
  if (first === undefined || label === first) return 0;
  if (label.startsWith(first)) return 1;
  const at = label.indexOf(first);
  if (at < 0) return 4;
  return /[a-z0-9]/.test(label[at - 1]!) ? 3 : 2;
}
