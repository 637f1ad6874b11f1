// Changes the pipelines, agents and variables of an environment. The parts that config repos define are only shown.
import { type Signal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { useRepoSources } from '../api/config-repo-sources.ts';
import { useMayAdminister, VIEW_ONLY } from '../api/permissions.ts';
import { reloadAll } from '../api/queries.ts';
import { BodyDraftOffer } from '../forms/drafts/draft-offer.tsx';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import { Editing, ProblemSummary } from '../forms/edit/editing.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { ServerProblems } from '../forms/edit/server-problems.ts';
import type { Change } from '../forms/save/change.ts';
import { type Entity, useEntity } from '../forms/save/entity.ts';
import { previewText } from '../forms/save/preview-text.ts';
import type { SaveResult } from '../forms/save/requests.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { VariablesEditor } from '../forms/variables/variables.tsx';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf } from '../kit/routing.ts';
import { ConfigRepoLink } from '../kit/source/config-repo-link.tsx';
import { SourceLink } from '../kit/source/source-link.tsx';
import { Loaded, Loading } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import {
  ENVIRONMENTS_VERSION,
  type EnvironmentBody,
  isOwn,
  MERGED_ADDRESS,
  MERGED_VERSION,
  type MergedEnvironment,
  type MergedList,
  ownPart,
  repoPartsKey,
  withPipeline,
} from './environment.ts';
import { EnvironmentAgents } from './environment-agents.tsx';
import { PipelinesEditor } from './pipelines-editor.tsx';

export function EditEnvironmentPage({ params: { name } }: PageProps<{ name: string }>) {
  useTitle(`Edit ${name}`);
  const { refusal, addressOf } = useMoment();
  const isAllowed = useMayAdminister('environment', name);
  const read = useEntity<EnvironmentBody>(addressOf(path`/api/admin/environments/${name}`), ENVIRONMENTS_VERSION);
  // Read anew like the environment: with an older answer, what a config repo has added since would pass for a part that is changed here.
  const merged = useEntity<MergedList>(addressOf(MERGED_ADDRESS), MERGED_VERSION);
  const reload = (): void => {
    read.reload();
    merged.reload();
  };
  return (
    <>
      <AdminBreadcrumb crumbs={[{ label: 'Environments', href: addressOf(pageOf.environments()) }]} />
      <div class="page-header">
        <h1>{name}</h1>
        <EntityHistoryLink resource="environments" id={name} />
        <MomentSwitch />
      </div>
      {isAllowed === false && read.data !== undefined && refusal === undefined && <p class="stale">{VIEW_ONLY}</p>}
      <Loaded read={read}>
        {(entity) => (
          <Loaded read={merged}>
            {({ value: { _embedded } }) => {
              const found = _embedded.environments.find((one) => one.name.toLowerCase() === entity.value.name.toLowerCase());
              if (found === undefined) return <Loading />;
              return (
                <EnvironmentEditor
                  key={`${entity.etag} ${repoPartsKey(found)}`}
                  entity={entity}
                  merged={found}
                  isPast={refusal !== undefined}
                  mayChange={isAllowed === true && refusal === undefined}
                  onReload={reload}
                  onSaved={(saved) => {
                    read.show(saved);
                    merged.reload();
                  }}
                />
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

interface EnvironmentEditorProps {
  readonly entity: Entity<EnvironmentBody>;
  readonly merged: MergedEnvironment;
  /** The environment is shown at an earlier moment, and cannot be changed. */
  readonly isPast: boolean;
  readonly mayChange: boolean;
  readonly onReload: () => void;
  readonly onSaved: (saved: SaveResult) => void;
}

function EnvironmentEditor({ entity: { value, etag }, merged, isPast, mayChange, onReload, onSaved }: EnvironmentEditorProps) {
  const original = useMemo(() => ownPart(value, merged), []);
  const body = useMemo(() => signal(original), []);
  const typed = useMemo(() => signal(''), []);
  const problems = useMemo(() => new ServerProblems(body), []);
  const [change, setChange] = useState<Change>();
  const address = path`/api/admin/environments/${merged.name}`;
  const draft = useBodyDraft({ form: address, etag, body, original, isReadOnly: !mayChange });
  const review = (event: Event): void => {
    event.preventDefault();
    problems.clear();
    addTyped(body, typed);
    setChange({ method: 'PUT', address, version: ENVIRONMENTS_VERSION, body: body.peek(), ifMatch: draft.etag });
  };
  return (
    <>
      <Editing problems={problems} isReadOnly={!mayChange || draft.offered !== undefined} above={<BodyDraftOffer draft={draft} />}>
        <form class="form" onSubmit={review}>
          <ProblemSummary problems={problems} />
          <PipelinesEditor environment={merged} list={member(lensOf(body), 'pipelines')} typed={typed} />
          <VariablesEditor list={member(lensOf(body), 'environment_variables')} />
          <FromRepos merged={merged} />
          {mayChange && (
            <footer class="form-footer">
              <button type="submit" class="button is-primary">
                {previewText()}
              </button>
            </footer>
          )}
        </form>
      </Editing>
      {!isPast && <EnvironmentAgents environment={merged.name} />}
      {change !== undefined && (
        <SaveDialog
          title={`Save ${merged.name}`}
          action="Save"
          change={change}
          onClose={() => setChange(undefined)}
          onShowTheirs={() => {
            setChange(undefined);
            draft.keepForNewest();
            onReload();
          }}
          onRefused={(failure) => {
            problems.take(failure);
            setChange(undefined);
          }}
          done={`${merged.name} is saved.`}
          onSaved={(saved) => {
            setChange(undefined);
            draft.discard();
            reloadAll(MERGED_ADDRESS);
            onSaved(saved);
          }}
        />
      )}
    </>
  );
}

/** A name that is typed and not added yet was meant to be saved, too. */
function addTyped(body: Signal<EnvironmentBody>, typed: Signal<string>): void {
  body.value = { ...body.peek(), pipelines: withPipeline(body.peek().pipelines, typed.peek()) };
  typed.value = '';
}

function FromRepos({ merged }: { readonly merged: MergedEnvironment }) {
  const { name: environment, origins, pipelines, environment_variables: variables } = merged;
  const repos = origins.flatMap(({ type, id }) => (type === 'config_repo' && id !== undefined ? [id] : []));
  const parts = [...pipelines, ...variables].filter((part) => !isOwn(part));
  if (repos.length === 0) return null;
  return (
    <fieldset>
      <legend>From config repos</legend>
      <p class="quiet">Change these in the files of the repositories.</p>
      {repos.map((repo) => (
        <Sources key={repo} repo={repo} environment={environment} />
      ))}
      <ul>
        {parts.map(({ name, origin: { id = '' } }) => (
          <li key={name}>
            {name} <span class="quiet">from</span> <ConfigRepoLink id={id} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function Sources({ repo, environment }: { readonly repo: string; readonly environment: string }) {
  const sources = useRepoSources(repo);
  const own = sources?.environments.filter(({ name }) => name.toLowerCase() === environment.toLowerCase()) ?? [];
  if (sources === undefined || own.length === 0) return null;
  return (
    <p>
      {repo}:{' '}
      {own.map((source) => (
        <SourceLink key={source.file} {...source} revision={sources.revision} repository={sources.repository} />
      ))}
    </p>
  );
}
