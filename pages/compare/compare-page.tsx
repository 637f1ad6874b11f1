// Everything that changed between two runs of a pipeline, through the pipelines above it.
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { Link } from '../kit/link.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf } from '../kit/routing.ts';
import { Loaded, pipelineAdvice } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ChooseRuns } from './choose-runs.tsx';
import { type Comparison, isTakenAway, sentenceOf } from './comparison.ts';
import { MaterialChangesView } from './material-changes.tsx';

const VERSION = 2;
/** Modifications of each material; more when the user asks for them. */
const FIRST_PAGE = 20;
const LISTS = ['changes', 'removed'] as const;

interface Parameters {
  readonly [name: string]: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export function ComparePage({ params: { name, from, to } }: PageProps<Parameters>) {
  useTitle(`${name} ${from} and ${to}`);
  const address = path`/api/pipelines/${name}/compare/${from}/${to}`;
  // The revisions of two runs never change, so no notice makes the page read them again.
  const read = useApi<Comparison>(`${address}?page_size=${FIRST_PAGE}`, VERSION);
  return (
    <>
      <h1>
        <Link href={pageOf.activity(name)}>{name}</Link>: changes from {from} to {to}
      </h1>
      <ChooseRuns key={`${name}/${from}/${to}`} name={name} from={from} to={to} />
      <Loaded key={address} read={read} advice={pipelineAdvice}>
        {(comparison) => <Changes address={address} comparison={comparison} from={Number(from)} to={Number(to)} />}
      </Loaded>
    </>
  );
}

interface ChangesProps {
  readonly address: string;
  readonly comparison: Comparison;
  readonly from: number;
  readonly to: number;
}

function Changes({ address, comparison, from, to }: ChangesProps) {
  const { pipeline_name: name, is_complete: isComplete } = comparison;
  return (
    <>
      <p class="compare-sentence">
        {sentenceOf(comparison, from, to)}{' '}
        <span class="quiet">
          Maps: <Link href={pageOf.map(name, from)}>{from}</Link>, <Link href={pageOf.map(name, to)}>{to}</Link>
        </span>
      </p>
      {!isComplete && (
        <p class="stale" role="status">
          Not everything is listed: some changes came through pipelines that you may not view, or there are too many runs above these. Ask
          an administrator for the right to view the groups above.
        </p>
      )}
      {LISTS.flatMap((list) =>
        comparison[list].map((one) => (
          <MaterialChangesView
            key={`${list} ${one.material.fingerprint}`}
            address={address}
            list={list}
            isTakenAway={isTakenAway(list, from, to)}
            changes={one}
          />
        )),
      )}
    </>
  );
}
