// Changes a pipeline. One that a config repo defines is only shown.
import { useMemo } from 'preact/hooks';
import { path } from '../api/address.ts';
import { reloadAll } from '../api/queries.ts';
import type { Change, Loaded } from '../forms/save/change.ts';
import { useLoaded } from '../forms/save/use-loaded.ts';
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
  const read = useLoaded<Pipeline>(path`/api/admin/pipelines/${name}`, PIPELINES_VERSION);
  return (
    <>
      <Breadcrumb
        crumbs={[
          { label: 'Pipelines and groups', href: pageOf.adminPipelines() },
          { label: name, href: pageOf.activity(name) },
        ]}
      />
      <h1>Edit {name}</h1>
      <Shown read={read}>{(loaded) => <PipelineEditor key={loaded.etag} loaded={loaded} onReload={read.reload} />}</Shown>
    </>
  );
}

function PipelineEditor({ loaded, onReload }: { readonly loaded: Loaded<Pipeline>; readonly onReload: () => void }) {
  const [place, setPlace] = useParameter('part', GENERAL);
  const editor = useMemo(() => new EditorState(loaded.body, place, setPlace), []);
  const { name, origin } = loaded.body;
  const isReadOnly = origin?.type === 'config_repo';
  const change = (body: Pipeline): Change => ({
    method: 'PUT',
    address: path`/api/admin/pipelines/${name}`,
    version: PIPELINES_VERSION,
    body: bodyOf(body),
    ifMatch: loaded.etag,
  });
  return (
    <>
      {isReadOnly && <FromRepo origin={origin} />}
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
