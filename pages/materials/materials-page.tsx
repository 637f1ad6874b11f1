// All materials of pipelines: the last modification, errors, and a poll when the user does not want to wait.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { addressOf } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { administersPipelines, currentSession } from '../api/session.ts';
import { Link } from '../kit/link.tsx';
import { VirtualList } from '../kit/list/virtual-list.tsx';
import { pageOf, useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { useShortcuts } from '../kit/shortcuts.ts';
import { Empty, Loaded } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { isFailing, keyOf, MATERIALS_ADDRESS, MATERIALS_VERSION, type Material, type MaterialsAnswer, shownMaterials } from './material.ts';
import { MaterialDetails } from './material-details.tsx';
import { MaterialRow } from './material-row.tsx';
import { usePolls } from './polls.ts';

/** Polls that find nothing are not reported: this is how old the times of polls can be. */
const EVERY_MS = 60_000;
const EVERY_MS_WHILE_POLLING = 3_000;

export function MaterialsPage() {
  useTitle('Materials');
  const [isPolling, setIsPolling] = useState(false);
  const read = useApi<MaterialsAnswer>(MATERIALS_ADDRESS, MATERIALS_VERSION, {
    changedBy: ({ kind }) => kind === 'material' || kind === 'config',
    everyMs: isPolling ? EVERY_MS_WHILE_POLLING : EVERY_MS,
  });
  return (
    <>
      <h1>Materials</h1>
      <Loaded read={read}>
        {({ materials }) =>
          materials.length === 0 ? <NoMaterials /> : <Materials materials={materials} readAt={read.readAt} onPolling={setIsPolling} />
        }
      </Loaded>
    </>
  );
}

const FIRST_PIPELINE = `curl --user admin:PASSWORD ${location.origin}${addressOf('/api/admin/pipelines')} \\
  --header 'Accept: application/vnd.svc+json' --header 'Content-Type: application/json' --data @pipeline.json`;

function NoMaterials() {
  const mayMake = administersPipelines(currentSession());
  return (
    <Empty
      text="No pipeline that you may see takes anything from a repository. Materials come with pipelines."
      {...(mayMake && { command: FIRST_PIPELINE })}
    >
      <p class="empty-actions">
        {mayMake && (
          <Link href={pageOf.newPipeline()} class="button is-primary">
            Make a pipeline
          </Link>
        )}
        <Link href={pageOf.dashboard()} class="button">
          All pipelines
        </Link>
      </p>
    </Empty>
  );
}

interface MaterialsProps {
  readonly materials: readonly Material[];
  readonly readAt: number;
  readonly onPolling: (isPolling: boolean) => void;
}

function Materials({ materials, readAt, onPolling }: MaterialsProps) {
  const [search, setSearch] = useParameter('q');
  const [only, setOnly] = useParameter('only');
  const [openKey, setOpenKey] = useParameter('open');
  const [selected, setSelected] = useState<number>();
  const { pending, poll } = usePolls(materials, readAt);
  const shown = useMemo(() => shownMaterials(materials, search, only === 'errors'), [materials, search, only]);
  const toggle = (key: string): void => setOpenKey(key === openKey ? '' : key);
  const openAt = openKey === '' ? -1 : shown.findIndex((material) => keyOf(material) === openKey);
  useEffect(() => onPolling(pending.size > 0), [pending.size > 0]);
  const handlers = useStable({ toggle, poll });
  useMaterialKeys({ shown, selected, setSelected, toggle, poll });
  return (
    <>
      <search class="toolbar">
        <SearchField of="materials" value={search} onChange={setSearch} />
        <button type="button" class="chip" aria-pressed={only === 'errors'} onClick={() => setOnly(only === 'errors' ? '' : 'errors')}>
          With errors {materials.filter(isFailing).length}
        </button>
        <span class="grow" />
        <span class="quiet" role="status">
          {shown.length === materials.length ? pluralize(materials.length, 'material') : `${shown.length} of ${materials.length}`}
        </span>
      </search>
      {shown.length === 0 && (
        <Empty text={search === '' ? 'All materials could be polled.' : 'No material matches what you chose above.'} />
      )}
      <div class="materials">
        <VirtualList
          items={shown}
          keyOf={keyOf}
          label="Materials"
          selected={selected}
          open={shown[openAt] && { index: openAt, content: <MaterialDetails key={openKey} material={shown[openAt]} /> }}
          row={(material, index) => (
            <MaterialRow
              material={material}
              isSelected={index === selected}
              isOpen={index === openAt}
              isAsked={pending.has(keyOf(material))}
              onToggle={handlers.toggle}
              onPoll={handlers.poll}
            />
          )}
        />
      </div>
    </>
  );
}

interface Handlers {
  readonly toggle: (key: string) => void;
  readonly poll: (material: Material) => void;
}

/** The functions stay the same at each drawing, so that rows are not drawn again because of them. */
function useStable(now: Handlers): Handlers {
  const newest = useRef(now);
  newest.current = now;
  return {
    toggle: useCallback((key: string) => newest.current.toggle(key), []),
    poll: useCallback((material: Material) => newest.current.poll(material), []),
  };
}

interface KeyParts extends Handlers {
  readonly shown: readonly Material[];
  readonly selected: number | undefined;
  readonly setSelected: (index: number) => void;
}

function useMaterialKeys({ shown, selected, setSelected, toggle, poll }: KeyParts): void {
  const chosen = selected === undefined ? undefined : shown[selected];
  const move = (step: 1 | -1): void => {
    const next = selected === undefined ? (step === 1 ? 0 : shown.length - 1) : selected + step;
    if (shown[next] !== undefined) setSelected(next);
  };
  useShortcuts([
    { keys: 'j', description: 'Next material', run: () => move(1) },
    { keys: 'k', description: 'Previous material', run: () => move(-1) },
    { keys: 'Enter', description: 'Open or close the material', run: () => chosen && toggle(keyOf(chosen)) },
    { keys: 'u', description: 'Poll the material now', run: () => chosen?.can_trigger_update && poll(chosen) },
  ]);
}
