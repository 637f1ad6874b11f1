// The way to a first pipeline: a repository, a name, a command; then it is previewed, created and run.
import { computed, type Signal, signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { useAdministeredGroups } from '../api/pipeline-groups.ts';
import { reloadAll } from '../api/queries.ts';
import { administersPipelines, currentSession } from '../api/session.ts';
import { BodyDraftOffer } from '../forms/drafts/draft-offer.tsx';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import { Editing, ProblemSummary } from '../forms/edit/editing.tsx';
import { AreaField, TextField } from '../forms/edit/fields.tsx';
import { type Lens, lensOf, member } from '../forms/edit/lens.ts';
import { ServerProblems } from '../forms/edit/server-problems.ts';
import { RepositoryFields, TypeField } from '../forms/materials/material-form.tsx';
import type { Change } from '../forms/save/change.ts';
import { previewText } from '../forms/save/preview-text.ts';
import { SaveDialog } from '../forms/save/save-dialog.tsx';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { Link } from '../kit/link.tsx';
import { runAction } from '../kit/messages.tsx';
import { pageOf, useLocation, useParameter } from '../kit/routing.ts';
import { Empty } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { awaitFirstRun } from './first-run.ts';
import { bodyOf, choiceAt, NEW_CHOICES, nameFor, type PipelineChoices } from './pipeline-choices.ts';

const ADDRESS = '/api/admin/pipelines';
const VERSION = 11;

export function NewPipelinePage() {
  useTitle('New pipeline');
  if (!administersPipelines(currentSession()))
    return (
      <>
        <h1>New pipeline</h1>
        <Empty text="You may create no pipeline. Ask an administrator of a pipeline group for the right." />
      </>
    );
  return (
    <>
      <AdminBreadcrumb crumbs={[{ label: 'Pipelines and groups', href: pageOf.adminPipelines() }]} />
      <h1>New pipeline</h1>
      <NewPipeline />
    </>
  );
}

function NewPipeline() {
  const [, navigate] = useLocation();
  const [group] = useParameter('group');
  const original = useMemo((): PipelineChoices => ({ ...NEW_CHOICES, group }), []);
  const choices = useMemo(() => signal(original), []);
  const problems = useMemo(() => new ServerProblems(choices), []);
  const [change, setChange] = useState<Change>();
  const draft = useBodyDraft({ form: `${ADDRESS} new`, etag: undefined, body: choices, original });
  const review = (event: Event): void => {
    event.preventDefault();
    problems.clear();
    setChange({ method: 'POST', address: ADDRESS, version: VERSION, body: bodyOf(choices.peek()) });
  };
  const created = async (name: string): Promise<void> => {
    reloadAll('/api/dashboard/rows');
    navigate(pageOf.activity(name));
    await runAction(() => awaitFirstRun(name), `${name} will run.`);
  };
  return (
    <Editing problems={problems} isReadOnly={draft.offered !== undefined} above={<BodyDraftOffer draft={draft} />}>
      <form class="form" onSubmit={review}>
        <ProblemSummary problems={problems} />
        <Steps choices={choices} />
        <footer class="form-footer">
          <Link href={pageOf.adminPipelines()} class="button">
            Cancel
          </Link>
          <button type="submit" class="button is-primary">
            {previewText('Create')}
          </button>
        </footer>
      </form>
      {change !== undefined && (
        <SaveDialog
          title={`Create ${choices.value.name}`}
          action="Create and run"
          change={change}
          onClose={() => setChange(undefined)}
          onRefused={(failure) => {
            problems.take(failure, choiceAt);
            setChange(undefined);
          }}
          done={`${choices.value.name} is created.`}
          onSaved={() => {
            draft.discard();
            void created(choices.peek().name);
          }}
        />
      )}
    </Editing>
  );
}

function Steps({ choices }: { readonly choices: Signal<PipelineChoices> }) {
  const lens = lensOf(choices);
  const material = member(lens, 'material');
  const groups = useAdministeredGroups();
  return (
    <>
      <fieldset>
        <legend>1. What it builds from</legend>
        <TypeField lens={material} />
        <RepositoryFields lens={material} owner={{ is: 'pipeline', name: '', group: member(lens, 'group').now.value }} />
      </fieldset>
      <fieldset>
        <legend>2. What it is called</legend>
        <NameField lens={lens} />
        <TextField
          label="Group"
          lens={member(lens, 'group')}
          suggestions={groups}
          isRequired
          hint={currentSession()?.is_admin ? 'A group that does not exist is created.' : 'One that you administer.'}
        />
      </fieldset>
      <fieldset>
        <legend>3. What it does</legend>
        <TextField label="Stage" lens={member(lens, 'stage')} isRequired />
        <TextField label="Job" lens={member(lens, 'job')} isRequired />
        <AreaField label="Script" lens={member(lens, 'script')} rows={6} hint="Lines for the shell of the agent, such as: make test" />
        <p class="quiet">More stages, jobs and tasks can be added afterwards.</p>
      </fieldset>
    </>
  );
}

/** Suggests the name of the repository until the user types a name. */
function NameField({ lens }: { readonly lens: Lens<PipelineChoices> }) {
  const name = member(lens, 'name');
  const suggestion = computed(() => nameFor(lens.now.value.material)).value;
  return (
    <>
      <TextField label="Name" lens={name} isRequired />
      {name.now.value === '' && suggestion !== '' && (
        <button type="button" class="button" onClick={() => name.set(suggestion)}>
          Call it {suggestion}
        </button>
      )}
    </>
  );
}
