// Reads the output of git for the file .gitmodules.

export interface NamedSubmodule {
  readonly path: string;
  readonly url: string;
}

export const MODULES_ARGS = ['config', '--null', '--get-regexp', '^submodule\\..*\\.(path|url|update)$'];

/** Each record is a key, a line break and a value. Submodules that are not updated (`update = none`) are left out. */
export function namedSubmodules(printed: string): NamedSubmodule[] {
  const found = new Map<string, Map<string, string>>();
  for (const record of printed.split('\0')) {
    // The key ends at the first line break: a value may look like a key, and may have line breaks itself.
    const end = record.indexOf('\n');
    const [, name, member] = /^submodule\.(.*)\.([a-z]+)$/.exec(end < 0 ? record : record.slice(0, end)) ?? [];
    if (name === undefined) continue;
    const values = found.get(name) ?? new Map<string, string>();
    found.set(name, values.set(member!, end < 0 ? '' : record.slice(end + 1)));
  }
  return [...found.values()].flatMap((values) => {
    const path = values.get('path')?.replace(/\/+$/, '');
    const url = values.get('url');
    return path && url && values.get('update') !== 'none' ? [{ path, url }] : [];
  });
}
