// Texts of others, short enough for one line.

export function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}

/** Hashes are known by their beginning; other revisions are names. */
export function shortRevision(revision: string): string {
  return /^[0-9a-f]{40,64}$/i.test(revision) ? revision.slice(0, 10) : revision;
}

/** `Ann Other <ann@example.org>`: the name alone. */
export function authorName(author: string | null | undefined): string {
  return (author ?? '').replace(/\s*<[^>]*>\s*$/, '') || (author ?? '');
}

/** `1 change`, `2 changes`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Whether a text has all words of a search. */
export function matchesSearch(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** As one word of a command for a shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Names in a typed text, separated by commas; each only once. */
export function splitNames(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

/** A text of a user in a sentence: its direction, and marks of direction in it, end with it. In elements, `<bdi>` does the same. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
