// A notice: says that something has changed, and names what to read again. Pages that are open get them.
import type { Json } from '../../shape/json/json.ts';
import type { Entity, Kind } from '../../shape/resource.ts';

export const TOPICS = ['dashboard', 'jobs', 'agents', 'materials', 'health', 'config'] as const;
export type Topic = (typeof TOPICS)[number];

/** Which kinds of notices there are, with the topic of each. */
export const NOTICE_KINDS = {
  pipeline: 'dashboard',
  stage: 'dashboard',
  job: 'jobs',
  agent: 'agents',
  material: 'materials',
  health: 'health',
  maintenance: 'health',
  config: 'config',
} as const satisfies Readonly<Record<string, Topic>>;
export type NoticeKind = keyof typeof NOTICE_KINDS;

/** A pipeline and its group. */
interface PipelineInGroup {
  readonly group: string;
  readonly pipeline: string;
}

/** The users who may get a notice. */
export type Audience =
  | 'everyone'
  /** Users who may view one of these pipelines: by their groups, unless a token is limited to some of the pipelines. */
  | { readonly groups: readonly string[]; readonly pipelines: readonly PipelineInGroup[] }
  /** Users who may see one of these: an entity as it was, and as it is. */
  | { readonly kind: Kind; readonly entities: readonly Entity[] }
  /** Users who may list entities of this kind. */
  | { readonly anyOf: Kind };

export interface Notice {
  readonly kind: NoticeKind;
  readonly data: Readonly<Record<string, Json>>;
  /** The pipeline that it is about, in lower case; undefined: it is about none. */
  readonly pipeline?: string;
  readonly audience: Audience;
}

/** The notices that one client gets. */
export interface LiveView {
  /** Clients with the same key get the same notices. */
  readonly key: () => string;
  wants(notice: Notice): boolean;
}
