// The messages and the documentation of the routes of the dashboard.
import { MESSAGE, TEXT } from '../../../shape/json/schemas.ts';
import { STALE_RECORD } from '../../engine/conflict-schema.ts';
import type { RouteDescription } from '../../engine/route.ts';
import { DASHBOARD, EXAMPLE_DASHBOARD, EXAMPLE_ROWS, EXAMPLE_VIEWS, ROWS, VIEWS } from './schemas.ts';

type Description = Omit<RouteDescription, 'chapter'>;

export const DASHBOARD_CHAPTER = 'dashboard';
export const BEING_PROCESSED = 'Dashboard is being processed, this may take a few seconds. Please check back later.';
const EVERY_USER = 'every user; each sees the pipelines of the groups they may see';

export const SHOW: Description = {
  summary: 'Show all pipelines with their state and last runs',
  details:
    'Shows the runs that are under way and the latest one. The ETag changes only when the answer does. Just after a start the status can be 202 with a message: ask again in a moment.',
  callers: EVERY_USER,
  query: {
    viewName: { ...TEXT, description: 'The name of one of your views; absent or unknown: `Default`.' },
  },
  response: DASHBOARD,
  example: EXAMPLE_DASHBOARD,
  hasEtag: true,
};

export const SHOW_ROWS: Description = {
  summary: 'Show the dashboard in a short form, or what has changed in it',
  details: [
    'For pages and programs that follow many pipelines. Each row has the columns that `columns` names; empty ones at its end are left out, and elsewhere 0 means empty. Numbers are positions in `texts`, `stages`, `places`, `patterns` and `statuses` of the same answer. All times are milliseconds before `base`.',
    '`name`: the name. `place`: number in `places`. `flags`: the sum of the bits in `flags`. `run`: the latest. `others`: older ones that are under way, newest first. `pause`: reason, who (text), when. `exceptions`: numbers of the stages for which the opposite of the bit `canPause` says whether you may operate them.',
    'A run: counter, number in `patterns`, when, label (0: the counter), and a list of stages with more details. Each of these: its place among the stages of the run, counter (0: 1), who started it (text; 0: who triggered the run), who cancelled it (text), and, while it is under way, milliseconds from the run to the stage. A stage with status 0 and without a counter has not been run.',
    'Views are ignored.',
  ].join('\n\n'),
  callers: EVERY_USER,
  query: {
    since: {
      ...TEXT,
      description:
        'The `token` of an earlier answer: only rows that have changed since. If the token is no longer known, or your rights have changed, the answer has all rows.',
    },
  },
  response: ROWS,
  example: EXAMPLE_ROWS,
  hasEtag: true,
};

export const SHOW_VIEWS: Description = {
  summary: 'Show your views of the dashboard',
  details: 'There is always one called `Default`, which is used when no view is named.',
  response: VIEWS,
  example: EXAMPLE_VIEWS,
  hasEtag: true,
};

export const REPLACE_VIEWS: Description = {
  summary: 'Replace your views of the dashboard',
  request: { schema: VIEWS, example: EXAMPLE_VIEWS },
  response: VIEWS,
  example: EXAMPLE_VIEWS,
  hasEtag: true,
  ifMatch: 'required',
  failures: {
    412: STALE_RECORD,
    422: {
      when: 'A view has no name, the name of another view, or a member that is not allowed.',
      schema: MESSAGE,
      example: { message: 'View 1 has no name.' },
    },
  },
};
