// A number with its noun: one second, or several.
export function pluralize(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}
