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
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
