// Which pipelines are shown, and in which order. Pure: it decides from rows and the choices of the user.
import type { DashboardRow, DashboardRun } from './row.ts';

export const STATES = ['failing', 'building', 'paused', 'locked', 'mine'] as const;
export type State = (typeof STATES)[number];
export type Grouping = 'group' | 'environment';

/** A view that a user has saved: shows only some pipelines, or all but some. */
export interface View {
  readonly name: string;
  readonly type: 'whitelist' | 'blacklist';
  readonly pipelines: readonly string[];
  readonly state: readonly string[];
}

export interface Filter {
  readonly search: string;
  readonly states: ReadonlySet<State>;
  readonly view: View | undefined;
  readonly user: string;
}

export const NO_ENVIRONMENT = 'No environment';

export type Item =
  | { readonly is: 'heading'; readonly name: string; readonly members: readonly string[]; readonly isClosed: boolean }
  | { readonly is: 'pipeline'; readonly name: string };

export function isFailing({ runs: [run] }: DashboardRow): boolean {
  return run?.stages.some(({ status }) => status === 'Failed' || status === 'Failing') ?? false;
}

export function isBuilding({ runs }: DashboardRow): boolean {
  return runs.some(isRunActive);
}

function isRunActive({ stages }: DashboardRun): boolean {
  return stages.some(({ status }) => status === 'Building' || status === 'Failing');
}

/** Whether which pipelines match depends on how they do, and not only on their names. */
export function isByState({ states, view }: Pick<Filter, 'states' | 'view'>): boolean {
  return states.size > 0 || (view?.state.length ?? 0) > 0;
}

/** The names of the pipelines that match, in their order. */
export function filterRows(rows: Iterable<DashboardRow>, { search, states, view, user }: Filter): string[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const named = view && new Set(view.pipelines.map((name) => name.toLowerCase()));
  const found: string[] = [];
  const wanted = [...states];
  for (const row of rows) {
    if (view && named && named.has(row.key) !== (view.type === 'whitelist')) continue;
    if (view && view.state.length > 0 && !view.state.some((state) => isIn(state, row, user))) continue;
    if (wanted.length > 0 && !wanted.some((state) => isIn(state, row, user))) continue;
    if (words.every((word) => row.key.includes(word) || row.group.toLowerCase().includes(word))) found.push(row.name);
  }
  return found;
}

function isIn(state: string, row: DashboardRow, user: string): boolean {
  if (state === 'failing') return isFailing(row);
  if (state === 'building') return isBuilding(row);
  if (state === 'paused') return row.pause !== undefined;
  if (state === 'locked') return row.isLocked;
  if (state !== 'mine') return false;
  return row.runs.some(({ triggeredBy, stages }) => triggeredBy === user || stages.some(({ approvedBy }) => approvedBy === user));
}

/** Whether the server knows the state, so that a view can keep it. */
export function isSavedState(state: string): boolean {
  return state === 'failing' || state === 'building';
}

/** What a saved view keeps of the choices: a view stays what it is, unless a search names pipelines or other states were chosen. */
export function viewToSave(
  rows: Iterable<DashboardRow>,
  { search, states, view }: Pick<Filter, 'search' | 'states' | 'view'>,
): Omit<View, 'name'> {
  const chosen = [...states].filter(isSavedState);
  const before = view?.state ?? [];
  const common = chosen.filter((state) => before.includes(state));
  const state = [common, chosen, before].find(({ length }) => length > 0) ?? [];
  if (search.trim() === '') return { type: view?.type ?? 'blacklist', pipelines: view?.pipelines ?? [], state };
  // Not only those that are in these states now.
  const named = filterRows(rows, { search, states: new Set(), view: view && { ...view, state: [] }, user: '' });
  return { type: 'whitelist', pipelines: named, state };
}

/** Headings by name, each followed by its pipelines unless it is closed. In the order of their pipelines, a search would move them. */
export function itemsOf(
  names: readonly string[],
  rows: ReadonlyMap<string, DashboardRow>,
  grouping: Grouping,
  closed: ReadonlySet<string>,
): Item[] {
  const groups = Map.groupBy(names, (name) => {
    const row = rows.get(name);
    return (grouping === 'group' ? row?.group : row?.environment) ?? NO_ENVIRONMENT;
  });
  const inOrder = [...groups].toSorted(([one], [other]) => compareHeadings(one, other));
  return inOrder.flatMap(([name, members]): Item[] => {
    const isClosed = closed.has(name);
    const heading: Item = { is: 'heading', name, members, isClosed };
    return isClosed ? [heading] : [heading, ...members.map((member): Item => ({ is: 'pipeline', name: member }))];
  });
}

/** What is in no environment comes last. Not by the rules of a language: to load them takes as long as drawing a screenful of rows. */
function compareHeadings(one: string, other: string): number {
  return Number(one === NO_ENVIRONMENT) - Number(other === NO_ENVIRONMENT) || compareNames(one.toLowerCase(), other.toLowerCase());
}

function compareNames(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

export interface Changes {
  readonly come: number;
  readonly gone: number;
}

/** How many would come and go if the list were made anew. */
export function changesBetween(shown: readonly string[], now: readonly string[]): Changes {
  const before = new Set(shown);
  const after = new Set(now);
  return { come: now.filter((name) => !before.has(name)).length, gone: shown.filter((name) => !after.has(name)).length };
}

/** The next pipeline in the list; the first or the last where none is chosen. */
export function neighbour(items: readonly Item[], selected: string | undefined, step: 1 | -1): string | undefined {
  const names = items.filter(({ is }) => is === 'pipeline').map(({ name }) => name);
  const at = selected === undefined ? -1 : names.indexOf(selected);
  if (at < 0) return names.at(step === 1 ? 0 : -1);
  return names[at + step];
}
