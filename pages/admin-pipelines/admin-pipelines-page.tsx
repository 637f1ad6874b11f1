// Pipelines and their groups, for users who administer them.
import { useMemo, useState } from 'preact/hooks';
import { groupNamesIn, useGroups } from '../api/pipeline-groups.ts';
import { type PipelineName, pipelineNamesIn, type RowsAnswer, usePipelineRows } from '../api/pipeline-names.ts';
import { useApi } from '../api/queries.ts';
import { administersPipelines, currentSession } from '../api/session.ts';
import { Link } from '../kit/link.tsx';
import { VirtualList } from '../kit/list/virtual-list.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import { pageOf, useParameter } from '../kit/routing.ts';
import { SearchField } from '../kit/search-field.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { pluralize } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { type Action, ActionDialog } from './action-dialog.tsx';
import { GroupRow, PipelineLine } from './lines.tsx';
import { type PastGroups, pastGroups, pastPipelines } from './past-groups.ts';
import { GROUPS_ADDRESS, GROUPS_VERSION } from './requests.ts';
import { keyOf, rowsOf } from './rows.ts';

export function AdminPipelinesPage() {
  useTitle('Pipelines');
  const session = currentSession();
  const { refusal } = useMoment();
  const [action, setAction] = useState<Action>();
  if (!administersPipelines(session))
    return (
      <>
        <h1>Pipelines and groups</h1>
        <Empty text="You may change no pipeline. Ask an administrator of a pipeline group for the right." />
      </>
    );
  return (
    <>
      <header class="page-header">
        <h1>Pipelines and groups</h1>
        <MomentSwitch />
        <span class="grow" />
        {session?.is_admin && refusal === undefined && (
          <button type="button" class="button" onClick={() => setAction({ is: 'new-group' })}>
            New group …
          </button>
        )}
        {refusal === undefined && (
          <Link href={pageOf.newPipeline()} class="button is-primary">
            New pipeline
          </Link>
        )}
      </header>
      {refusal === undefined ? <PresentPipelines onAction={setAction} /> : <PastPipelines />}
      {action !== undefined && <ActionDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

/** Other pages show pipelines that the user may only view. */
function administeredIn(answer: RowsAnswer): readonly PipelineName[] {
  return pipelineNamesIn(answer).filter(({ canAdminister }) => canAdminister);
}

function PresentPipelines({ onAction }: { readonly onAction: (action: Action) => void }) {
  const read = usePipelineRows();
  const groups = useGroups();
  // Drawn once both are there: the empty groups come in between the others, and a row that moves closes its menu.
  return (
    <Loaded read={read}>
      {(answer) => (
        <Loaded read={groups}>
          {(found) => <Pipelines pipelines={administeredIn(answer)} groups={groupNamesIn(found)} onAction={onAction} />}
        </Loaded>
      )}
    </Loaded>
  );
}

/** The pipelines of groups that the user administers, as they were. */
function PastPipelines() {
  const { addressOf } = useMoment();
  const read = useApi<PastGroups>(addressOf(GROUPS_ADDRESS), GROUPS_VERSION);
  return <Loaded read={read}>{(answer) => <Pipelines pipelines={pastPipelines(answer)} groups={pastGroups(answer)} />}</Loaded>;
}

interface PipelinesProps {
  readonly pipelines: readonly PipelineName[];
  /** Groups that the user may administer, empty ones, too. */
  readonly groups: readonly string[];
  /** Absent: nothing can be changed. */
  readonly onAction?: (action: Action) => void;
}

function Pipelines({ pipelines, groups, onAction }: PipelinesProps) {
  const [search, setSearch] = useParameter('q');
  const rows = useMemo(() => rowsOf(pipelines, groups, search), [pipelines, groups.join('\n'), search]);
  if (pipelines.length === 0 && groups.length === 0)
    return <Empty text="There is no pipeline yet. Make the first one: it takes a repository, a name and a command." />;
  return (
    <>
      <search class="toolbar">
        <SearchField of="pipelines" value={search} onChange={setSearch} />
        <span class="quiet" role="status">
          {pluralize(rows.filter(({ is }) => is === 'pipeline').length, 'pipeline')}
        </span>
      </search>
      {rows.length === 0 && <Empty text="No pipeline matches." />}
      <VirtualList
        items={rows}
        keyOf={keyOf}
        label="Groups and pipelines"
        row={(row) =>
          row.is === 'group' ? <GroupRow group={row} onAction={onAction} /> : <PipelineLine pipeline={row.pipeline} onAction={onAction} />
        }
      />
    </>
  );
}
