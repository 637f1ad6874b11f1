// The addresses of pages, in one place. An address that a route of the API has is none, save those that say so.
import { PathTree } from '../../kit/path-tree.ts';

export const FIRST_PAGE = '/pipelines';

const ADDRESSES: readonly string[] = [
  FIRST_PAGE,
  '/pipeline/activity/:name',
  '/pipelines/value_stream_map/:name/:counter',
  '/materials/value_stream_map/:fingerprint/:revision',
  '/pipelines/:pipeline/:pipeline_counter/:stage/:stage_counter',
  '/tab/build/detail/:pipeline/:pipeline_counter/:stage/:stage_counter/:job',
  '/agents',
  '/materials',
  '/compare/:name/:from/with/:to',
  '/auth/login',
  '/about',
  '/access_tokens',
  // The pages themselves know the addresses below these.
  '/preferences/*page',
  '/admin',
  '/admin/*page',
];
const MAX_PARAMETER_LENGTH = 1000;

const tree = new PathTree<true>(MAX_PARAMETER_LENGTH);
for (const address of ADDRESSES) tree.add(address, true);

/** `path` is without the context path. */
export function isPageAddress(path: string): boolean {
  return tree.find(path) !== undefined;
}

/** The addresses that have a page and a route of the API: browsers that do not log in by header get the page. */
export const SHARED_WITH_API: ReadonlySet<string> = new Set(['/', '/about']);
