// The pipelines of an environment: added by name, removed one by one.
import { useId, useState } from 'preact/hooks';
import { namesIn, usePipelineRows } from '../api/pipeline-names.ts';
import { FieldProblems, useProblems } from '../forms/edit/editing.tsx';
import { add, type Part, type Path, remove } from '../forms/edit/part.ts';

export function PipelinesEditor({ list }: { readonly list: Part<readonly { readonly name: string }[]> }) {
  const id = useId();
  const [name, setName] = useState('');
  const { data } = usePipelineRows();
  const chosen = list.now.value;
  const taken = new Set(chosen.map((pipeline) => pipeline.name.toLowerCase()));
  const offered =
    data === undefined ? [] : namesIn(data).filter((pipeline) => pipeline.origin === null && !taken.has(pipeline.name.toLowerCase()));
  const addOne = (): void => {
    if (name.trim() === '' || taken.has(name.trim().toLowerCase())) return;
    add(list, { name: name.trim() });
    setName('');
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
        <label class="form-field" for={id}>
          Add a pipeline
          <input
            id={id}
            list={`${id}list`}
            value={name}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              addOne();
            }}
          />
        </label>
        <datalist id={`${id}list`}>
          {offered.map((pipeline) => (
            <option key={pipeline.name} value={pipeline.name} />
          ))}
        </datalist>
        <button type="button" class="button" onClick={addOne}>
          Add
        </button>
      </div>
    </fieldset>
  );
}

function PipelineProblems({ path }: { readonly path: Path }) {
  return <FieldProblems text={useProblems(path)} />;
}
