// Views of the dashboard that the user has saved.
import { request, send } from '../api/client.ts';
import { queries, useApi } from '../api/queries.ts';
import type { View } from './filter.ts';

const ADDRESS = '/api/dashboard/views';
const VERSION = 1;

interface SavedViews {
  readonly filters: readonly View[];
}

/** The view that all users have; it shows all pipelines. */
export const DEFAULT_VIEW = 'Default';
const NONE: readonly View[] = [];

export function useViews(): readonly View[] {
  return useApi<SavedViews>(ADDRESS, VERSION).data?.filters.filter(({ name }) => name !== DEFAULT_VIEW) ?? NONE;
}

/** Adds a view, or replaces the view of that name. */
export function saveView(view: View): Promise<void> {
  return change((views) => [...views.filter(({ name }) => !isSame(name, view.name)), view]);
}

export function deleteView(gone: string): Promise<void> {
  return change((views) => views.filter(({ name }) => !isSame(name, gone)));
}

async function change(edit: (views: readonly View[]) => readonly View[]): Promise<void> {
  const response = await request(ADDRESS, { version: VERSION });
  const { filters } = (await response.json()) as SavedViews;
  await send(ADDRESS, {
    method: 'PUT',
    version: VERSION,
    body: { filters: edit(filters) },
    ifMatch: response.headers.get('ETag') ?? undefined,
  });
  await queries.invalidateQueries({ queryKey: [ADDRESS] });
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
