// The artifacts that are kept of a job.
import { computed } from '@preact/signals';
import { ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { add, indices, item, type Lens, lengthOf, member, remove } from '../../forms/edit/lens.ts';
import { PluginSettings } from '../../forms/edit/plugin-settings.tsx';
import type { Setting } from '../../forms/edit/setting.ts';
import { withArtifactType } from '../choices.ts';
import type { Artifact } from '../pipeline.ts';
import { useArtifactStores } from './artifact-stores.ts';

const TYPES = [
  { value: 'build', label: 'Files' },
  { value: 'test', label: 'Test reports' },
  { value: 'external', label: 'In an artifact store' },
];

const NO_SETTINGS: readonly Setting[] = [];

export function ArtifactsForm({ list }: { readonly list: Lens<readonly Artifact[]> }) {
  return (
    <fieldset>
      <legend>Artifacts</legend>
      {indices(lengthOf(list).value).map((index) => (
        // Artifacts have no name of their own.
        <ArtifactRow key={index} list={list} index={index} />
      ))}
      <button type="button" class="button" onClick={() => add(list, { type: 'build', source: '', destination: '' })}>
        Add an artifact
      </button>
    </fieldset>
  );
}

function ArtifactRow({ list, index }: { readonly list: Lens<readonly Artifact[]>; readonly index: number }) {
  const lens = item(list, index);
  const type = member(lens, 'type');
  const choose = (next: string): void => lens.set(withArtifactType(lens.now.peek(), next));
  const isExternal = type.now.value === 'external';
  return (
    <div class="row-of-fields">
      <ChoiceField label="Kind" lens={{ ...type, set: choose }} choices={TYPES} />
      {isExternal ? (
        <ExternalFields lens={lens} />
      ) : (
        <>
          <TextField label="What to keep" lens={member(lens, 'source')} />
          <TextField isOptional label="Where to keep it" lens={member(lens, 'destination')} />
        </>
      )}
      <button type="button" class="icon-button" aria-label={`Remove artifact ${index + 1}`} onClick={() => remove(list, index)}>
        ×
      </button>
    </div>
  );
}

function ExternalFields({ lens }: { readonly lens: Lens<Artifact> }) {
  const stores = useArtifactStores();
  const store = member(lens, 'store_id');
  const settings = member(lens, 'configuration');
  return (
    <>
      <TextField label="Name of the artifact" lens={member(lens, 'artifact_id')} />
      <TextField label="Artifact store" lens={store} suggestions={stores.map(({ id }) => id)} />
      <PluginSettings
        list={{ path: settings.path, now: computed(() => settings.now.value ?? NO_SETTINGS), set: settings.set }}
        plugin={stores.find(({ id }) => id === store.now.value)?.plugin_id}
        extension="artifact"
        settings="artifact_config_settings"
      />
    </>
  );
}
