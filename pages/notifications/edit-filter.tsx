// Adds a notification filter, or changes one.
import { useEffect, useState } from 'preact/hooks';
import { type PipelineName, readPipelineNames } from '../api/pipeline-names.ts';
import { reloadAll } from '../api/queries.ts';
import { RecordDialog } from '../forms/save/record-dialog.tsx';
import { Chooser } from '../kit/chooser.tsx';
import { Labelled } from '../kit/fields/labelled.tsx';
import { matchesSearch } from '../kit/text/text.ts';
import {
  ANY_PIPELINE,
  ANY_STAGE,
  type Content,
  EVENTS,
  FILTERS_ADDRESS,
  FILTERS_VERSION,
  type Filter,
  NEW_FILTER,
} from './notification.ts';

interface EditFilterProps {
  /** undefined: a new filter. */
  readonly filter: Filter | undefined;
  readonly onClose: () => void;
}

export function EditFilter({ filter, onClose }: EditFilterProps) {
  const address = filter === undefined ? FILTERS_ADDRESS : `${FILTERS_ADDRESS}/${filter.id}`;
  return (
    <RecordDialog
      title={filter === undefined ? 'Add a filter' : 'Change a filter'}
      action="Save"
      form={address}
      original={contentOf(filter ?? NEW_FILTER)}
      change={(body) => ({ method: filter === undefined ? 'POST' : 'PATCH', address, version: FILTERS_VERSION, body })}
      done={() => 'The filter is saved.'}
      onSaved={() => reloadAll(FILTERS_ADDRESS)}
      onClose={onClose}
      fields={(content, set) => <Fields content={content} set={set} />}
    />
  );
}

function contentOf({ pipeline, stage, event, match_commits }: Content): Content {
  return { pipeline, stage, event, match_commits };
}

interface FieldsProps {
  readonly content: Content;
  readonly set: (changed: Partial<Content>) => void;
}

function Fields({ content, set }: FieldsProps) {
  const names = useNamesLike(shownName(content.pipeline, ANY_PIPELINE));
  return (
    <>
      <Labelled label="Pipeline" isOptional>
        <input
          list="pipeline-names"
          placeholder="any pipeline"
          spellcheck={false}
          value={shownName(content.pipeline, ANY_PIPELINE)}
          onInput={({ currentTarget }) => set({ pipeline: currentTarget.value || ANY_PIPELINE })}
        />
        <datalist id="pipeline-names">
          {names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Labelled>
      <Labelled label="Stage" isOptional>
        <input
          placeholder="any stage"
          spellcheck={false}
          value={shownName(content.stage, ANY_STAGE)}
          onInput={({ currentTarget }) => set({ stage: currentTarget.value || ANY_STAGE })}
        />
      </Labelled>
      <Chooser label="What happens" isLabelled choices={EVENTS} value={content.event} onChange={(event) => set({ event })} />
      <label class="is-inline">
        <input
          type="checkbox"
          checked={content.match_commits}
          onInput={({ currentTarget }) => set({ match_commits: currentTarget.checked })}
        />
        Only when the run has a commit of mine
      </label>
    </>
  );
}

/** An empty field stands for any pipeline or stage. */
function shownName(name: string, any: string): string {
  return name === any ? '' : name;
}

const MAX_NAMES = 50;

function useNamesLike(text: string): string[] {
  const [names, setNames] = useState<readonly PipelineName[]>([]);
  useEffect(() => {
    // Without the names, the user types the name.
    readPipelineNames().then(setNames, () => undefined);
  }, []);
  return names
    .map(({ name }) => name)
    .filter((name) => matchesSearch(name, text))
    .slice(0, MAX_NAMES);
}
