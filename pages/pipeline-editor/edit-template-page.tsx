// Changes the stages of a template, for all pipelines that use it.
import { useMemo } from 'preact/hooks';
import { path } from '../api/address.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { member } from '../forms/edit/part.ts';
import type { Change, Loaded } from '../forms/save/change.ts';
import { useLoaded } from '../forms/save/use-loaded.ts';
import { Breadcrumb } from '../kit/breadcrumb.tsx';

import type { PageProps } from '../kit/page-props.ts';
import { pageOf, useParameter } from '../kit/routing.ts';
import { Shown } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ChosenOfStages } from './chosen-part.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { EditorState } from './editor-state.ts';
import { bodyOf, TEMPLATES_VERSION, type Template } from './pipeline.ts';
import { pathOf } from './place.ts';
import { StagesTree } from './tree/stages-tree.tsx';

const FIRST_STAGE = 'stages.0';

export function EditTemplatePage({ params: { name } }: PageProps<{ name: string }>) {
  useTitle(`Edit the template ${name}`);
  const read = useLoaded<Template>(path`/api/admin/templates/${name}`, TEMPLATES_VERSION);
  return (
    <>
      <Breadcrumb crumbs={[{ label: 'Templates', href: pageOf.templates() }]} />
      <h1>Edit the template {name}</h1>
      <Parameters name={name} />
      <Shown read={read}>{(loaded) => <TemplateEditor key={loaded.etag} loaded={loaded} onReload={read.reload} />}</Shown>
    </>
  );
}

function Parameters({ name }: { readonly name: string }) {
  const { data } = useApi<{ readonly parameters: readonly string[] }>(path`/api/admin/templates/${name}/parameters`, TEMPLATES_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  if (data === undefined || data.parameters.length === 0) return null;
  return <p>Its parameters, of which each pipeline gives the values: {data.parameters.join(', ')}.</p>;
}

interface TemplatesAnswer {
  readonly _embedded: { readonly templates: readonly { readonly name: string; readonly can_edit: boolean }[] };
}

/** Until it is known, no. */
function useMayEdit(name: string): boolean {
  const { data } = useApi<TemplatesAnswer>('/api/admin/templates', TEMPLATES_VERSION);
  return data?._embedded.templates.find((template) => template.name === name)?.can_edit ?? false;
}

function TemplateEditor({ loaded, onReload }: { readonly loaded: Loaded<Template>; readonly onReload: () => void }) {
  const [place, setPlace] = useParameter('part', FIRST_STAGE);
  const editor = useMemo(() => new EditorState(loaded.body, place, setPlace), []);
  const { name } = loaded.body;
  const isReadOnly = !useMayEdit(name);
  const stages = member(editor.part, 'stages');
  const change = (body: Template): Change => ({
    method: 'PUT',
    address: path`/api/admin/templates/${name}`,
    version: TEMPLATES_VERSION,
    body: bodyOf(body),
    ifMatch: loaded.etag,
  });
  return (
    <EditorFrame
      editor={editor}
      name={name}
      isReadOnly={isReadOnly}
      change={change}
      onTakeTheirs={onReload}
      onSaved={() => {
        reloadAll('/api/admin/');
        onReload();
      }}
      tree={
        <nav class="tree" aria-label="Parts of the template">
          <StagesTree editor={editor} list={stages} isReadOnly={isReadOnly} />
        </nav>
      }
    >
      <Chosen editor={editor} />
    </EditorFrame>
  );
}

function Chosen({ editor }: { readonly editor: EditorState<Template> }) {
  const path = pathOf(editor.place);
  if (!editor.has(path)) return <p class="quiet">Choose a stage, a job or a task.</p>;
  return <ChosenOfStages key={editor.place} editor={editor} stages={member(editor.part, 'stages')} path={path} />;
}
