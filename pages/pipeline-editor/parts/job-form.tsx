// A job: where it runs, its timeout, and the artifacts that are kept of it.
import { useApi } from '../../api/queries.ts';
import { currentSession } from '../../api/session.ts';
import { TextField } from '../../forms/edit/fields.tsx';
import { add, indices, item, type Lens, lengthOf, member, remove } from '../../forms/edit/lens.ts';
import { asNames } from '../../forms/edit/texts.ts';
import { VariablesEditor } from '../../forms/variables/variables.tsx';
import type { Job, Tab } from '../pipeline.ts';
import { ArtifactsForm } from './artifacts-form.tsx';
import { numberOrText } from './number-or-text.ts';

interface ProfilesAnswer {
  readonly _embedded: { readonly profiles: readonly { readonly id: string }[] };
}

export function JobForm({ lens }: { readonly lens: Lens<Job> }) {
  const maySeeProfiles = currentSession()?.can?.view_elastic_agent_profiles ?? false;
  const profiles = useApi<ProfilesAnswer>('/api/elastic/profiles', 2, { isEnabled: maySeeProfiles }).data?._embedded.profiles ?? [];
  return (
    <>
      <TextField label="Name" lens={member(lens, 'name')} isRequired />
      <TextField
        isOptional
        label="Resources, separated by commas"
        lens={asNames(member(lens, 'resources'))}
        hint="What an agent must have to run it. None: any agent."
      />
      <TextField
        isOptional
        label="Elastic agent profile"
        lens={member(lens, 'elastic_profile_id')}
        suggestions={profiles.map(({ id }) => id)}
        hint="Instead of resources: an agent is made for it."
      />
      <TextField
        isOptional
        label="How many agents run it"
        lens={numberOrText(member(lens, 'run_instance_count'))}
        hint="A number, or all. Left empty: one."
      />
      <TextField
        isOptional
        label="Minutes without output after which it is cancelled"
        lens={numberOrText(member(lens, 'timeout'))}
        hint="A number, or never. Left empty: as the server says."
      />
      <ArtifactsForm list={member(lens, 'artifacts')} />
      <TabsForm list={member(lens, 'tabs')} />
      <VariablesEditor list={member(lens, 'environment_variables')} />
    </>
  );
}

function TabsForm({ list }: { readonly list: Lens<readonly Tab[]> }) {
  return (
    <fieldset>
      <legend>Tabs of its page</legend>
      {indices(lengthOf(list).value).map((index) => (
        // Names change while they are typed.
        <TabRow key={index} list={list} index={index} />
      ))}
      <button type="button" class="button" onClick={() => add(list, { name: '', path: '' })}>
        Add a tab
      </button>
    </fieldset>
  );
}

function TabRow({ list, index }: { readonly list: Lens<readonly Tab[]>; readonly index: number }) {
  const lens = item(list, index);
  return (
    <div class="row-of-fields">
      <TextField label="Title" lens={member(lens, 'name')} />
      <TextField label="Artifact" lens={member(lens, 'path')} />
      <button type="button" class="icon-button" aria-label={`Remove the tab ${lens.now.peek().name}`} onClick={() => remove(list, index)}>
        ×
      </button>
    </div>
  );
}
