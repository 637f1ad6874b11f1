// The difference between two texts as one edit: the part that was replaced, and its replacement.
export interface TextEdit {
  /** The offset of the replaced part. */
  readonly start: number;
  /** How many characters it has. */
  readonly removed: number;
  readonly inserted: string;
}

export function editBetween(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  while (same < shorter - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++;
  return { start, removed: before.length - start - same, inserted: after.slice(start, after.length - same) };
}

export function applyEdit(text: string, { start, removed, inserted }: TextEdit): string {
  return text.slice(0, start) + inserted + text.slice(start + removed);
}
