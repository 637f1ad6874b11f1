// Which two runs are compared.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { pageOf, useLocation } from '../kit/routing.ts';
import { counterIn } from './comparison.ts';

interface LastRuns {
  readonly runs: readonly { readonly counter: number; readonly label: string; readonly result: string }[];
}

const VERSION = 1;
const LIST = 'compare-runs';

interface ChooseRunsProps {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export function ChooseRuns({ name, from, to }: ChooseRunsProps) {
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState({ from, to });
  const pair = [counterIn(chosen.from), counterIn(chosen.to)] as const;
  const isChanged = chosen.from !== from || chosen.to !== to;
  const compare = (event: Event): void => {
    event.preventDefault();
    if (pair[0] !== undefined && pair[1] !== undefined) navigate(pageOf.compare(name, pair[0], pair[1]));
  };
  return (
    <form class="toolbar" onSubmit={compare}>
      <Counter label="From run" value={chosen.from} onChange={(next) => setChosen({ ...chosen, from: next })} />
      <Counter label="to run" value={chosen.to} onChange={(next) => setChosen({ ...chosen, to: next })} />
      <button type="submit" class="button is-primary" disabled={!isChanged || pair.includes(undefined)}>
        Compare
      </button>
      <button type="button" class="button" onClick={() => navigate(pageOf.compare(name, Number(to), Number(from)))}>
        ⇄ Swap
      </button>
      <LastRunOptions name={name} />
    </form>
  );
}

function Counter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class="compare-counter">
      {label}
      <input
        inputMode="numeric"
        size={6}
        list={LIST}
        value={value}
        aria-invalid={counterIn(value) === undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

/** Runs that are offered while the user types; any other run can be typed. */
function LastRunOptions({ name }: { readonly name: string }) {
  const { data } = useApi<LastRuns>(path`/api/pipelines/${name}/statistics`, VERSION);
  return (
    <datalist id={LIST}>
      {data?.runs.map(({ counter, label, result }) => (
        <option key={counter} value={counter}>
          {label}: {result}
        </option>
      ))}
    </datalist>
  );
}
