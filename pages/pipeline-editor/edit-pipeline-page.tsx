// Changes a pipeline. One that a config repo defines is only shown.
import { useMemo } from 'preact/hooks';
import { path } from '../api/address.ts';
import { useRepoSources } from '../api/config-repo-sources.ts';
import { reloadAll } from '../api/queries.ts';
import { useBodyDraft } from '../forms/drafts/use-body-draft.ts';
import type { Change } from '../forms/save/change.ts';
import { type Entity, useEntity } from '../forms/save/entity.ts';
import type { SaveResult } from '../forms/save/requests.ts';
import { AdminBreadcrumb } from '../kit/breadcrumb.tsx';
import { EntityHistoryLink } from '../kit/diff/history-link.tsx';
import { MomentSwitch, useMoment } from '../kit/moment.tsx';
import type { PageProps } from '../kit/page-props.ts';
import { pageOf, useParameter } from '../kit/routing.ts';
import { ConfigRepoLink } from '../kit/source/config-repo-link.tsx';
import { SourceLink } from '../kit/source/source-link.tsx';
import { Loaded } from '../kit/states.tsx';
import { useTitle } from '../kit/title.ts';
import { ChosenOfPipeline } from './chosen-part.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { EditorState } from './editor-state.ts';
import { useNamedPart } from './named-part.ts';
import { GENERAL } from './part-key.ts';
import { bodyOf, type Origin, PIPELINES_VERSION, type Pipeline } from './pipeline.ts';
import { PipelineTree } from './tree/pipeline-tree.tsx';

export function EditPipelinePage({ params: { name } }: PageProps<{ name: string }>) {
  useTitle(`Edit ${name}`);
  const { refusal, addressOf } = useMoment();
  const read = useEntity<Pipeline>(addressOf(path`/api/admin/pipelines/${name}`), PIPELINES_VERSION);
  return (
    <>
      <AdminBreadcrumb
        crumbs={[
          { label: 'Pipelines and groups', href: addressOf(pageOf.adminPipelines()) },
          { label: name, href: pageOf.activity(name) },
        ]}
      />
      <div class="page-header">
        <h1>{refusal === undefined ? `Edit ${name}` : name}</h1>
        <EntityHistoryLink resource="pipelines" id={name} />
        <MomentSwitch />
      </div>
      <Loaded read={read}>
        {(entity) => (
          <PipelineEditor key={entity.etag} entity={entity} isPast={refusal !== undefined} onReload={read.reload} onSaved={read.show} />
        )}
      </Loaded>
    </>
  );
}

interface PipelineEditorProps {
  readonly entity: Entity<Pipeline>;
  /** The pipeline is shown at an earlier moment, and cannot be changed. */
  readonly isPast: boolean;
  readonly onReload: () => void;
  readonly onSaved: (saved: SaveResult) => void;
}

function PipelineEditor({ entity, isPast, onReload, onSaved }: PipelineEditorProps) {
  const { value, etag } = entity;
  const [partKey, setPartKey] = useParameter('part', useNamedPart(value) ?? GENERAL);
  const editor = useMemo(() => new EditorState(value, partKey, setPartKey), []);
  const { name, origin } = value;
  const isFromRepo = origin?.type === 'config_repo';
  const address = path`/api/admin/pipelines/${name}`;
  const draft = useBodyDraft({ form: address, etag, body: editor.body, original: value, isReadOnly: isFromRepo || isPast });
  const isReadOnly = isFromRepo || isPast || draft.offered !== undefined;
  const change = (body: Pipeline): Change => ({
    method: 'PUT',
    address,
    version: PIPELINES_VERSION,
    body: bodyOf(body),
    ifMatch: draft.etag,
  });
  return (
    <>
      {isFromRepo && !isPast && <FromRepo pipeline={name} origin={origin} />}
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
        tree={<PipelineTree editor={editor} isReadOnly={isReadOnly} />}
      >
        <ChosenOfPipeline editor={editor} />
      </EditorFrame>
    </>
  );
}

function FromRepo({ pipeline, origin: { id = '' } }: { readonly pipeline: string; readonly origin: Origin }) {
  const sources = useRepoSources(id, pipeline);
  const [source] = sources?.pipelines ?? [];
  return (
    <p class="stale">
      <span>
        The config repo <ConfigRepoLink id={id} /> defines this pipeline. Change it in{' '}
        {sources === undefined || source === undefined ? (
          'the files of the repository'
        ) : (
          <SourceLink {...source} revision={sources.revision} repository={sources.repository} />
        )}
        .
      </span>
    </p>
  );
}
