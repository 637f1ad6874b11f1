// The address is the state: filters, tabs and lines stand in it.
import { Route, Router, Switch, useLocation, useRoute, useSearch } from 'wouter-preact';

export { navigate } from 'wouter-preact/use-browser-location';
export { pageOf } from './page-addresses.ts';
export { Route, Router, Switch, useLocation, useRoute, useSearch };

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
