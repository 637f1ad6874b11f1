// Materials as the API has them, and which fields each type of them has.
import type { MaterialRequest } from '../../../client/index.ts';
import { EARLIER, type KeepsEarlier, type KeepsStored } from '../edit/unsent.ts';

/** A repository that the server polls itself, as it is sent. */
type SentRepository = Exclude<MaterialRequest, { type: 'dependency' | 'package' | 'plugin' }>;
type AttributesOf<M extends MaterialRequest> = M extends unknown ? NonNullable<M['attributes']> : never;
type NamesIn<A> = A extends unknown ? keyof A : never;
type ValueOf<A, K> = A extends unknown ? (K extends keyof A ? A[K] : never) : never;
/** The attributes of repositories of all types. */
type RepositoryAttributes = {
  readonly [K in NamesIn<AttributesOf<SentRepository>>]?: ValueOf<AttributesOf<SentRepository>, K>;
};

export interface MaterialAttributes extends KeepsStored, Omit<RepositoryAttributes, 'filter' | 'encrypted_password'> {
  readonly encrypted_password?: string;
  // Only in pipelines:
  readonly filter?: { readonly ignore: readonly string[] } | null;
  readonly pipeline?: string;
  readonly stage?: string;
  readonly ignore_for_scheduling?: boolean;
  readonly ref?: string;
}

export interface Material extends KeepsEarlier<MaterialAttributes> {
  readonly type: string;
  readonly attributes: MaterialAttributes;
}

/** The attributes with values of a type. */
type AttributeOf<T> = {
  [K in keyof MaterialAttributes & string]-?: NonNullable<MaterialAttributes[K]> extends T ? K : never;
}[keyof MaterialAttributes & string];

export type MaterialField =
  | {
      readonly is: 'text';
      readonly name: AttributeOf<string>;
      readonly label: string;
      readonly hint?: string;
      readonly isLong?: boolean;
      /** The field may be left empty. */
      readonly isOptional?: boolean;
    }
  | { readonly is: 'flag'; readonly name: AttributeOf<boolean>; readonly label: string }
  | { readonly is: 'password' };

interface RepositoryType {
  readonly title: string;
  readonly fields: readonly MaterialField[];
  /** Fields that only materials of pipelines have. */
  readonly inPipelines?: readonly MaterialField[];
  /** The default values of the server for empty fields. */
  readonly initial: MaterialAttributes;
}

const URL: MaterialField = { is: 'text', name: 'url', label: 'URL' };
const USER: readonly MaterialField[] = [{ is: 'text', name: 'username', label: 'User name', isOptional: true }, { is: 'password' }];

export const REPOSITORY_TYPES: Readonly<Record<string, RepositoryType>> = {
  git: {
    title: 'Git',
    fields: [
      URL,
      { is: 'text', name: 'branch', label: 'Branch', isOptional: true, hint: 'A branch, or a ref such as refs/pull/7/head:pr-7.' },
      ...USER,
    ],
    inPipelines: [
      { is: 'flag', name: 'shallow_clone', label: 'Fetch only as much history as needed' },
      { is: 'text', name: 'submodule_folder', label: 'Folder of a submodule', isOptional: true },
    ],
    initial: { url: '', branch: 'main' },
  },
  hg: {
    title: 'Mercurial',
    fields: [URL, { is: 'text', name: 'branch', label: 'Branch', isOptional: true }, ...USER],
    initial: { url: '' },
  },
  svn: {
    title: 'Subversion',
    fields: [URL, ...USER, { is: 'flag', name: 'check_externals', label: 'Changes of externals count' }],
    initial: { url: '' },
  },
  p4: {
    title: 'Perforce',
    fields: [
      { is: 'text', name: 'port', label: 'Port', hint: 'Host and port, such as perforce.example.org:1666.' },
      { is: 'text', name: 'view', label: 'View', isLong: true },
      ...USER,
      { is: 'flag', name: 'use_tickets', label: 'Log in with a ticket' },
    ],
    initial: { port: '', view: '' },
  },
  tfs: {
    title: 'Team Foundation Server',
    fields: [
      { is: 'text', name: 'url', label: 'URL of the collection' },
      { is: 'text', name: 'project_path', label: 'Path of the project' },
      { is: 'text', name: 'domain', label: 'Domain', isOptional: true },
      { is: 'text', name: 'username', label: 'User name' },
      { is: 'password' },
    ],
    initial: { url: '', project_path: '' },
  },
} satisfies Readonly<Record<SentRepository['type'], RepositoryType>>;

/** Kinds that only pipelines have. */
export const OTHER_TYPES: Readonly<Record<string, { readonly title: string; readonly initial: MaterialAttributes }>> = {
  dependency: { title: 'Another pipeline', initial: { pipeline: '', stage: '' } },
  package: { title: 'Package', initial: { ref: '' } },
  plugin: { title: 'SCM of a plugin', initial: { ref: '', filter: null, destination: null, invert_filter: false } },
};

/** A material of another type keeps the URL, and whether it is polled, where both types have it. The other attributes of a type come back with it. */
export function withType({ type: before, attributes, [EARLIER]: earlier }: Material, type: string): Material {
  const entered = { ...earlier, [before]: attributes };
  const repository = REPOSITORY_TYPES[type];
  const { initial } = repository ?? OTHER_TYPES[type] ?? { initial: {} };
  const kept = 'url' in initial && attributes.url ? { url: attributes.url } : {};
  // The server polls unless it is told not to: without a value the form would show the opposite.
  const polled = repository === undefined ? {} : { auto_update: attributes.auto_update ?? entered[type]?.auto_update ?? true };
  return { type, attributes: { ...initial, ...entered[type], ...kept, ...polled }, [EARLIER]: entered };
}

/** The name of a material for people. */
export function materialTitle({ type, attributes }: Material): string {
  const { name, url, port, pipeline, stage, ref } = attributes;
  if (type === 'dependency') return pipeline ? `${pipeline} / ${stage ?? ''}` : 'another pipeline';
  return name || shortAddress(url ?? port ?? ref ?? '') || (REPOSITORY_TYPES[type]?.title ?? type);
}

/** `https://scm.example.org/shop/web.git`: `shop/web`. */
function shortAddress(address: string): string {
  const steps = address
    .replace(/[?#].*$/, '')
    .replace(/(?:\.git)?\/*$/, '')
    .split(/[/:\\]/)
    .filter((step) => step !== '');
  return steps.slice(-2).join('/');
}
