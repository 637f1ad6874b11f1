// All pipelines: the running and the failed ones, with their actions.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PauseDialog } from '../actions/pause-dialog.tsx';
import { RunDialog } from '../actions/run-dialog.tsx';
import { currentSession } from '../api/session.ts';
import { VirtualList } from '../kit/list/virtual-list.tsx';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { now, relativeTimeText } from '../kit/text/time.ts';
import { useTitle } from '../kit/title.ts';
import { useClosedGroups } from './closed-groups.ts';
import { type Changes, changesBetween, filterRows, type Item, isByState, isFailing, itemsOf, neighbour } from './filter.ts';
import { useDashboardKeys } from './keys.ts';
import { NoPipelines } from './no-pipelines.tsx';
import { PipelineRow, type RowAction } from './pipeline-row.tsx';
import { followRows, type Rows, readRows, rows, rowsFailure } from './rows.ts';
import { Toolbar } from './toolbar.tsx';
import { type Filters, useFilters } from './use-filters.ts';

export function DashboardPage() {
  useTitle('Pipelines');
  useEffect(followRows, []);
  const known = rows.value;
  const failure = rowsFailure.value;
  if (known === undefined) return failure === undefined ? <Loading /> : <Failed failure={failure} onRetry={() => void readRows()} />;
  return (
    <>
      <h1 class="hidden">Pipelines</h1>
      {failure !== undefined && (
        <p class="stale" role="status">
          {failure.message} What you see was read {relativeTimeText(known.readAt, now.value)}.
        </p>
      )}
      {known.all.size === 0 ? <NoPipelines /> : <Dashboard known={known} />}
    </>
  );
}

function Dashboard({ known }: { readonly known: Rows }) {
  const filters = useFilters();
  const { names, changes, showChanges } = useShownNames(known, filters);
  const [closed, toggle] = useClosedGroups();
  // A search shows its matches in closed groups, too.
  const hidden = filters.search === '' ? closed : NONE;
  const items = useMemo(() => itemsOf(names, known.all, filters.grouping, hidden), [names, known.arrangement, filters.grouping, hidden]);
  const [selected, select] = useState<string>();
  const [action, onAction] = useState<RowAction>();
  const search = useRef<HTMLInputElement>(null);
  useDashboardKeys({ items, known, selected, select, onAction });
  const choose = useCallback((name: string) => select(name), []);
  const goToFirst = (): void => {
    const first = neighbour(items, undefined, 1);
    if (first === undefined) return;
    search.current?.blur();
    select(first);
  };
  return (
    <>
      <Toolbar {...{ filters, search, changes, showChanges, goToFirst }} shown={names.length} total={known.all.size} />
      {names.length === 0 && <NoMatch filters={filters} />}
      <div class="dashboard">
        <VirtualList
          items={items}
          keyOf={(_item, index) => index}
          label="Pipelines"
          selected={indexOf(items, selected)}
          row={(item) =>
            item.is === 'heading' ? (
              <Heading item={item} failing={failingAmong(item.members, known)} onToggle={() => toggle(item.name)} />
            ) : (
              <PipelineRow
                name={item.name}
                row={known.all.get(item.name)}
                isSelected={item.name === selected}
                onSelect={choose}
                onAction={onAction}
              />
            )
          }
        />
      </div>
      {action?.is === 'run' && <RunDialog pipeline={action.pipeline} onClose={() => onAction(undefined)} />}
      {action?.is === 'pause' && <PauseDialog pipeline={action.pipeline} onClose={() => onAction(undefined)} />}
    </>
  );
}

function NoMatch({ filters }: { readonly filters: Filters }) {
  return (
    <Empty text="No pipeline matches what you chose above.">
      <button type="button" class="button" onClick={filters.clear}>
        Show all pipelines
      </button>
    </Empty>
  );
}

function failingAmong(names: readonly string[], { all }: Rows): number {
  return names.filter((name) => {
    const row = all.get(name);
    return row !== undefined && isFailing(row);
  }).length;
}

interface HeadingProps {
  readonly item: Item & { readonly is: 'heading' };
  readonly failing: number;
  readonly onToggle: () => void;
}

function Heading({ item: { name, members, isClosed }, failing, onToggle }: HeadingProps) {
  return (
    <h2 class="dashboard-heading">
      <button type="button" aria-expanded={!isClosed} onClick={onToggle}>
        <span aria-hidden="true">{isClosed ? '▸' : '▾'}</span> <span class="dashboard-group">{name}</span>{' '}
        <span class="quiet">
          {members.length}
          <span class="hidden"> {members.length === 1 ? 'pipeline' : 'pipelines'}</span>
        </span>
        {failing > 0 && <span class="badge is-failed">{failing} failing</span>}
      </button>
    </h2>
  );
}

function indexOf(items: readonly Item[], selected: string | undefined): number | undefined {
  const index = selected === undefined ? -1 : items.findIndex(({ is, name }) => is === 'pipeline' && name === selected);
  return index < 0 ? undefined : index;
}

const NONE: ReadonlySet<string> = new Set();
const UNCHANGED: Changes = { come: 0, gone: 0 };

interface ShownNames {
  readonly names: readonly string[];
  readonly changes: Changes;
  readonly showChanges: () => void;
}

/** Nothing jumps: which pipelines are listed changes only when the user asks for it. Their states change at once. */
function useShownNames(known: Rows, { search, states, view }: Filters): ShownNames {
  const user = currentSession()?.login_name ?? '';
  const changedBy = isByState({ states, view }) ? known : known.arrangement;
  const present = useMemo(() => filterRows(known.all.values(), { search, states, view, user }), [changedBy, search, states, view, user]);
  const [asked, setAsked] = useState(0);
  const names = useMemo(() => present, [search, states, view, user, asked]);
  const changes = useMemo(() => (names === present ? UNCHANGED : changesBetween(names, present)), [names, present]);
  return { names, changes, showChanges: () => setAsked(asked + 1) };
}
