// Which settings of plugins are secrets, by their keys. Told by whoever draws a field for one, before anything can be typed into it.

const keys = new Set<string>();

export function knowSecretKey(key: string): void {
  keys.add(key);
}

export function isSecretKey(key: string): boolean {
  return keys.has(key);
}
