// The address is the state: filters, tabs and lines stand in it.
import { type BaseLocationHook, Route, Router, Switch, useLocation, useRoute, useSearch } from 'wouter-preact';
import { navigate, useBrowserLocation, useSearch as useBrowserSearch } from 'wouter-preact/use-browser-location';

export { pageOf } from './page-addresses.ts';
export { navigate, Route, Router, Switch, useLocation, useRoute, useSearch };

/** The router decodes paths and queries by `decodeURI`, and only in part: `%25` but not `%3A`. Encoded twice, they stay as in the address. */
export const useEncodedLocation: BaseLocationHook = () => {
  const [pathname, navigate] = useBrowserLocation();
  return [encodedTwice(pathname), navigate];
};

export function useEncodedSearch(): string {
  return encodedTwice(useBrowserSearch());
}

function encodedTwice(encoded: string): string {
  return encoded.replaceAll('%', '%25');
}

/** One parameter of the query, and a function that changes it without adding to the history of the browser. */
export function useParameter(name: string, fallback = ''): [string, (value: string) => void] {
  const search = useSearch();
  const [location, navigate] = useLocation();
  const value = new URLSearchParams(search).get(name) ?? fallback;
  const change = (next: string): void => {
    // Read anew: another parameter may have changed since this was drawn.
    const all = new URLSearchParams(window.location.search);
    if (next === fallback) all.delete(name);
    else all.set(name, next);
    const query = all.toString();
    navigate(query === '' ? location : `${location}?${query}`, { replace: true });
  };
  return [value, change];
}
