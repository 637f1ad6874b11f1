// Which groups the user has closed on the dashboard; kept in this browser.
import { useState } from 'preact/hooks';

const KEY = 'closed-groups';

export function useClosedGroups(): [ReadonlySet<string>, (name: string) => void] {
  const [closed, setClosed] = useState<ReadonlySet<string>>(readClosed);
  const toggle = (name: string): void => {
    const next = closed.has(name) ? [...closed].filter((one) => one !== name) : [...closed, name];
    storeClosed(next);
    setClosed(new Set(next));
  };
  return [closed, toggle];
}

function readClosed(): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
  } catch {
    return new Set(); // The browser keeps nothing for this site, or something else: all are open.
  }
}

function storeClosed(names: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // The groups stay closed until the page is left.
  }
}
