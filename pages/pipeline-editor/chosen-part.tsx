// The form of the chosen part.
import type { ComponentChildren } from 'preact';
import { item, type Lens, member, type Path, remove } from '../forms/edit/lens.ts';
import { MoveButtons } from '../forms/edit/order.tsx';
import { VariablesEditor } from '../forms/variables/variables.tsx';
import { EditedStages } from './edited-stages.ts';
import type { Chooser, EditorState } from './editor-state.ts';
import { ownStages } from './own-stages.ts';
import { pathOf } from './part-key.ts';
import { GeneralForm } from './parts/general-form.tsx';
import { JobForm } from './parts/job-form.tsx';
import { MaterialForm } from './parts/material-form.tsx';
import { ParametersForm } from './parts/parameters-form.tsx';
import { StageForm } from './parts/stage-form.tsx';
import { TaskForm } from './parts/task-form.tsx';
import type { Pipeline, Stage } from './pipeline.ts';

export function ChosenOfPipeline({ editor }: { readonly editor: EditorState<Pipeline> }) {
  const { partKey, lens } = editor;
  const path = pathOf(partKey);
  const [first, index] = path;
  if (first === 'parameters') return <Titled title="Parameters">{<ParametersForm lens={lens} />}</Titled>;
  if (first === 'environment_variables') return <VariablesEditor list={member(lens, 'environment_variables')} />;
  if (first === 'materials' && typeof index === 'number' && editor.has(path)) {
    const list = member(lens, 'materials');
    return (
      <Titled key={partKey} title="Material">
        <MaterialForm lens={item(list, index)} pipeline={lens} />
        <ItemButtons editor={editor} list={list} index={index} label="material" />
      </Titled>
    );
  }
  if (first === 'stages' && editor.has(path)) return <ChosenOfStages key={partKey} editor={editor} stages={ownStages(lens)} path={path} />;
  return (
    <Titled title="General">
      <GeneralForm lens={lens} />
    </Titled>
  );
}

interface ChosenOfStagesProps {
  readonly editor: Chooser;
  readonly stages: Lens<readonly Stage[]>;
  /** `['stages', 0, 'jobs', 1]` and the like. */
  readonly path: Path;
}

export function ChosenOfStages({ editor, stages, path }: ChosenOfStagesProps) {
  return (
    <EditedStages.Provider value={stages.now}>
      <ChosenBelow editor={editor} stages={stages} path={path} />
    </EditedStages.Provider>
  );
}

function ChosenBelow({ editor, stages, path }: ChosenOfStagesProps) {
  const [, stageAt, , jobAt, , taskAt] = path;
  if (typeof stageAt !== 'number') return null;
  const stage = item(stages, stageAt);
  if (typeof jobAt !== 'number')
    return (
      <Titled title="Stage">
        <StageForm lens={stage} />
        <ItemButtons editor={editor} list={stages} index={stageAt} label="stage" />
      </Titled>
    );
  const jobs = member(stage, 'jobs');
  const job = item(jobs, jobAt);
  if (typeof taskAt !== 'number')
    return (
      <Titled title="Job">
        <JobForm lens={job} />
        <ItemButtons editor={editor} list={jobs} index={jobAt} label="job" />
      </Titled>
    );
  const tasks = member(job, 'tasks');
  return (
    <Titled title="Task">
      <TaskForm lens={item(tasks, taskAt)} />
      <ItemButtons editor={editor} list={tasks} index={taskAt} label="task" />
    </Titled>
  );
}

function Titled({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="form" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface ItemButtonsProps<T> {
  readonly editor: Chooser;
  readonly list: Lens<readonly T[]>;
  readonly index: number;
  readonly label: string;
}

function ItemButtons<T>({ editor, list, index, label }: ItemButtonsProps<T>) {
  const path = [...list.path, index];
  return (
    <div class="toolbar">
      <MoveButtons list={list} index={index} label={`the ${label}`} onMoved={editor.keepChosen} />
      <button
        type="button"
        class="button"
        onClick={() => {
          editor.leave(path);
          remove(list, index);
        }}
      >
        Remove this {label}
      </button>
    </div>
  );
}
