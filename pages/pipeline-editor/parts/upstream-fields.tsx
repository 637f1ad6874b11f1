// Names of other pipelines, their stages and jobs, offered while they are typed.
import type { ReadonlySignal } from '@preact/signals';
import { useContext } from 'preact/hooks';
import { path } from '../../api/address.ts';
import { pipelineNamesIn, usePipelineRows } from '../../api/pipeline-names.ts';
import { useApi } from '../../api/queries.ts';
import type { FieldLens } from '../../forms/edit/field-lens.ts';
import { TextField } from '../../forms/edit/fields.tsx';
import { EditedStages } from '../edited-stages.ts';
import { PIPELINES_VERSION, type Stage } from '../pipeline.ts';

interface FieldProps {
  readonly lens: FieldLens<string>;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
}

/** Limit of suggestions: users do not look through more. */
const MAX_SUGGESTIONS = 500;

export function PipelineField({ lens, label, hint, isOptional }: FieldProps) {
  const { data } = usePipelineRows();
  const names = data === undefined ? [] : pipelineNamesIn(data).map(({ name }) => name);
  return <TextField label={label} lens={lens} hint={hint} isOptional={isOptional} suggestions={names.slice(0, MAX_SUGGESTIONS)} />;
}

export function StageField({ lens, pipeline, label, hint }: FieldProps & { readonly pipeline: ReadonlySignal<string | null | undefined> }) {
  const stages = useStages(pipeline.value ?? '');
  return <TextField label={label} lens={lens} hint={hint} suggestions={stages.map(({ name }) => name)} />;
}

interface JobFieldProps extends FieldProps {
  readonly pipeline: ReadonlySignal<string | null | undefined>;
  readonly stage: ReadonlySignal<string | null | undefined>;
}

export function JobField({ lens, pipeline, stage, label, hint }: JobFieldProps) {
  const jobs = useStages(pipeline.value ?? '').find(({ name }) => name === stage.value)?.jobs ?? [];
  return <TextField label={label} lens={lens} hint={hint} suggestions={jobs.map(({ name }) => name)} />;
}

/** Of a pipeline that there is, at the end of a path of them; names that are only half typed are not asked for. No name: the one that is edited. */
export function useStages(address: string): readonly Stage[] {
  const edited = useContext(EditedStages).value;
  const { data: rows } = usePipelineRows();
  const name = address.split('/').at(-1) ?? '';
  const exists = rows?.rows.some(([known]) => known.toLowerCase() === name.toLowerCase());
  const { data } = useApi<{ readonly stages: readonly Stage[] | null }>(path`/api/admin/pipelines/${name}`, PIPELINES_VERSION, {
    isEnabled: exists ?? false,
  });
  return name === '' ? edited : (data?.stages ?? []);
}
