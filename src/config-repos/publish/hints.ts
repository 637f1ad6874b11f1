// How to correct an error, by its message: for errors that are reported without a hint of their own.

export interface ErrorFacts {
  readonly message: string;
  readonly file?: string | undefined;
  readonly entity?: string | undefined;
}

/** The first match counts, so special patterns stand before general ones. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  // Programs of plugins: their standard error can contain any word.
  [/^The plugin \S+ was stopped, because it took/, 'Tell the author of the plugin, or give it more time by limits in its plugin.json.'],
  [/^The plugin \S+ was stopped, because its answer/, 'Put its definitions into several files, or tell the author of the plugin.'],
  [
    /^The plugin \S+ (cannot be started|ended with status 12[67]\b)/,
    'Check command in its plugin.json, and that the program is there and may be run.',
  ],
  [
    /^The plugin \S+ (was ended|ended with status)/,
    'Tell the author of the plugin: it has to answer for every file, even one with mistakes.',
  ],

  // How definitions fit to each other and to the server.
  [/^Not allowed to refer to /, 'Allow it in the rules of the config repo, or refer to something that they allow.'],
  [/^You have defined multiple pipelines named /, 'Rename the pipeline here, or remove it from the other source.'],
  [/^Environment '.*' is defined more than once in this file/, 'Write all that the file says of the environment in one place.'],
  [/^Cannot save SCM, found multiple SCMs called/, 'Give the material another name here, or the same settings as there.'],
  [/^Group with name '.*' already exists/, 'Write the name of the group as it is written already: letter case does not count.'],
  [/^Dependency from pipeline defined in .* is not allowed/, 'Define both pipelines in the same place, or only this one in a config repo.'],
  [/^Circular dependency/, 'Remove one of the dependencies between these pipelines.'],
  [/^Stage with name '.*' does not exist on pipeline/, 'Name a stage that this pipeline has; letter case does not count.'],
  [/tries to fetch artifact from (stage|job)|^Pluggable artifact with id .* does not exist/, 'Name a stage, job and artifact that exist.'],
  [
    /not an upstream pipeline|not an ancestor of|declared ancestor of/,
    'Fetch from a pipeline that is a material of this one, or lead to it by its path, such as a/b.',
  ],
  [/is used elsewhere with a different value for autoUpdate/, 'Give auto_update the same value wherever this repository is a material.'],
  [/can depend on each upstream pipeline only once|^Duplicate .* material detected/, 'Remove one of the materials.'],
  [/^No profile defined corresponding to profile_id/, 'Create the elastic agent profile on the server first, or name one that exists.'],
  [/^Failed to find package repository/, 'Create the package on the server first, or write the id of one that exists.'],
  [/^Failed to find referenced scm/, 'Create the SCM on the server first, or declare it here with plugin_configuration.'],

  // Values of fields.
  [
    /^Encrypted .* belongs to another place/,
    'Encrypt the value for this config repo or pipeline group: POST /api/admin/encrypt with a scope.',
  ],
  [
    /^Encrypted .* was entered for another address/,
    'Encrypt the value for the new address: POST /api/admin/encrypt with scope and address.',
  ],
  [/cipher text is/, 'Encrypt the value with this server: POST /api/admin/encrypt.'],
  [/^Invalid cron syntax|^Timer Spec /, 'Write a cron expression with seconds, such as 0 0 22 ? * MON-FRI.'],
  [
    /^Label |^Invalid label|on label|defined a label template|^Missing environment variable name/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: labels are written like this
    'Use ${COUNT} or the name of a material of this pipeline, such as 1.0-${COUNT}.',
  ],
  [
    /^(Parameter|The param) '' is not defined|^Incomplete param usage|^Error when processing params/,
    'Define the parameter in the pipeline; write ## where # itself is meant.',
  ],
  [/^The params used in field .* longer/, 'Make the values of the parameters shorter, or use them less often.'],
  [
    /destination director|Dest folder|directory name|\bpath\b.*(invalid|outside)|Invalid \w+ path/i,
    'Write a path below the working directory, another one for each.',
  ],
  [
    /must be alphanumeric|name is invalid.*conform to the pattern/,
    'Use letters, digits, underscores, hyphens and periods, at most 255 of them.',
  ],
  [/run_instances must be|Run Instance Count/, 'Write all, or a whole number from 1 on.'],
  [/^Timeout /, 'Write a number of minutes, or never.'],
  [/Approval should be a hash or string|defined approval type as/, 'Write manual or success, or a map with type.'],
  [/both `resource` and `elasticProfileId`/, 'Keep one of them: elastic agents are found by their profile alone.'],

  // The form of files.
  [/tabs should be a hash/, 'Write each tab under its title, with the path of what it shows.'],
  [
    /artifact should be a hash|in artifact, got|artifacts should be a list/,
    'Write each artifact after a dash as build:, test: or external:, with its settings under that.',
  ],
  [/(property|properties) .*should be a hash/, 'Write it as a map, or remove it: it has no effect.'],
  [/^String field \S+: is required/, 'Add it, with a text.'],
  [/to be a hash|hash of pipeline/, 'Write it as a map: each key in a line of its own, indented.'],
  [/Stage must have jobs defined/, 'Add jobs, or tasks if there is only one job.'],
  [/Expected a map in field/, 'Write a map, with a value under each key.'],
  [/Expected a list in field/, 'Write it as a list.'],
  [/Expected (a text|texts) in field|to be texts/, 'Write a single text, in quotes if need be.'],
  [/^Entry \d+ of the list .* is empty/, 'Fill it in, or remove it.'],
  [/^Pipeline has no stages/, 'Add stages, or name a template of the server.'],
  [/^Error parsing YAML/, 'Check the indentation, quotes and brackets around this place.'],
  [/^Failed to parse file as JSON/, 'Check the commas, quotes and brackets around this place.'],
  [/^Unknown key /, 'Remove it.'],

  // Content of the repository.
  [/\blink\b.* leads /, 'Let the link lead to a file of the repository, or put the file itself in its place.'],
  [
    /The submodule .* must not be/,
    'Use an address of a public server in .gitmodules, or exclude the files by the pattern of the config repo.',
  ],
  [/^The submodule |of a submodule /, 'Check the submodule in .gitmodules, or choose other files by the pattern of the config repo.'],
  [/^More than [\d,]+ files match|have more than .* in all/, 'Choose fewer files by the pattern of the config repo.'],
  [/at most [\d.]+ MB of a file/, 'Put its definitions into several files.'],
  [/^Reading the files? takes /, 'Make the files or the repository smaller, then ask for an update of the config repo.'],
  [
    /^Not read, because others|^Too many files wait|^The thread that reads files has ended|^The server is being stopped/,
    'Correct what else is reported of this repo, if anything is, then ask for an update of it.',
  ],
  [/^The plugin could not cope/, 'Tell the author of the plugin; the log of the server says more.'],
  [/^Plugin '.*' is not installed/, 'Install the plugin, or set the plugin_id of the config repo to one that is installed.'],
];

/** Words that are in many messages. */
const GENERAL: typeof HINTS = [
  [/more than once|multiple|not unique|[Dd]uplicate/, 'Rename or remove one of them.'],
  [/does not exist|non-existent|unknown|not found|Could not find|Failed to find|No .* with/i, 'Create it first, or correct the name.'],
  [/required|blank|empty|must have|should be populated|must be specified|[Mm]issing|Please select/, 'Add what is missing.'],
];

export function hintFor(wrong: ErrorFacts): string {
  const { message, file, entity } = wrong;
  return specialHint(message) ?? hintIn(GENERAL, message) ?? `Correct ${entity ?? 'it'}${file ? ` in ${file}` : ''}, and commit that.`;
}

/** undefined: nothing special is known of this. */
export function specialHint(message: string): string | undefined {
  return hintIn(HINTS, message);
}

function hintIn(hints: typeof HINTS, message: string): string | undefined {
  const template = withoutNames(message);
  return hints.find(([wrong]) => wrong.test(template))?.[1];
}

/** The name of an entity must not decide the hint: names are left out, and so is the entity before the mistake. */
function withoutNames(message: string): string {
  return message
    .replace(/^Failed to parse (pipeline|environment) .*?; /, '')
    .replaceAll(/(['"`])[^'"`]*\1/g, '$1$1')
    .replace(/ Source\(s\): \[.*\]$/, '');
}
