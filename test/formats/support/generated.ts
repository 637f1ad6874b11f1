// Generated pipelines that could stand in a configuration, with much in their texts that could go wrong in a file.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import * as fc from 'fast-check';
import { hasInvisibleCharacter } from '../../../src/kit/text/invisible-characters.ts';
import type { JsonObject } from '../../../src/shape/json/json.ts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        ...['\n', '\r', ' ', '\t', '  ', ': ', ' #', '#', '- ', '? ', '%', '@', '`', '|', '>', '"', "'", '\\', '{', '}', '[', ']', ','],
        ...[
          '&a',
          '*a',
          '!t',
          '<<',
          '~',
          'null',
          'true',
          'yes',
          'no',
          '1.10',
          '0x1f',
          '2001-01-01',
          '---',
          '...',
          '\u0000',
          '\u0085',
          '\u2028',
        ],
        ...['\uFEFF', '\uD83D', '\uDE00', 'é', '\u007f', 'word', '${COUNT}', '#{name}', 'https://x/y', '//', '/*'],
      ),
      { maxLength: 6 },
    )
    .map((pieces) => pieces.join('')),
);
const filled = text.filter((one) => one.trim() !== '');
const name = fc.stringMatching(/^[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,10}$/);
const flag = fc.boolean();
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });

type Arbitrary = fc.Arbitrary<JsonObject>;
const object = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(members) as Arbitrary;
const typed = (type: string, attributes: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  object({ type: fc.constant(type), attributes: object(attributes) });
const unique = (items: Arbitrary, member: string, maxLength = 3) =>
  fc.uniqueArray(items, { maxLength, selector: (one) => String(one[member]).toLowerCase() });

const visible = filled.filter((one) => !hasInvisibleCharacter(one));
const logins = visible.map((one) => one.trim().normalize('NFC'));
const settings = unique(fc.oneof(object({ key: visible, value: text }), object({ key: visible })), 'key');
const variables = unique(object({ name: filled, value: text, secure: flag }), 'name');
const members = object({ users: fc.uniqueArray(logins, { maxLength: 2 }), roles: fc.uniqueArray(filled, { maxLength: 2 }) });

const address = fc.oneof(
  text.filter((one) => !one.includes('@')),
  fc.constantFrom('https://me:hush@scm.example.org/a.git', 'git@host:a.git'),
);
const login = { username: filled, password: text };
const checkout = { filter: orNull(object({ ignore: fc.array(text, { minLength: 1, maxLength: 3 }) })), invert_filter: flag };
const common = { ...checkout, ...login, auto_update: flag };
const material = fc.oneof(
  typed('git', { ...common, url: address, branch: filled.map((one) => one.trim()), shallow_clone: flag, submodule_folder: orNull(text) }),
  typed('hg', { ...common, url: address, branch: filled }),
  typed('svn', { ...common, url: address, check_externals: flag }),
  typed('p4', { ...common, port: filled, view: filled, use_tickets: flag }),
  typed('tfs', { ...common, url: address, project_path: filled, domain: text }),
  typed('dependency', { pipeline: filled, stage: filled, ignore_for_scheduling: flag }),
  typed('package', { ref: filled }),
  typed('plugin', { ref: filled, ...checkout }),
);
/** Materials that have a folder each; some have no name. */
const materials = fc.array(fc.tuple(material, flag), { minLength: 1, maxLength: 4 }).map((list) =>
  list.map(([{ type, attributes }, isNamed], index) => {
    const nameAndFolder = { ...(isNamed && { name: `m${index}` }), ...(list.length > 1 && { destination: `d${index}` }) };
    return { type, attributes: { ...(attributes as JsonObject), ...nameAndFolder } };
  }),
);

const directory = orNull(text);
const buildTool = { build_file: orNull(text), target: orNull(text), working_directory: directory };
const ownAttributes: Readonly<Record<string, Arbitrary>> = {
  exec: fc.oneof(
    object({ command: filled, working_directory: directory, timeout: orNull(fc.integer({ min: 1, max: 99 })) }),
    object({ command: filled, working_directory: directory, args: filled }),
    object({ command: filled, working_directory: directory, arguments: fc.array(text, { maxLength: 3 }) }),
  ),
  ant: object(buildTool),
  rake: object(buildTool),
  nant: object({ ...buildTool, nant_path: orNull(text) }),
  fetch: fc.oneof(
    object({ pipeline: orNull(filled), stage: filled, job: filled, source: filled, is_source_a_file: flag, destination: directory }),
    object({ artifact_origin: fc.constant('external'), stage: filled, job: filled, artifact_id: filled, configuration: settings }),
  ),
  script: object({ script: filled, shell: orNull(text), working_directory: directory }),
  pluggable_task: object({
    plugin_configuration: object({
      id: fc.oneof(filled, fc.constantFrom('script-executor', 'slipway.script', 'slipway.script.')),
      version: orNull(filled),
    }),
    configuration: settings,
  }),
};
const cancelTask = fc.oneof(...Object.entries(ownAttributes).map(([type, attributes]) => object({ type: fc.constant(type), attributes })));
const task = fc
  .tuple(
    cancelTask,
    object({ run_if: fc.uniqueArray(fc.constantFrom('passed', 'failed', 'any')), on_cancel: orNull(cancelTask), nothing_on_cancel: flag }),
  )
  .map(([{ type, attributes }, conditions]): JsonObject => ({ type: type!, attributes: { ...(attributes as JsonObject), ...conditions } }));

const artifact = fc.oneof(
  object({ type: fc.constantFrom('build', 'test'), source: filled, destination: orNull(text) }),
  object({ type: fc.constant('external'), artifact_id: filled, store_id: filled, configuration: settings }),
);
const agents = fc.oneof(object({ resources: fc.array(filled, { maxLength: 2 }) }), object({ elastic_profile_id: filled }));
const job = fc
  .tuple(
    object({
      name: fc.oneof(name, fc.constant('#{job}')),
      run_instance_count: fc.oneof(fc.constantFrom(null, 'all', '#{count}'), fc.integer({ min: 1, max: 99 })),
      timeout: fc.oneof(fc.constantFrom(null, 0, 'never', '#{minutes}', 7.5), fc.integer({ min: 1, max: 99 })),
      environment_variables: variables,
      tasks: fc.array(task, { maxLength: 3 }),
      tabs: unique(object({ name: filled, path: filled }), 'name'),
      artifacts: fc.array(artifact, { maxLength: 3 }),
    }),
    agents,
  )
  .map(([own, where]): JsonObject => ({ ...own, ...where }));
const stage = object({
  name,
  fetch_materials: flag,
  clean_working_directory: flag,
  never_cleanup_artifacts: flag,
  approval: object({ type: fc.constantFrom('success', 'manual'), allow_only_on_success: flag, authorization: members }),
  environment_variables: variables,
  jobs: fc.uniqueArray(job, { minLength: 1, maxLength: 2, selector: (one) => String(one.name).toLowerCase() }),
});

const about = {
  group: name,
  name,
  label_template: text,
  lock_behavior: fc.constantFrom('lockOnFailure', 'unlockWhenFinished', 'none', '#{lock}'),
  parameters: unique(object({ name, value: text }), 'name'),
  environment_variables: variables,
  materials,
  tracking_tool: orNull(typed('generic', { url_pattern: text, regex: text })),
  timer: orNull(object({ spec: text, only_on_changes: flag })),
};

export const generatedPipeline: Arbitrary = fc.oneof(
  { weight: 4, arbitrary: object({ ...about, stages: unique(stage, 'name').filter((list) => list.length > 0) }) },
  { weight: 1, arbitrary: object({ ...about, template: name }) },
);
