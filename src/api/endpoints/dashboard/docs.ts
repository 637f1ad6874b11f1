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
  summary: 'All pipelines with their state and their last runs',
  details:
    'Runs that are under way are shown, and the latest one. The ETag changes only when something of the answer does. Just after a start the status can be 202, with a message: ask again in a moment.',
  callers: EVERY_USER,
  query: {
    viewName: { ...TEXT, description: 'One of your views; absent or unknown: the one called `Default`.' },
  },
  response: DASHBOARD,
  example: EXAMPLE_DASHBOARD,
  hasEtag: true,
};

export const SHOW_ROWS: Description = {
  summary: 'The same in a short form, and what has changed since',
  details: [
    'For pages and programs that follow many pipelines. Each row has the columns that `columns` names; those at its end that say nothing are left out, and 0 stands for nothing elsewhere. Numbers lead into `texts`, `stages`, `places`, `patterns` and `statuses` of the same answer. All times are milliseconds before `base`.',
    '`name`: the name. `place`: number in `places`. `flags`: the sum of the bits in `flags`. `run`: the latest. `others`: older ones that are under way, newest first. `pause`: reason, who (text), when. `exceptions`: numbers of stages for which the bit `canPause` does not tell whether you may operate them, but its contrary does.',
    'A run: counter, number in `patterns`, when, label (0: the counter), and a list of stages of which there is more to say. Each of these: its place among the stages of the run, counter (0: 1), who started it (text; 0: who set off the run), who cancelled it (text), and, while it is under way, milliseconds from the run to the stage. A stage with status 0 and without a counter has not been run.',
    'Views do not apply.',
  ].join('\n\n'),
  callers: EVERY_USER,
  query: {
    since: {
      ...TEXT,
      description:
        'The `token` of an earlier answer: only rows that have changed since. If that is not known any more, or your rights have changed, the answer is full.',
    },
  },
  response: ROWS,
  example: EXAMPLE_ROWS,
  hasEtag: true,
};

export const SHOW_VIEWS: Description = {
  summary: 'Your views of the dashboard',
  details: 'There is always one called `Default`, which applies where none is named.',
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
      when: 'A view has no name, the name of another one, or something it cannot have.',
      schema: MESSAGE,
      example: { message: 'View 1 has no name.' },
    },
  },
};
