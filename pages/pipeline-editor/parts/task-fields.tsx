// The fields of each type of task.
import { computed } from '@preact/signals';
import { useApi } from '../../api/queries.ts';
import { AreaField, CheckField, ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { type Lens, member } from '../../forms/edit/lens.ts';
import { PluginSettings } from '../../forms/edit/plugin-settings.tsx';
import type { Setting } from '../../forms/edit/setting.ts';
import { asLines } from '../../forms/edit/texts.ts';
import type { Task, TaskAttributes } from '../pipeline.ts';
import { useArtifactStores } from './artifact-stores.ts';
import { storeOfFetched } from './store-of-fetched.ts';
import { JobField, PipelineField, StageField, useStages } from './upstream-fields.tsx';

type Attributes = Lens<TaskAttributes>;

export function TaskFields({ lens }: { readonly lens: Lens<Task> }) {
  const type = member(lens, 'type').now.value;
  const attributes = member(lens, 'attributes');
  if (type === 'exec') return <ExecFields attributes={attributes} />;
  if (type === 'script') return <ScriptFields attributes={attributes} />;
  if (type === 'fetch') return <FetchFields attributes={attributes} />;
  if (type === 'pluggable_task') return <PluginFields attributes={attributes} />;
  return <BuildToolFields attributes={attributes} isNant={type === 'nant'} />;
}

const NO_ARGUMENTS: readonly string[] = [];

function ExecFields({ attributes }: { readonly attributes: Attributes }) {
  const list = member(attributes, 'arguments');
  const isLine = attributes.now.value.args !== undefined;
  const lines = asLines({ path: list.path, now: computed(() => list.now.value ?? NO_ARGUMENTS), set: list.set });
  return (
    <>
      <TextField label="Program" lens={member(attributes, 'command')} />
      {isLine ? (
        <TextField isOptional label="Arguments, in one line" lens={member(attributes, 'args')} />
      ) : (
        <AreaField isOptional label="Arguments, one on each line" lens={lines} />
      )}
      <Folder attributes={attributes} />
    </>
  );
}

function ScriptFields({ attributes }: { readonly attributes: Attributes }) {
  return (
    <>
      <AreaField label="Script" lens={member(attributes, 'script')} rows={10} />
      <TextField isOptional label="Shell" lens={member(attributes, 'shell')} hint="Left empty: that of the agent." />
      <Folder attributes={attributes} />
    </>
  );
}

function BuildToolFields({ attributes, isNant }: { readonly attributes: Attributes; readonly isNant: boolean }) {
  return (
    <>
      <TextField isOptional label="Build file" lens={member(attributes, 'build_file')} />
      <TextField isOptional label="Targets" lens={member(attributes, 'target')} />
      {isNant && <TextField isOptional label="Where NAnt is" lens={member(attributes, 'nant_path')} />}
      <Folder attributes={attributes} />
    </>
  );
}

function Folder({ attributes }: { readonly attributes: Attributes }) {
  return (
    <TextField isOptional label="Folder to run in" lens={member(attributes, 'working_directory')} hint="Below that of the pipeline." />
  );
}

const ORIGINS = [
  { value: 'gocd', label: 'this server' },
  { value: 'external', label: 'an artifact store' },
];

function FetchFields({ attributes }: { readonly attributes: Attributes }) {
  const pipeline = member(attributes, 'pipeline');
  const stage = member(attributes, 'stage');
  const isExternal = attributes.now.value.artifact_origin === 'external';
  return (
    <>
      <ChoiceField label="From" lens={member(attributes, 'artifact_origin')} choices={ORIGINS} />
      <PipelineField
        isOptional
        lens={pipeline}
        label="Pipeline"
        hint="Left empty: this one. An ancestor as a path, such as first/second."
      />
      <StageField lens={stage} pipeline={pipeline.now} label="Stage" />
      <JobField lens={member(attributes, 'job')} pipeline={pipeline.now} stage={stage.now} label="Job" />
      {isExternal ? (
        <>
          <TextField label="Artifact" lens={member(attributes, 'artifact_id')} />
          <FetchSettings attributes={attributes} />
        </>
      ) : (
        <>
          <TextField label="What to fetch" lens={member(attributes, 'source')} />
          <CheckField label="It is a single file" lens={member(attributes, 'is_source_a_file')} />
          <TextField isOptional label="Where to put it" lens={member(attributes, 'destination')} />
        </>
      )}
    </>
  );
}

/** The job that publishes the artifact names its store, and with it the plugin that these settings are for. */
function FetchSettings({ attributes }: { readonly attributes: Attributes }) {
  const task = attributes.now.value;
  const store = storeOfFetched(useStages(task.pipeline ?? ''), task);
  const plugin = useArtifactStores().find(({ id }) => id === store)?.plugin_id;
  return <PluginSettings list={settingsOf(attributes)} plugin={plugin} extension="artifact" settings="fetch_artifact_settings" />;
}

interface PluginsAnswer {
  readonly _embedded: { readonly plugin_info: readonly { readonly id: string; readonly about: { readonly version: string } }[] };
}

function PluginFields({ attributes }: { readonly attributes: Attributes }) {
  const plugins = useApi<PluginsAnswer>('/api/admin/plugin_info?type=task', 7).data?._embedded.plugin_info ?? [];
  const plugin = member(attributes, 'plugin_configuration');
  const id = {
    path: [...plugin.path, 'id'],
    now: computed(() => plugin.now.value?.id ?? ''),
    set: (next: string) =>
      plugin.set({ id: next, version: plugins.find((one) => one.id === next)?.about.version ?? plugin.now.peek()?.version ?? '1' }),
  };
  return (
    <>
      <TextField
        label="Plugin"
        lens={id}
        suggestions={plugins.map((one) => one.id)}
        hint={plugins.length === 0 ? 'No plugin for tasks is installed.' : undefined}
      />
      <PluginSettings list={settingsOf(attributes)} plugin={id.now.value} extension="task" settings="task_settings" />
    </>
  );
}

const NO_SETTINGS: readonly Setting[] = [];

function settingsOf(attributes: Attributes): Lens<readonly Setting[]> {
  const settings = member(attributes, 'configuration');
  return { path: settings.path, now: computed(() => settings.now.value ?? NO_SETTINGS), set: settings.set };
}
