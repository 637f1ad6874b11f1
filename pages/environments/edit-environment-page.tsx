// Changes what belongs to an environment. What config repos put into it is only shown.
import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { useMayAdminister } from '../api/permissions.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { Editing, ProblemSummary } from '../forms/edit/editing.tsx';
import { member, whole } from '../forms/edit/part.ts';
import type { Answered } from '../forms/edit/problems.ts';
import type { Change, Loaded } from '../forms/save/change.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { useLoaded } from '../forms/save/use-loaded.ts';
import { VariablesEditor } from '../forms/variables/variables.tsx';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import { Link } from '../kit/link.tsx';

import type { PageProps } from '../kit/page-props.ts';
import { pageOf } from '../kit/routing.ts';
import { Loading, Shown } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { AgentsOf } from './agents-of.tsx';
import {
  ENVIRONMENTS_VERSION,
  type EnvironmentBody,
  isOwn,
  MERGED_ADDRESS,
  MERGED_VERSION,
  type MergedEnvironment,
  type MergedList,
  ownPart,
} from './environment.ts';
import { PipelinesEditor } from './pipelines-editor.tsx';

export function EditEnvironmentPage({ params: { name } }: PageProps<{ name: string }>) {
  useTitle(`Edit ${name}`);
  const read = useLoaded<EnvironmentBody>(path`/api/admin/environments/${name}`, ENVIRONMENTS_VERSION);
  const merged = useApi<MergedList>(MERGED_ADDRESS, MERGED_VERSION, { changedBy: ({ kind }) => kind === 'config' });
  return (
    <>
      <Breadcrumb crumbs={[{ label: 'Environments', href: pageOf.environments() }]} />
      <h1>{name}</h1>
      <Shown read={read}>
        {(loaded) => (
          <Shown read={merged}>
            {({ _embedded: { environments } }) => {
              const found = environments.find((one) => one.name.toLowerCase() === loaded.body.name.toLowerCase());
              if (found === undefined) return <Loading />;
              return <EnvironmentEditor key={loaded.etag} loaded={loaded} merged={found} onReload={read.reload} />;
            }}
          </Shown>
        )}
      </Shown>
    </>
  );
}

interface EnvironmentEditorProps {
  readonly loaded: Loaded<EnvironmentBody>;
  readonly merged: MergedEnvironment;
  readonly onReload: () => void;
}

function EnvironmentEditor({ loaded, merged, onReload }: EnvironmentEditorProps) {
  const mayChange = useMayAdminister('environment', merged.name);
  const body = useMemo(() => signal(ownPart(merged)), []);
  const answered = useMemo(() => signal<Answered>(undefined), []);
  const [change, setChange] = useState<Change>();
  const part = whole(body);
  const review = (event: Event): void => {
    event.preventDefault();
    answered.value = undefined;
    setChange({
      method: 'PUT',
      address: path`/api/admin/environments/${merged.name}`,
      version: ENVIRONMENTS_VERSION,
      body: body.peek(),
      ifMatch: loaded.etag,
    });
  };
  return (
    <>
      <Editing answered={answered} isReadOnly={!mayChange}>
        <form class="form" onSubmit={review}>
          <ProblemSummary answered={answered} />
          <PipelinesEditor list={member(part, 'pipelines')} />
          <VariablesEditor list={member(part, 'environment_variables')} />
          <FromRepos merged={merged} />
          {mayChange && (
            <footer class="form-footer">
              <button type="submit" class="button is-primary">
                Preview and save …
              </button>
            </footer>
          )}
        </form>
      </Editing>
      <AgentsOf environment={merged.name} />
      {change !== undefined && (
        <SaveDialog<EnvironmentBody>
          title={`Save ${merged.name}`}
          action="Save"
          change={change}
          onClose={() => setChange(undefined)}
          onTakeTheirs={onReload}
          onRefused={(failure) => {
            answered.value = failure.data ?? { errors: { '': [failure.message] } };
            setChange(undefined);
          }}
          done={`${merged.name} is saved.`}
          onSaved={() => {
            setChange(undefined);
            reloadAll(MERGED_ADDRESS);
            onReload();
          }}
        />
      )}
    </>
  );
}

function FromRepos({ merged: { pipelines, environment_variables: variables } }: { readonly merged: MergedEnvironment }) {
  const parts = [...pipelines, ...variables].filter((part) => !isOwn(part));
  if (parts.length === 0) return null;
  return (
    <fieldset>
      <legend>From config repos</legend>
      <p class="quiet">Change these in the files of the repositories.</p>
      <ul>
        {parts.map(({ name, origin: { id = '' } }) => (
          <li key={name}>
            {name} <span class="quiet">from</span> <Link href={pageOf.configRepo(id)}>{id}</Link>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
