// Stages, their jobs, and the tasks of those.
import { computed } from '@preact/signals';
import { add, indices, item, type Lens, lengthOf, member } from '../../forms/edit/lens.ts';
import type { Chooser } from '../editor-state.ts';
import { type Job, NEW_TASK, newJob, newStage, type Stage, type Task, taskTitle, unusedName } from '../pipeline.ts';
import { AddButton, Node, Sortable } from './node.tsx';

interface Props<T> {
  readonly editor: Chooser;
  readonly list: Lens<readonly T[]>;
  readonly isReadOnly: boolean;
}

export function StagesTree({ editor, list, isReadOnly }: Props<Stage>) {
  const count = lengthOf(list).value;
  const addStage = (): void => {
    const names = list.now.peek().map(({ name }) => name);
    add(list, newStage(unusedName(names, 'stage')));
    editor.choose([...list.path, names.length]);
  };
  return (
    <section aria-label="Stages">
      <h2 class="tree-heading">Stages {!isReadOnly && <AddButton label="Add a stage" onClick={addStage} />}</h2>
      <ol class="tree-list">
        {indices(count).map((index) => (
          <Sortable key={index} editor={editor} list={list} index={index} isReadOnly={isReadOnly}>
            <StageNode editor={editor} stage={item(list, index)} isReadOnly={isReadOnly} />
          </Sortable>
        ))}
      </ol>
    </section>
  );
}

function StageNode({ editor, stage, isReadOnly }: { readonly editor: Chooser; readonly stage: Lens<Stage>; readonly isReadOnly: boolean }) {
  const jobs = member(stage, 'jobs');
  const count = lengthOf(jobs).value;
  const addJob = (): void => {
    const names = jobs.now.peek().map(({ name }) => name);
    add(jobs, newJob(unusedName(names, 'job')));
    editor.choose([...jobs.path, names.length]);
  };
  return (
    <>
      <Node editor={editor} path={stage.path} title={member(stage, 'name').now}>
        {!isReadOnly && <AddButton label={`Add a job to ${stage.now.peek().name}`} onClick={addJob} />}
      </Node>
      <ol class="tree-list">
        {indices(count).map((index) => (
          <Sortable key={index} editor={editor} list={jobs} index={index} isReadOnly={isReadOnly}>
            <JobNode editor={editor} job={item(jobs, index)} isReadOnly={isReadOnly} />
          </Sortable>
        ))}
      </ol>
    </>
  );
}

function JobNode({ editor, job, isReadOnly }: { readonly editor: Chooser; readonly job: Lens<Job>; readonly isReadOnly: boolean }) {
  const tasks = member(job, 'tasks');
  const count = lengthOf(tasks).value;
  const addTask = (): void => {
    const at = tasks.now.peek().length;
    add(tasks, NEW_TASK);
    editor.choose([...tasks.path, at]);
  };
  return (
    <>
      <Node editor={editor} path={job.path} title={member(job, 'name').now}>
        {!isReadOnly && <AddButton label={`Add a task to ${job.now.peek().name}`} onClick={addTask} />}
      </Node>
      <ol class="tree-list">
        {indices(count).map((index) => (
          <Sortable key={index} editor={editor} list={tasks} index={index} isReadOnly={isReadOnly}>
            <TaskNode editor={editor} task={item(tasks, index)} />
          </Sortable>
        ))}
      </ol>
    </>
  );
}

function TaskNode({ editor, task }: { readonly editor: Chooser; readonly task: Lens<Task> }) {
  return <Node editor={editor} path={task.path} title={computed(() => taskTitle(task.now.value))} />;
}
