// Two states of one entity side by side.
import type { EntityName } from '../api/change-answers.ts';
import { type ReadState, useApi } from '../api/queries.ts';
import { jsonText } from '../kit/diff/change-text.ts';
import { SideBySide } from '../kit/diff/side-by-side.tsx';
import { addressAt } from '../kit/moment-text.ts';
import { pageOf, useLocation, useParameter } from '../kit/routing.ts';
import { Failed, Loading } from '../kit/states.tsx';
import { type Blame, historyAddress, stateOf } from './entity.ts';
import { HISTORY_VERSION } from './revision.ts';

interface ComparisonProps {
  readonly entity: EntityName;
  /** Revisions, or times. */
  readonly from: string;
  readonly to: string;
}

export function Comparison({ entity, from, to }: ComparisonProps) {
  const [before, after] = [useStateAt(entity, from), useStateAt(entity, to)];
  return (
    <section aria-label="Comparison">
      <div class="toolbar">
        <h2>
          From revision {from} to {to}
        </h2>
        <Swap from={from} to={to} entity={entity} />
      </div>
      <Texts before={before} after={after} labels={[`Revision ${from}`, `Revision ${to}`]} />
    </section>
  );
}

function Texts({
  before,
  after,
  labels,
}: {
  readonly before: ReadState<Blame>;
  readonly after: ReadState<Blame>;
  readonly labels: readonly [string, string];
}) {
  const failed = [before, after].find(({ failure }) => failure !== undefined);
  if (failed?.failure !== undefined) return <Failed failure={failed.failure} onRetry={failed.reload} />;
  if (before.data === undefined || after.data === undefined) return <Loading />;
  const [one, other] = [textOf(before.data), textOf(after.data)];
  if (one === other) return <p>Both states are the same. A secret may be another one: it is never shown.</p>;
  return <SideBySide before={one} after={other} labels={labels} />;
}

function Swap({ from, to, entity }: ComparisonProps) {
  const [, navigate] = useLocation();
  const [, setFrom] = useParameter('from');
  const swapped = `${pageOf.entityChanges(entity)}&${new URLSearchParams({ from: to, to: from })}`;
  return (
    <>
      <button type="button" class="button is-small" onClick={() => navigate(swapped, { replace: true })}>
        ⇄ Swap
      </button>
      <button type="button" class="button is-small" onClick={() => setFrom('')}>
        Close
      </button>
    </>
  );
}

/** The blame of that time holds every field. The past never changes, so it is read once. */
function useStateAt(entity: EntityName, at: string): ReadState<Blame> {
  return useApi<Blame>(addressAt(historyAddress(entity, 'blame'), at), HISTORY_VERSION);
}

function textOf({ _embedded: { fields } }: Blame): string {
  return jsonText(stateOf(fields));
}
