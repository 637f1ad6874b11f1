// The resources in scopes of access tokens: the kinds of configuration, and the chapters of all other routes.
import type { Kind } from '../../../shape/resource.ts';
import { scopeResource } from '../../engine/guards.ts';
import { chaptersOf } from '../../openapi/chapters.ts';

/** Users who see a pipeline also see its runs, jobs, artifacts and so on: there is one resource for all of them. */
export const PIPELINES = 'pipelines';
const OF_PIPELINES: ReadonlySet<string> = new Set([
  'runs',
  'stages',
  'jobs',
  'consoles',
  'artifacts',
  'tests',
  'dashboard',
  'feeds',
  'materials',
]);

/** Chapters of pipelines with routes for administrators, too, which are about no pipeline of its own. */
const ALSO_FOR_ADMINISTRATORS: ReadonlySet<string> = new Set(['materials']);

/** All of the configuration at once: only a scope on all resources will do. */
export const EVERYTHING = '*';
const OF_EVERYTHING: ReadonlySet<string> = new Set(['config-xml', 'config-repository', 'history', 'plans']);

/** Their answers to users depend on nothing, or on the rights that the token gives anyway. */
const OPEN_CHAPTERS: ReadonlySet<string> = new Set([
  'version',
  'health',
  'documentation',
  'permissions',
  'forms',
  'live',
  'sessions',
  'agent-protocol',
]);

/** Their routes for administrators refuse every token by themselves, with any scopes. */
const CLOSED_CHAPTERS: ReadonlySet<string> = new Set(['access-tokens', 'sessions']);

export interface ScopeResource {
  readonly name: string;
  readonly about: string;
}

/** The resource that a route is about. */
export type ResourceOf = (chapter: string, isForAdministrators: boolean) => string | undefined;

/** By the chapter of a route; undefined: it is open to every token. */
export function resourcesByChapter(kinds: readonly Kind[]): ResourceOf {
  const ofKinds = new Map(kinds.filter(({ isInternal }) => !isInternal).map((kind) => [kind.doc, scopeResource(kind)]));
  return (chapter, isForAdministrators) => {
    if (CLOSED_CHAPTERS.has(chapter) || (OPEN_CHAPTERS.has(chapter) && !isForAdministrators)) return undefined;
    if (OF_EVERYTHING.has(chapter)) return EVERYTHING;
    if (OF_PIPELINES.has(chapter) && !isForAdministrators) return PIPELINES;
    return ofKinds.get(chapter) ?? chapter.replaceAll('-', '_');
  };
}

/** All of them, each once, with a sentence. */
export function scopeResources(kinds: readonly Kind[]): readonly ScopeResource[] {
  const resourceOf = resourcesByChapter(kinds);
  const found = new Map<string, ScopeResource>([
    [EVERYTHING, { name: EVERYTHING, about: 'All of them, and the configuration as a whole.' }],
  ]);
  for (const { anchor, about } of chaptersOf(kinds)) {
    const name = resourceOf(anchor, true);
    const isForUsers = OF_PIPELINES.has(anchor) || OPEN_CHAPTERS.has(anchor);
    if (name !== undefined && (!isForUsers || ALSO_FOR_ADMINISTRATORS.has(anchor))) found.getOrInsert(name, { name, about });
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
