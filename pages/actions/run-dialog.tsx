// Runs a pipeline with revisions and variables of one's choice.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { useApi } from '../api/queries.ts';
import { FieldProblem, useFieldProblem } from '../kit/dialog/field-problem.tsx';
import { FormDialog } from '../kit/dialog/form-dialog.tsx';
import { showMessage } from '../kit/messages.tsx';
import { Loaded } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { authorName, firstLine, shortRevision } from '../kit/text/text.ts';
import { runPipeline } from './pipeline-requests.ts';

interface TriggerMaterial {
  readonly type: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly revision: {
    /** Of the newest, with its author and message. */
    readonly date: string | null;
    readonly user: string | null;
    readonly comment: string | null;
    readonly latest_revision: string | null;
    readonly last_run_revision: string | null;
  };
}

interface TriggerVariable {
  readonly name: string;
  readonly secure: boolean;
  readonly value?: string;
}

interface TriggerOptions {
  readonly variables: readonly TriggerVariable[];
  readonly materials: readonly TriggerMaterial[];
}

const VERSION = 1;
type ChosenRevisions = Readonly<Record<string, string>>;

export function RunDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: () => void }) {
  const read = useApi<TriggerOptions>(path`/api/pipelines/${pipeline}/trigger_options`, VERSION);
  const [revisions, setRevisions] = useState<ChosenRevisions>({});
  const [values, setValues] = useState<ChosenRevisions>({});
  const run = async (): Promise<void> => {
    const materials = Object.entries(revisions).filter(([, revision]) => revision.trim() !== '');
    const secure = new Set(read.data?.variables.filter((variable) => variable.secure).map(({ name }) => name));
    const answer = await runPipeline(pipeline, {
      materials: materials.map(([fingerprint, revision]) => ({ fingerprint, revision: revision.trim() })),
      environment_variables: Object.entries(values).map(([name, value]) => ({ name, value, secure: secure.has(name) })),
    });
    showMessage(answer?.message ?? `${pipeline} will run.`);
  };
  return (
    <FormDialog title={`Run ${pipeline}`} action="Run" onClose={onClose} onSubmit={run} isWide isDisabled={read.data === undefined}>
      <Loaded read={read}>
        {({ materials, variables }) => (
          <>
            <h3>Revisions</h3>
            {materials.map((material) => (
              <MaterialChoice
                key={material.fingerprint}
                material={material}
                value={revisions[material.fingerprint] ?? ''}
                onChange={(revision) => setRevisions({ ...revisions, [material.fingerprint]: revision })}
              />
            ))}
            {variables.length > 0 && <h3>Variables</h3>}
            {variables.map((variable) => (
              <VariableChoice
                key={variable.name}
                variable={variable}
                value={values[variable.name]}
                onChange={(value) => setValues({ ...values, [variable.name]: value })}
              />
            ))}
          </>
        )}
      </Loaded>
    </FormDialog>
  );
}

interface ChoiceProps<V> {
  readonly value: V;
  readonly onChange: (value: string) => void;
}

function MaterialChoice({ material, value, onChange }: ChoiceProps<string> & { readonly material: TriggerMaterial }) {
  const { name, type, fingerprint, revision } = material;
  const { latest_revision: latest, last_run_revision: last } = revision;
  const problem = useFieldProblem(fingerprint);
  return (
    <label>
      <span>
        {name} <span class="quiet">{type}</span>
      </span>
      <input
        {...problem.control}
        placeholder="The newest"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        spellcheck={false}
      />
      <FieldProblem {...problem} />
      {latest && (
        <span class="quiet">
          Newest: {shortRevision(latest)} {revision.user && <bdi>by {authorName(revision.user)}</bdi>} <RelativeTime at={revision.date} />
          {revision.comment && `: ${firstLine(revision.comment)}`}
        </span>
      )}
      {last && <span class="quiet">Last run with {last === latest ? 'the newest' : shortRevision(last)}</span>}
    </label>
  );
}

function VariableChoice({ variable, value, onChange }: ChoiceProps<string | undefined> & { readonly variable: TriggerVariable }) {
  return (
    <label>
      {variable.name}
      <input
        type={variable.secure ? 'password' : 'text'}
        autocomplete="off"
        placeholder={variable.secure ? 'As configured' : undefined}
        value={value ?? variable.value ?? ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
