// One entity through time: its history, the author of each field, two states compared, and a state restored.
import { useState } from 'preact/hooks';
import type { EntityName } from '../api/change-answers.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import { entityText } from '../kit/diff/change-text.ts';
import { pageOf, useParameter } from '../kit/routing.ts';
import { Empty } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { BlameTable } from './blame-table.tsx';
import { Comparison } from './comparison.tsx';
import { EntityHistoryView } from './entity-history.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

export function EntityPage() {
  const [resource] = useParameter('resource');
  const [id] = useParameter('id');
  const entity = { resource, id };
  const title = resource === '' ? 'History of an entity' : entityText(entity);
  useTitle(`Changes of ${title}`);
  return (
    <AdminsOnly title={title}>
      <Breadcrumb crumbs={[{ label: 'Changes', href: pageOf.changes() }]} />
      <h1>{title}</h1>
      {resource === '' ? (
        <Empty text="The address does not say which entity. Open one from the list of changes." />
      ) : (
        <Entity key={title} entity={entity} />
      )}
    </AdminsOnly>
  );
}

const VIEWS = { history: 'History', blame: 'Who set what' } as const;

function Entity({ entity }: { readonly entity: EntityName }) {
  const [view, setView] = useParameter('view', 'history');
  const [from] = useParameter('from');
  const [to] = useParameter('to');
  const [restored, setRestored] = useState<number>();
  return (
    <>
      {from !== '' && to !== '' && <Comparison entity={entity} from={from} to={to} />}
      <div class="toolbar">
        {Object.entries(VIEWS).map(([name, label]) => (
          <button key={name} type="button" class="button is-small" aria-pressed={name === view} onClick={() => setView(name)}>
            {label}
          </button>
        ))}
      </div>
      {view === 'blame' ? <BlameTable entity={entity} /> : <EntityHistoryView entity={entity} onRestore={setRestored} />}
      {restored !== undefined && <RestoreDialog entity={entity} revision={restored} onClose={() => setRestored(undefined)} />}
    </>
  );
}
