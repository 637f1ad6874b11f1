// Artifact retention: how many runs of a pipeline keep their artifacts, and for how long. Without rules only disk space counts.

import { hasControlCharacter, NO_CONTROL_CHARACTERS } from '../../kit/text/control-characters.ts';
import { describedBy, type FieldDescription } from '../../shape/described.ts';
import { type Field, plainField, required } from '../../shape/field.ts';
import { checkedText, listOf } from '../../shape/fields.ts';
import { readWhole } from '../../shape/json/reading.ts';
import { namedItems } from '../../shape/named-items.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';

const MAX_RULES = 1000;
const MAX_PATTERN_LENGTH = 255;
const MAX_RUNS = 100_000;
const MAX_DAYS = 36_500;
const NO_PATTERN = 'A rule names the pipelines that it is for: one name, or several with `*` and `?`, such as `build-*`.';
const NO_FRACTION = 'This must be a whole number, or null.';

interface Rule {
  readonly pipelines: string;
  readonly keepRuns: number | null;
  readonly keepDays: number | null;
}

export const artifactRetention = singleton({
  title: 'Artifact retention',
  about:
    'Rules by which artifacts are deleted even if there is enough disk space: by the number of later runs, and by age. There are none unless an administrator creates them. Consoles and test results stay, and so do the artifacts of stages that keep them even when disk space is low.',
  path: '/api/admin/config/artifact_retention',
  version: 1,
  permission: 'admin',
  doc: 'artifact-retention',
  links: ['doc', 'self'],
  verbs: ['PUT'],
  needsIfMatch: true,
  fields: {
    rules: namedItems(
      listOf(
        {
          pipelines: required(
            checkedText({
              description: 'The name of a pipeline, or a pattern with the wildcards `*` and `?`; case-insensitive.',
            }),
          ),
          keepRuns: optionalWhole({
            label: 'Runs to keep',
            description:
              'How many of the last runs keep their artifacts. The last one always does. Neither this nor `keep_days`: all stay.',
            hint: 'How many of the last runs keep their artifacts. The last one always does. Neither this nor days: all stay.',
          }),
          keepDays: optionalWhole({
            label: 'Days to keep',
            description: 'For how many days artifacts stay after their stage has ended; with `keep_runs`, what either keeps stays.',
            hint: 'For how many days artifacts stay after their stage has ended. With a number of runs as well, what either keeps stays.',
          }),
        },
        { description: 'For each pipeline, the first rule that matches its name counts. If none matches, it keeps its artifacts.' },
      ),
      'Retention rule',
    ),
  },
  unset: { rules: [] },
  rules: [({ rules }) => countProblems(rules), ({ rules }) => rules.slice(0, MAX_RULES).flatMap(ruleProblems)],
  messages: singletonMessages('Artifact retention'),
  example: {
    rules: [
      { pipelines: 'release-*', keep_runs: null, keep_days: null },
      { pipelines: '*', keep_runs: 20, keep_days: 30 },
    ],
  },
});

function countProblems(rules: readonly Rule[]): Problem[] {
  return problemUnless(rules.length <= MAX_RULES, 'rules', `There can be at most ${MAX_RULES} rules.`);
}

function ruleProblems({ pipelines, keepRuns, keepDays }: Rule, index: number): Problem[] {
  const at = (member: string) => ['rules', index, member];
  return [
    ...patternProblems(pipelines, at('pipelines')),
    ...problemUnless(isBetween(keepRuns, MAX_RUNS), at('keep_runs'), `This must be a number from 1 to ${MAX_RUNS}, or null.`),
    ...problemUnless(isBetween(keepDays, MAX_DAYS), at('keep_days'), `This must be a number from 1 to ${MAX_DAYS}, or null.`),
  ];
}

function patternProblems(pattern: string, at: Problem['at']): Problem[] {
  if (pattern.trim() === '') return problemUnless(false, at, NO_PATTERN);
  if (hasControlCharacter(pattern)) return problemUnless(false, at, NO_CONTROL_CHARACTERS);
  const isPattern = /^[a-zA-Z0-9_.*?-]+$/.test(pattern) && pattern.length <= MAX_PATTERN_LENGTH;
  return problemUnless(
    isPattern,
    at,
    `No pipeline can be called '${pattern.slice(0, MAX_PATTERN_LENGTH)}': this must be letters, digits, underscores, hyphens and periods, with \`*\` and \`?\` as wildcards, at most ${MAX_PATTERN_LENGTH} characters.`,
  );
}

function isBetween(value: number | null, max: number): boolean {
  return value === null || (value >= 1 && value <= max);
}

function optionalWhole(described: FieldDescription): Field<number | null> {
  return plainField<number | null>(
    { type: ['integer', 'null'], minimum: 1, ...describedBy(described) },
    (cursor, name) => {
      const given = cursor.holder[name];
      const whole = given === null ? null : (readWhole(cursor, name) ?? null);
      // Rounded down, it would delete artifacts earlier than was asked for.
      if (whole !== null && Number(given) !== whole) cursor.reading.problems.push({ at: [...cursor.path, name], message: NO_FRACTION });
      return whole;
    },
    (value) => value,
  );
}
