// Changes the stages of a template, for all pipelines that use it.
import { useMemo } from 'preact/hooks';
import { path } from '../api/address.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import { member } from '../forms/edit/lens.ts';
import type { Change } from '../forms/save/change.ts';
import { type Entity, useEntity } from '../forms/save/entity.ts';
import type { SaveResult } from '../forms/save/requests.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf, useParameter } from '../kit/routing.ts';
import { Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ChosenOfStages } from './chosen-part.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { EditorState } from './editor-state.ts';
import { useNamedPart } from './named-part.ts';
import { pathOf } from './part-key.ts';
import { bodyOf, TEMPLATES_VERSION, type Template } from './pipeline.ts';
import { StagesTree } from './tree/stages-tree.tsx';

const FIRST_STAGE = 'stages.0';

export function EditTemplatePage({ params: { name } }: PageProps<{ name: string }>) {
  useTitle(`Edit the template ${name}`);
  const { refusal, addressOf } = useMoment();
  const read = useEntity<Template>(addressOf(path`/api/admin/templates/${name}`), TEMPLATES_VERSION);
  return (
    <>
      <AdminBreadcrumb crumbs={[{ label: 'Templates', href: addressOf(pageOf.templates()) }]} />
      <div class="page-header">
        <h1>{refusal === undefined ? `Edit the template ${name}` : `The template ${name}`}</h1>
        <EntityHistoryLink resource="templates" id={name} />
        <MomentSwitch />
      </div>
      <Parameters name={name} />
      <Loaded read={read}>
        {(entity) => (
          <TemplateEditor key={entity.etag} entity={entity} isPast={refusal !== undefined} onReload={read.reload} onSaved={read.show} />
        )}
      </Loaded>
    </>
  );
}

function Parameters({ name }: { readonly name: string }) {
  const { addressOf } = useMoment();
  const address = addressOf(path`/api/admin/templates/${name}/parameters`);
  const { data } = useApi<{ readonly parameters: readonly string[] }>(address, TEMPLATES_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  if (data === undefined || data.parameters.length === 0) return null;
  return <p>Its parameters, of which each pipeline gives the values: {data.parameters.join(', ')}.</p>;
}

interface TemplatesAnswer {
  readonly _embedded: { readonly templates: readonly { readonly name: string; readonly can_edit: boolean }[] };
}

/** False until the answer is known. */
function useMayEdit(name: string): boolean {
  const { data } = useApi<TemplatesAnswer>('/api/admin/templates', TEMPLATES_VERSION);
  return data?._embedded.templates.find((template) => template.name === name)?.can_edit ?? false;
}

interface TemplateEditorProps {
  readonly entity: Entity<Template>;
  /** The template is shown at an earlier moment, and cannot be changed. */
  readonly isPast: boolean;
  readonly onReload: () => void;
  readonly onSaved: (saved: SaveResult) => void;
}

function TemplateEditor({ entity, isPast, onReload, onSaved }: TemplateEditorProps) {
  const { value, etag } = entity;
  const [partKey, setPartKey] = useParameter('part', useNamedPart(value) ?? FIRST_STAGE);
  const editor = useMemo(() => new EditorState(value, partKey, setPartKey), []);
  const { name } = value;
  const mayEdit = useMayEdit(name) && !isPast;
  const address = path`/api/admin/templates/${name}`;
  const draft = useBodyDraft({ form: address, etag, body: editor.body, original: value, isReadOnly: !mayEdit });
  const isReadOnly = !mayEdit || draft.offered !== undefined;
  const stages = member(editor.lens, 'stages');
  const change = (body: Template): Change => ({
    method: 'PUT',
    address,
    version: TEMPLATES_VERSION,
    body: bodyOf(body),
    ifMatch: draft.etag,
  });
  return (
    <EditorFrame
      editor={editor}
      name={name}
      draft={draft}
      isReadOnly={isReadOnly}
      change={change}
      onReload={onReload}
      onSaved={(saved) => {
        reloadAll('/api/admin/');
        onSaved(saved);
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
  const path = pathOf(editor.partKey);
  if (!editor.has(path)) return <p class="quiet">Choose a stage, a job or a task.</p>;
  return <ChosenOfStages key={editor.partKey} editor={editor} stages={member(editor.lens, 'stages')} path={path} />;
}
