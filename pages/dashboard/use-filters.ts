// The filters that the user chose on the dashboard. They stand in the address of the page, so that they can be shared.
import { useMemo } from 'preact/hooks';
import { useParameter } from '../kit/routing.ts';
import { type Grouping, isSavedState, STATES, type State, type View } from './filter.ts';
import { useViews } from './views.ts';

export interface Filters {
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly states: ReadonlySet<State>;
  readonly toggleState: (state: State) => void;
  readonly grouping: Grouping;
  readonly setGrouping: (grouping: Grouping) => void;
  readonly view: View | undefined;
  readonly viewName: string;
  readonly setViewName: (name: string) => void;
  readonly views: readonly View[];
  /** Shows a view that keeps the other choices; those that it cannot keep stay. */
  readonly showView: (name: string) => void;
  /** Shows all again. */
  readonly clear: () => void;
}

export function useFilters(): Filters {
  const [search, setSearch] = useParameter('q');
  const [stateText, setStateText] = useParameter('state');
  const [groupingText, setGrouping] = useParameter('by', 'group');
  const [viewName, setViewName] = useParameter('viewName');
  const views = useViews();
  const states = useMemo(() => new Set(STATES.filter((state) => stateText.split(',').includes(state))), [stateText]);
  const toggleState = (state: State): void =>
    setStateText(STATES.filter((one) => (one === state ? !states.has(one) : states.has(one))).join());
  return {
    search,
    setSearch,
    states,
    toggleState,
    grouping: groupingText === 'environment' ? 'environment' : 'group',
    setGrouping,
    view: views.find(({ name }) => name.toLowerCase() === viewName.toLowerCase()),
    viewName,
    setViewName,
    views,
    showView: (name) => {
      setSearch('');
      setStateText(STATES.filter((state) => states.has(state) && !isSavedState(state)).join());
      setViewName(name);
    },
    clear: () => {
      setSearch('');
      setStateText('');
      setViewName('');
    },
  };
}
