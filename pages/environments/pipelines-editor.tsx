// The pipelines of an environment: chosen from a list or typed, removed one by one.
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { pipelineNamesIn, usePipelineRows } from '../api/pipeline-names.ts';
import { FieldProblems, useProblems } from '../forms/edit/editing.tsx';
import { type Lens, type Path, remove } from '../forms/edit/lens.ts';
import { offeredNames } from '../forms/names/offered.ts';
import { Combobox } from '../kit/dialog/combobox.tsx';
import { type MergedEnvironment, namesFromFiles, withPipeline } from './environment.ts';
import { RepoPipelines } from './repo-pipelines.tsx';

interface PipelinesEditorProps {
  readonly environment: MergedEnvironment;
  readonly list: Lens<readonly { readonly name: string }[]>;
  /** A name that is typed and not added yet. Saving adds it. */
  readonly typed: Signal<string>;
}

export function PipelinesEditor({ environment, list, typed }: PipelinesEditorProps) {
  const id = useId();
  const { data } = usePipelineRows();
  const chosen = list.now.value;
  const taken = new Set(chosen.map((pipeline) => pipeline.name.toLowerCase()));
  const all = data === undefined ? [] : pipelineNamesIn(data);
  const own = all.filter(({ name, origin }) => origin === null && !taken.has(name.toLowerCase()));
  const fromRepos = namesFromFiles(environment.pipelines);
  const ofRepos = all.filter(({ name, origin }) => origin !== null && !fromRepos.has(name.toLowerCase()));
  const isOfRepo = (typedName: string): boolean => ofRepos.some(({ name }) => name.toLowerCase() === typedName.trim().toLowerCase());
  const addOne = (name: string): void => {
    if (isOfRepo(name)) return; // the server would refuse it; the hint below says what to do instead
    list.set(withPipeline(list.now.peek(), name));
    typed.value = '';
  };
  return (
    <fieldset>
      <legend>Pipelines</legend>
      {chosen.length === 0 && <p class="quiet">None.</p>}
      <ul class="chosen-names">
        {chosen.map((pipeline, index) => (
          <li key={pipeline.name}>
            {pipeline.name}
            <button type="button" class="icon-button" aria-label={`Remove ${pipeline.name}`} onClick={() => remove(list, index)}>
              ×
            </button>
            <PipelineProblems path={[...list.path, index, 'name']} />
          </li>
        ))}
      </ul>
      <div class="row-of-fields">
        <div class="form-field">
          <label for={id}>Add a pipeline</label>
          <Combobox
            label="Add a pipeline"
            value={typed.value}
            options={offeredNames(
              own.map(({ name, group }) => ({ id: name, hint: group })),
              typed.value,
            )}
            onInput={(value) => {
              typed.value = value;
            }}
            onPick={({ key }) => addOne(key)}
            onEnter={() => addOne(typed.peek())}
            input={{ id }}
          />
        </div>
        <button type="button" class="button" disabled={isOfRepo(typed.value)} onClick={() => addOne(typed.peek())}>
          Add
        </button>
      </div>
      <RepoPipelines environment={environment.name} pipelines={ofRepos} wanted={new Set([typed.value.trim().toLowerCase(), ...taken])} />
    </fieldset>
  );
}

function PipelineProblems({ path }: { readonly path: Path }) {
  return <FieldProblems text={useProblems(path)} />;
}
