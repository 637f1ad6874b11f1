// Which settings of plugins are secrets, by their keys. The component of a field adds its key before the user can type into it.

const keys = new Set<string>();

export function registerSecretKey(key: string): void {
  keys.add(key);
}

export function isSecretKey(key: string): boolean {
  return keys.has(key);
}
