// Why a pipeline runs or does not, over HTTP.
import { type Why, type WhyParts, whyOf } from '../../../builds/trigger/why.ts';
import { shownType } from '../../../materials/catalogue/classic-form.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, FLAG, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { whyJobWaits } from '../jobs/why-job-waits.ts';
import { RUNS_CHAPTER } from './docs.ts';
import { shortRunJson } from './json.ts';
import type { BuildRouteParts } from './parts.ts';
import { EXAMPLE_FINGERPRINT, EXAMPLE_MATERIAL, EXAMPLE_MS, EXAMPLE_REVISION, MAYBE_RUN } from './schemas.ts';
import { ACCESS_FAILURES, PIPELINE_PARAMETER, requireViewable, seesMaterial, VIEWERS } from './visibility.ts';

export function whyRoute(parts: BuildRouteParts): Route {
  const { engine, tables, materials, modifications, pauses } = parts;
  const reading: WhyParts = {
    explain: (pipeline) => engine.triggers.explain(pipeline),
    runs: tables.runs,
    materials,
    modifications,
    pauseOf: (pipeline) => pauses.find(pipeline),
    lockOf: (key) => engine.state.locks.get(key),
    activeOf: (key) => engine.state.active.ofPipeline(key),
    whyJobWaits: ({ row }) => whyJobWaits(parts, row, parts.agents()),
    isRequested: (pipeline) => engine.requests.isWaiting(pipeline),
    pollFailureOf: (fingerprint) => parts.pollFailureOf(fingerprint),
    timeZone: () => parts.timeZone(),
    now: () => parts.now(),
  };
  return {
    method: 'GET',
    path: '/api/pipelines/:pipeline_name/why',
    version: 1,
    permission: 'user',
    description: {
      chapter: RUNS_CHAPTER,
      summary: 'Why a pipeline runs or does not',
      details: RULES,
      callers: VIEWERS,
      parameters: { pipeline_name: PIPELINE_PARAMETER },
      response: WHY,
      example: EXAMPLE,
      failures: ACCESS_FAILURES,
    },
    handle: async ({ params: { pipeline_name: name = '' }, identity }) => {
      const pipeline = await requireViewable(parts, name, identity);
      engine.mustBeStarted();
      return jsonAnswer(whyJson(await whyOf(pipeline, reading, (fingerprint) => seesMaterial(parts, fingerprint, identity))));
    },
  };
}

function whyJson({ willRun, isRequested, reasons, lastRun, materials }: Why): JsonOut {
  return {
    will_run: willRun,
    is_requested: isRequested,
    reasons: reasons.map(({ rule, message, details }) => ({ rule, message, ...details })),
    last_run: shortRunJson(lastRun),
    materials: materials.map(({ material: { fingerprint, type, description }, last, latest }) => ({
      fingerprint,
      type: shownType(type),
      description,
      last_run_revision: last,
      latest_revision: latest,
    })),
  };
}

const RULES = [
  'Each reason has a `rule`, a `message` that says what would make it run, and what the rule is about:',
  [
    '`paused`: `paused_by`, `paused_cause`, `paused_at`',
    '`locked`: `run`, the counter of the run that holds the lock',
    '`stage_active`: `stage`, and `runs`, the counters of the runs in which it is in progress',
    '`job_waits`: `run`, `stage` and `job` that no agent takes, and `job_rules`, the rules of the `why` of that job: it keeps the stage or the lock',
    '`manual_first_stage`: `stage`',
    '`no_modifications`: `materials` of which nothing is known yet, or whose stage has not passed; `poll_error` tells why the last poll of one failed',
    '`already_run`: `run`, the counter of the last run',
    '`ignored`: `materials` with `patterns`, `is_inverted`, the first `files` that have changed, and `ignore_for_scheduling`',
    '`fan_in`: `cause`, and for a `disagreement` the `material` and the upstream `runs` with the `revision` that each was made from, unless only pipelines have it that you may not see',
    '`config_repo`: `read_revision`, `wanted_revision`',
    '`timer`: `next`, when its timer runs it',
    '`maintenance`, `disk_full`, `no_stages` and `no_agent` (no agent fits a job that runs on all of them) have nothing to add',
  ]
    .map((line) => `- ${line}`)
    .join('\n'),
].join('\n\n');

const REASON: JsonSchema = {
  ...objectSchema({
    rule: described(TEXT, 'The rule that stops it.'),
    message: described(TEXT, 'What stops it, and what would make it run.'),
  }),
  additionalProperties: true,
};

const WHY = objectSchema(
  {
    will_run: described(FLAG, 'Whether nothing stops it: then it is being scheduled.'),
    is_requested: described(FLAG, 'Whether a user or a timer has asked for a run that is not scheduled yet.'),
    reasons: { type: 'array', items: REASON, description: 'What stops it, if anything does; `timer` states when a timer runs it.' },
    last_run: { ...MAYBE_RUN, description: 'The last run; null: there was none.' },
    materials: {
      type: 'array',
      description: 'What it is built from.',
      items: objectSchema({
        fingerprint: described(TEXT, 'The fingerprint.'),
        type: described(TEXT, 'The type in words, such as `Git` or `Pipeline`.'),
        description: described(TEXT, 'Where it is.'),
        last_run_revision: { ...MAYBE_TEXT, description: 'The revision that the last run used; null: there was no run.' },
        latest_revision: { ...MAYBE_TEXT, description: 'The newest that is known; null: none yet.' },
      }),
    },
  },
  { title: 'Why a pipeline runs' },
);

const EXAMPLE: JsonOut = {
  will_run: false,
  is_requested: false,
  reasons: [
    {
      rule: 'already_run',
      message:
        'Nothing has changed since the run web/1: it was made from the newest revisions of all materials. It runs when one of them changes, or when a user triggers it.',
      run: 1,
    },
  ],
  last_run: { counter: 1, label: '1', scheduled_date: EXAMPLE_MS },
  materials: [
    {
      fingerprint: EXAMPLE_FINGERPRINT,
      type: 'Git',
      description: EXAMPLE_MATERIAL,
      last_run_revision: EXAMPLE_REVISION,
      latest_revision: EXAMPLE_REVISION,
    },
  ],
};
