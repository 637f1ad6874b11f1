// The parts of a pipeline.
import { computed, signal } from '@preact/signals';
import { add, indices, item, lengthOf, member } from '../../forms/edit/lens.ts';
import { materialTitle, withType } from '../../forms/materials/material.ts';
import { Link } from '../../kit/link.tsx';
import { pageOf } from '../../kit/routing.ts';
import type { EditorState } from '../editor-state.ts';
import { ownStages } from '../own-stages.ts';
import { GENERAL } from '../part-key.ts';
import type { Pipeline } from '../pipeline.ts';
import { AddButton, Node, Sortable } from './node.tsx';
import { StagesTree } from './stages-tree.tsx';

interface PipelineTreeProps {
  readonly editor: EditorState<Pipeline>;
  readonly isReadOnly: boolean;
}

const GENERAL_TITLE = signal('General');
const PARAMETERS_TITLE = signal('Parameters');
const VARIABLES_TITLE = signal('Environment variables');
const NEW_MATERIAL = withType({ type: 'git', attributes: {} }, 'git');

export function PipelineTree({ editor, isReadOnly }: PipelineTreeProps) {
  const template = member(editor.lens, 'template').now.value;
  const hasStages = computed(() => editor.body.value.stages !== null).value;
  return (
    <nav class="tree" aria-label="Parts of the pipeline">
      <ul class="tree-list">
        <li>
          <Node editor={editor} path={GENERAL} title={GENERAL_TITLE} />
        </li>
        <li>
          <Node editor={editor} path={['parameters']} title={PARAMETERS_TITLE} />
        </li>
        <li>
          <Node editor={editor} path={['environment_variables']} title={VARIABLES_TITLE} />
        </li>
      </ul>
      <MaterialsTree editor={editor} isReadOnly={isReadOnly} />
      {hasStages ? (
        <StagesTree editor={editor} list={ownStages(editor.lens)} isReadOnly={isReadOnly} />
      ) : (
        <section aria-label="Stages">
          <h2 class="tree-heading">Stages</h2>
          <p>
            come from the template <Link href={pageOf.editTemplate(template ?? '')}>{template}</Link>
          </p>
        </section>
      )}
    </nav>
  );
}

function MaterialsTree({ editor, isReadOnly }: PipelineTreeProps) {
  const list = member(editor.lens, 'materials');
  const count = lengthOf(list).value;
  const addMaterial = (): void => {
    const at = list.now.peek().length;
    add(list, NEW_MATERIAL);
    editor.choose([...list.path, at]);
  };
  return (
    <section aria-label="Materials">
      <h2 class="tree-heading">Materials {!isReadOnly && <AddButton label="Add a material" onClick={addMaterial} />}</h2>
      <ol class="tree-list">
        {indices(count).map((index) => {
          const material = item(list, index);
          return (
            <Sortable key={index} editor={editor} list={list} index={index} isReadOnly={isReadOnly}>
              <Node editor={editor} path={material.path} title={computed(() => materialTitle(material.now.value))} />
            </Sortable>
          );
        })}
      </ol>
    </section>
  );
}
