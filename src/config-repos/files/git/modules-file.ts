// Reads what git makes of the file .gitmodules.

export interface NamedSubmodule {
  readonly path: string;
  readonly url: string;
}

export const MODULES_WORDS = ['config', '--null', '--get-regexp', '^submodule\\..*\\.(path|url|update)$'];

/** Each record is a key, a line break and a value. Those that are not to be brought are left out. */
export function namedSubmodules(printed: string): NamedSubmodule[] {
  const found = new Map<string, Map<string, string>>();
  for (const record of printed.split('\0')) {
    const [, name, key, value] = /^submodule\.(.*)\.([a-z]+)(?:\n(.*))?$/s.exec(record) ?? [];
    if (name === undefined) continue;
    const values = found.get(name) ?? new Map<string, string>();
    found.set(name, values.set(key!, value ?? ''));
  }
  return [...found.values()].flatMap((values) => {
    const path = values.get('path')?.replace(/\/+$/, '');
    const url = values.get('url');
    return path && url && values.get('update') !== 'none' ? [{ path, url }] : [];
  });
}
