// Generated pipelines and templates that the server takes, each as it is sent and as answers show it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import * as fc from 'fast-check';
import {
  type Arbitrary,
  type Body,
  filledText,
  flag,
  gitBranch,
  leftOut,
  list,
  maskedAddress,
  material,
  members,
  nobody,
  object,
  type Part,
  password,
  perhaps,
  same,
  schedule,
  shortName,
  shownAs,
  text,
  variablesOf,
  webAddress,
  withoutControls,
} from './generated-parts.ts';

/** Texts in which no parameter could be meant. */
const literal = text.filter((one) => !one.includes('#'));
const filled = filledText.filter((one) => !one.includes('#'));
const optionalLiteral = perhaps(same(literal), null);
const optionalPath = perhaps(same(withoutControls(literal)), null);
const variables = perhaps(variablesOf(literal), []);
const folder = perhaps(same(fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/)), null);
const uniquely = (items: Arbitrary<Body, Body>, member: string, { least = 0, most = 3 } = {}): Arbitrary =>
  list(
    fc.uniqueArray(items, { minLength: least, maxLength: most, selector: ({ sent }: Part<Body>) => String(sent[member]).toLowerCase() }),
  );

const filter = same(fc.array(filled, { minLength: 1, maxLength: 3 })).map(({ sent }) => ({
  sent: { ignore: sent },
  shown: { ignore: sent },
}));
const checkOut = { destination: folder, filter: perhaps(filter, null), invert_filter: flag(false) };
const materials = list(
  fc
    .oneof(
      material('git', {
        ...checkOut,
        url: same(webAddress),
        username: perhaps(same(filled)),
        ...password,
        branch: gitBranch,
        submodule_folder: optionalLiteral,
        shallow_clone: flag(false),
      }),
      material('git', { ...checkOut, url: maskedAddress, branch: gitBranch, submodule_folder: leftOut(null), shallow_clone: flag(false) }),
      material('svn', { ...checkOut, url: same(webAddress), check_externals: flag(false) }),
      material('p4', { ...checkOut, port: same(filled), view: same(filled), use_tickets: flag(false) }),
    )
    .map((one) => [one]),
);

const buildTool = { build_file: optionalPath, target: optionalLiteral, working_directory: folder };
const task = (type: string, attributes: Readonly<Record<string, Arbitrary>>): Arbitrary<Body, Body> =>
  object({
    type: same(fc.constant(type)),
    attributes: object({
      run_if: perhaps(same(fc.uniqueArray(fc.constantFrom('passed', 'failed', 'any'))), []),
      on_cancel: leftOut(null),
      ...attributes,
    }),
  });
const command = same(filled.map((one) => one.trim()));
const tasks = list(
  fc.array(
    fc.oneof(
      task('exec', { command, arguments: same(fc.array(literal, { minLength: 1, maxLength: 3 })), working_directory: folder }),
      task('exec', { command, args: same(filled), working_directory: folder }),
      task('ant', buildTool),
      task('rake', buildTool),
      task('nant', { ...buildTool, nant_path: optionalPath }),
      task('script', { script: same(filled), shell: optionalLiteral, working_directory: folder }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
);

const job = object({
  name: same(shortName),
  run_instance_count: perhaps(same(fc.oneof(fc.integer({ min: 1, max: 99 }), fc.constant('all'))), null),
  timeout: perhaps(
    shownAs(fc.oneof(fc.nat(999), fc.constant('never')), (value) => value || 'never'),
    null,
  ),
  elastic_profile_id: leftOut(null),
  environment_variables: variables,
  resources: perhaps(same(fc.uniqueArray(shortName, { maxLength: 3 })), []),
  tasks,
  tabs: uniquely(object({ name: same(shortName.map((one) => one.slice(0, 15))), path: same(shortName) }), 'name'),
  artifacts: uniquely(
    object({ type: same(fc.constantFrom('build', 'test')), source: same(withoutControls(filled)), destination: folder }),
    'source',
  ),
});

const stage = object({
  name: same(shortName),
  fetch_materials: flag(true),
  clean_working_directory: flag(false),
  never_cleanup_artifacts: flag(false),
  approval: perhaps(
    object({
      type: perhaps(same(fc.constantFrom('success', 'manual')), 'success'),
      allow_only_on_success: flag(false),
      authorization: perhaps(members, nobody),
    }),
    { type: 'success', allow_only_on_success: false, authorization: nobody },
  ),
  environment_variables: variables,
  jobs: uniquely(job, 'name', { least: 1, most: 2 }),
});
const stages = uniquely(stage, 'name', { least: 1, most: 2 });

export const generatedTemplate = object({ stages });

/** Pipelines in a group that exists. */
export const generatedPipeline = object({
  group: same(fc.constant('shop')),
  label_template: perhaps(same(fc.constantFrom('v-${COUNT}', '${COUNT}')), '${COUNT}'),
  lock_behavior: perhaps(same(fc.constantFrom('lockOnFailure', 'unlockWhenFinished', 'none')), 'none'),
  template: leftOut(null),
  origin: leftOut({ type: 'gocd' }),
  parameters: perhaps(uniquely(object({ name: same(shortName), value: same(text) }), 'name'), []),
  environment_variables: variables,
  materials,
  stages,
  tracking_tool: leftOut(null),
  timer: perhaps(object({ spec: same(schedule.filter((one) => !one.includes('#'))), only_on_changes: flag(false) }), null),
});
