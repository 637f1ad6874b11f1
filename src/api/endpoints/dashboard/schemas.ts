// The schemas of the dashboard, and the examples of it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: addresses of GoCD are written with ${…}
import { DEFAULT_VIEW, VIEW_STATES, VIEW_TYPES, viewsEtag } from '../../../builds/dashboard/views.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, MAYBE_TIME, objectSchema, TEXT, TEXTS, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { EXAMPLE_MS, EXAMPLE_PIPELINE, EXAMPLE_STAGE, MILLISECONDS, RESULTS, STAGE_STATES } from '../runs/schemas.ts';
import { COLUMNS, FLAGS, STATUSES } from './compact-row.ts';
import { MAX_NAME_LENGTH, MAX_VIEWS } from './read-views.ts';

const COUNT: JsonSchema = { type: 'integer' };
const listOf = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });

const PREVIOUS_STAGE = objectSchema(
  {
    name: described(TEXT, 'The name of the stage.'),
    counter: described(TEXT, 'Which run of the stage it was.'),
    status: { enum: RESULTS, description: 'What became of it.' },
    pipeline_counter: described(COUNT, 'The run of the pipeline it was in.'),
    pipeline_label: described(TEXT, 'What people call that run.'),
  },
  { title: 'Previous run of a stage' },
);
const STAGE = objectSchema(
  {
    name: described(TEXT, 'The name of the stage.'),
    counter: described(TEXT, 'Which run of the stage this is; `1` for one that has not been run.'),
    status: { enum: STAGE_STATES, description: 'Its state; `Unknown`: it has not been run.' },
    approval_type: { enum: ['success', 'manual'], description: 'Whether it starts by itself.' },
    approved_by: described(MAYBE_TEXT, 'Who started it; `changes` when it started by itself, null when it has not been run.'),
    scheduled_at: described(MAYBE_TIME, 'When it was scheduled; null when it has not been run.'),
    can_operate: described(FLAG, 'Whether you may run and cancel it.'),
    allow_only_on_success_of_previous_stage: described(FLAG, 'Whether the previous stage must have passed.'),
  },
  {
    title: 'Stage on the dashboard',
    others: {
      cancelled_by: described(MAYBE_TEXT, 'Who cancelled it; only of one that was cancelled.'),
      previous_stage: described(PREVIOUS_STAGE, 'The last run of the stage that ended before; only of one that is under way.'),
    },
  },
);
const INSTANCE = objectSchema(
  {
    label: described(TEXT, 'Its label.'),
    counter: described(COUNT, 'Which run of the pipeline this is.'),
    triggered_by: described(TEXT, 'What set it off, in words.'),
    scheduled_at: described(TIME, 'When it was scheduled.'),
    _embedded: described(objectSchema({ stages: listOf(STAGE, 'Its stages, those that have not been run yet, too.') }), 'Its stages.'),
  },
  { title: 'Run on the dashboard' },
);
const PIPELINE = objectSchema(
  {
    name: described(TEXT, 'The name of the pipeline.'),
    last_updated_timestamp: described(MILLISECONDS, 'When something of this changed last, in milliseconds since the beginning of 1970.'),
    locked: described(FLAG, 'Whether a run holds its lock.'),
    pause_info: described(
      objectSchema({
        paused: described(FLAG, 'Whether it is paused.'),
        paused_by: described(MAYBE_TEXT, 'Who paused it; null when it is not.'),
        pause_reason: described(MAYBE_TEXT, 'Why; null when it is not.'),
        paused_at: described(MAYBE_TIME, 'When; null when it is not.'),
      }),
      'Whether it is paused, and why.',
    ),
    template_info: described(
      objectSchema({
        is_using_template: described(FLAG, 'Whether its stages come from a template.'),
        template_name: described(MAYBE_TEXT, 'The template.'),
      }),
      'Where its stages come from.',
    ),
    can_operate: described(FLAG, 'Whether you may trigger it.'),
    can_administer: described(FLAG, 'Whether you may change it.'),
    can_unlock: described(FLAG, 'Whether you may release its lock.'),
    can_pause: described(FLAG, 'Whether you may pause it.'),
    from_config_repo: described(FLAG, 'Whether a config repo defines it.'),
    _embedded: described(
      objectSchema({ instances: listOf(INSTANCE, 'Those that are under way, and the latest; newest first.') }),
      'Its runs.',
    ),
  },
  {
    title: 'Pipeline on the dashboard',
    others: {
      config_repo_id: described(TEXT, 'The config repo that defines it.'),
      config_repo_material_url: described(TEXT, 'Where that repository is.'),
      tracking_tool: described(
        objectSchema({
          regex: described(TEXT, 'What finds the number of an issue in a commit message.'),
          link: described(TEXT, 'The address it leads to; `${ID}` stands for the number.'),
        }),
        'Where numbers in commit messages lead to.',
      ),
    },
  },
);
const MEMBERS_OF = (what: string) =>
  objectSchema(
    {
      name: described(TEXT, `The name of the ${what}.`),
      pipelines: described(TEXTS, 'The names of its pipelines, as far as they are shown.'),
      can_administer: described(FLAG, `Whether you may change the ${what}.`),
      defines_pipelines: described(FLAG, 'Whether it has pipelines that you may see, shown or not.'),
    },
    { title: `${what[0]!.toUpperCase()}${what.slice(1)} on the dashboard` },
  );

export const DASHBOARD = objectSchema({
  _personalization: described(TEXT, 'The ETag of your views.'),
  _embedded: described(
    objectSchema({
      pipeline_groups: listOf(MEMBERS_OF('group'), 'The groups you may see.'),
      environments: listOf(MEMBERS_OF('environment'), 'The environments that the pipelines are in.'),
      pipelines: listOf(PIPELINE, 'The pipelines you may see.'),
    }),
    'The content of the answer.',
  ),
});

const EXAMPLE_GROUP = { name: 'shop', pipelines: [EXAMPLE_PIPELINE], can_administer: true, defines_pipelines: true };
export const EXAMPLE_DASHBOARD: JsonOut = {
  _personalization: viewsEtag([DEFAULT_VIEW]),
  _embedded: {
    pipeline_groups: [EXAMPLE_GROUP],
    environments: [],
    pipelines: [
      {
        name: EXAMPLE_PIPELINE,
        last_updated_timestamp: EXAMPLE_MS,
        locked: false,
        pause_info: { paused: false, paused_by: null, pause_reason: null, paused_at: null },
        template_info: { is_using_template: false, template_name: null },
        can_operate: true,
        can_administer: true,
        can_unlock: true,
        can_pause: true,
        from_config_repo: false,
        _embedded: {
          instances: [
            {
              label: '1',
              counter: 1,
              triggered_by: 'Triggered by changes',
              scheduled_at: EXAMPLE_TIME,
              _embedded: {
                stages: [
                  {
                    name: EXAMPLE_STAGE,
                    counter: '1',
                    status: 'Passed',
                    approval_type: 'success',
                    approved_by: 'changes',
                    scheduled_at: EXAMPLE_TIME,
                    can_operate: true,
                    allow_only_on_success_of_previous_stage: false,
                  },
                ],
              },
            },
          ],
        },
      },
    ],
  },
};

export const ROWS = objectSchema(
  {
    token: described(TEXT, 'Stands for this state of what you see: send it as `since` to get what has changed.'),
    full: described(FLAG, 'Whether this is everything; otherwise it is only what has changed.'),
    columns: listOf({ enum: [...COLUMNS] }, 'What stands in a row, in this order. Columns at its end that say nothing are left out.'),
    flags: {
      type: 'object',
      description: 'The bits in the column `flags`.',
      additionalProperties: { type: 'integer', description: 'The value of the bit.' },
    },
    statuses: listOf({ enum: [...STATUSES] }, 'What the numbers of statuses mean.'),
    texts: listOf(MAYBE_TEXT, 'What the numbers of texts mean; 0 is null.'),
    stages: {
      type: 'array',
      description:
        'What the numbers of stages mean: the name, 1 for one that is started by hand, 1 for one before which a stage must have passed.',
      items: { type: 'array', prefixItems: [TEXT, COUNT, COUNT] },
    },
    base: described(MILLISECONDS, 'The time that all other times count back from: each is the milliseconds before it.'),
    places: listOf({ type: 'array', items: COUNT }, 'Where pipelines are: group, environment, config repo, template, as numbers of texts.'),
    patterns: {
      type: 'array',
      description: 'What runs have in common: who set them off (text), the status of each stage as a digit, the numbers of the stages.',
      items: { type: 'array', prefixItems: [COUNT, TEXT], items: COUNT },
    },
    rows: listOf({ type: 'array' }, 'One for each pipeline.'),
  },
  {
    title: 'Dashboard rows',
    others: {
      removed: described(TEXTS, 'The names of pipelines that are gone, or that you may not see any more; only with `full` false.'),
    },
  },
);

export const EXAMPLE_ROWS: JsonOut = {
  token: '8f2c01d94be7.17.admin',
  full: true,
  columns: [...COLUMNS],
  flags: FLAGS,
  statuses: [...STATUSES],
  texts: [null, 'shop', 'changes'],
  stages: [[EXAMPLE_STAGE, 0, 0]],
  base: EXAMPLE_MS,
  places: [[1]],
  patterns: [[2, '3', 0]],
  rows: [[EXAMPLE_PIPELINE, 0, 7, [1, 0, 0]]],
};

const VIEW = objectSchema(
  {
    name: { ...TEXT, maxLength: MAX_NAME_LENGTH, description: 'The name, case-insensitive; no two views of yours have the same.' },
  },
  {
    title: 'View of the dashboard',
    others: {
      type: {
        enum: [...VIEW_TYPES],
        default: DEFAULT_VIEW.type,
        description: '`blacklist`: all but these pipelines; `whitelist`: these alone.',
      },
      pipelines: { ...TEXTS, default: [], description: 'Names of pipelines.' },
      state: {
        type: 'array',
        default: [],
        items: { enum: [...VIEW_STATES] },
        description: 'Only pipelines that build or fail now; empty: pipelines in any state.',
      },
    },
  },
);
export const VIEWS = objectSchema({ filters: { type: 'array', maxItems: MAX_VIEWS, items: VIEW, description: 'The views.' } });
export const EXAMPLE_VIEWS = {
  filters: [{ ...DEFAULT_VIEW }, { name: 'Broken', type: 'whitelist', pipelines: [EXAMPLE_PIPELINE], state: ['failing'] }],
};
