// Changes a pipeline. One that a config repo defines is only shown.
import { useMemo } from 'preact/hooks';
import { path } from '../api/address.ts';
import { reloadAll } from '../api/queries.ts';
import type { Change } from '../forms/save/change.ts';
import { type Entity, useEntity } from '../forms/save/entity.ts';
import { useBodyDraft } from '../forms/save/use-body-draft.ts';
import { Breadcrumb } from '../kit/breadcrumb.tsx';
import { Link } from '../kit/link.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf, useParameter } from '../kit/routing.ts';
import { Shown } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ChosenOfPipeline } from './chosen-part.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { EditorState } from './editor-state.ts';
import { bodyOf, type Origin, PIPELINES_VERSION, type Pipeline } from './pipeline.ts';
import { GENERAL } from './place.ts';
import { PipelineTree } from './tree/pipeline-tree.tsx';

export function EditPipelinePage({ params: { name } }: PageProps<{ name: string }>) {
  useTitle(`Edit ${name}`);
  const read = useEntity<Pipeline>(path`/api/admin/pipelines/${name}`, PIPELINES_VERSION);
  return (
    <>
      <Breadcrumb
        crumbs={[
          { label: 'Pipelines and groups', href: pageOf.adminPipelines() },
          { label: name, href: pageOf.activity(name) },
        ]}
      />
      <h1>Edit {name}</h1>
      <Shown read={read}>{(entity) => <PipelineEditor key={entity.etag} entity={entity} onReload={read.reload} />}</Shown>
    </>
  );
}

function PipelineEditor({ entity, onReload }: { readonly entity: Entity<Pipeline>; readonly onReload: () => void }) {
  const { value, etag } = entity;
  const [place, setPlace] = useParameter('part', GENERAL);
  const editor = useMemo(() => new EditorState(value, place, setPlace), []);
  const { name, origin } = value;
  const isFromRepo = origin?.type === 'config_repo';
  const address = path`/api/admin/pipelines/${name}`;
  const draft = useBodyDraft({ form: address, etag, body: editor.body, original: value, isReadOnly: isFromRepo });
  const isReadOnly = isFromRepo || draft.offered !== undefined;
  const change = (body: Pipeline): Change => ({
    method: 'PUT',
    address,
    version: PIPELINES_VERSION,
    body: bodyOf(body),
    ifMatch: draft.etag,
  });
  return (
    <>
      {isFromRepo && <FromRepo origin={origin} />}
      <EditorFrame
        editor={editor}
        name={name}
        draft={draft}
        isReadOnly={isReadOnly}
        change={change}
        onReload={onReload}
        onSaved={() => {
          reloadAll('/api/admin/');
          onReload();
        }}
        tree={<PipelineTree editor={editor} isReadOnly={isReadOnly} />}
      >
        <ChosenOfPipeline editor={editor} />
      </EditorFrame>
    </>
  );
}

function FromRepo({ origin: { id = '' } }: { readonly origin: Origin }) {
  return (
    <p class="stale">
      The config repo <Link href={pageOf.configRepo(id)}>{id}</Link> defines this pipeline. Change it in the files of the repository.
    </p>
  );
}
