// The problems reported for wrong YAML files: the words of the format, with line and column, and a hint.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { yamlFormat } from './support/formats.ts';
import { parseText } from './support/pipelines.ts';

const FILE = 'ci/a.gocd.yaml';

/** The problems as `line:column message`, each with its hint in brackets. */
function problemsIn(source: string): string[] {
  return parseText(yamlFormat, FILE, source).problems.map(({ line, column, message, hint }) => {
    return `${line}:${column} ${message}${hint ? ` [${hint}]` : ''}`;
  });
}

function warned(source: string): string[] {
  const { problems, warnings } = parseText(yamlFormat, FILE, source);
  assert.deepEqual(problems, []);
  return warnings.map(({ line, column, message, hint }) => `${line}:${column} ${message}${hint ? ` [${hint}]` : ''}`);
}

/** A pipeline whose parts can be replaced one by one; they begin in lines 3, 4 and 5. */
function pipeline({ more = 'group: g', materials = '{ code: { git: u } }', stages = '[ { s: { tasks: [] } } ]' } = {}): string {
  return `pipelines:\n  p:\n    ${more}\n    materials: ${materials}\n    stages: ${stages}\n`;
}

const inStage = (stage: string) => pipeline({ stages: `[ { s: ${stage} } ]` });
const inJob = (job: string) => inStage(`{ jobs: { j: ${job} } }`);
const inTasks = (tasks: string) => inJob(`{ tasks: ${tasks} }`);
const inMaterial = (material: string) => pipeline({ materials: `{ code: ${material} }` });
const failed = (position: string, cause: string, hint = '') => [`${position} Failed to parse pipeline p; ${cause}${hint && ` [${hint}]`}`];

type Case = readonly [title: string, source: string, expected: readonly string[]];

const NOTATION: readonly Case[] = [
  ['nothing', '', ['1:1 File is empty [Write definitions into it, or remove it.]']],
  ['only comments', '# nothing\n\n', ['1:1 File is empty [Write definitions into it, or remove it.]']],
  ['a duplicate key', 'pipelines:\n  a:\n  a:\n', ["3:3 Line 3, column 3: Duplicate key found 'a' [Remove or rename one of them.]"]],
  [
    'a duplicate key under common',
    'common:\n  x: {b: 1, b: 2}\n',
    ["2:13 Line 2, column 13: Duplicate key found 'b' [Remove or rename one of them.]"],
  ],
  [
    'a version in two spellings',
    'format_version: 10\nFormat_Version: 11\n',
    ["2:1 Duplicate key found 'Format_Version' [Remove or rename one of them.]"],
  ],
  [
    'lines that end with a carriage return alone',
    'pipelines:\r  a:\r  a:\r',
    ["3:3 Line 3, column 3: Duplicate key found 'a' [Remove or rename one of them.]"],
  ],
  ['a merged key that is repeated is none', 'common:\n  x: &x {b: 1}\n  y: {<<: *x, b: 2}\npipelines:\n', []],
  [
    'an alias without an anchor',
    'pipelines: *nobody\n',
    [
      "1:12 Error parsing YAML. : Line 1, column 12: Found no anchor for the alias 'nobody' :  [An alias has to stand after the anchor that it names.]",
    ],
  ],
  [
    'an alias of what it is in',
    'common: &a [*a]\n',
    [
      "1:13 Error parsing YAML. : Line 1, column 13: Found no anchor for the alias 'a' :  [An alias has to stand after the anchor that it names.]",
    ],
  ],
  [
    'a merge of a text',
    'common: {<<: x}\n',
    ['1:14 Error parsing YAML. : Line 1, column 14: The merge key << needs a map or a list of maps : '],
  ],
  ['a map as a key', 'common: {? {a: b} : c}\n', ['1:12 Error parsing YAML. : Line 1, column 12: A key must be a text : ']],
];

const ROOT: readonly Case[] = [
  [
    'a text',
    'just text\n',
    ['1:1 Expected a hash with pipelines and environments [Begin with one of format_version, pipelines, environments, common.]'],
  ],
  [
    'an unknown key',
    'pipelnes:\n  a:\n',
    ['1:1 pipelnes is invalid, expected format_version, pipelines, environments, or common [Did you mean pipelines?]'],
  ],
  [
    'another unknown key',
    'pipelines:\ndefaults: {}\n',
    [
      '2:1 defaults is invalid, expected format_version, pipelines, environments, or common [What other parts of the file refer to can stand under common.]',
    ],
  ],
  ['a list of pipelines', 'pipelines:\n  - a:\n', ['2:3 Expected pipelines to be a hash [Write each under its name, without a dash.]']],
  [
    'a version that is no number',
    'format_version: new\n',
    ['1:17 format_version has to be the number of a version [Write a whole number from 1 to 11.]'],
  ],
  [
    'a version that is too old',
    'format_version: 0\n',
    ['1:17 format_version has to be the number of a version [Write a whole number from 1 to 11.]'],
  ],
  [
    'a version that is too new',
    'format_version: 12\n',
    ["1:17 'target_version' is 12 but the Slipway Server supports 11 [Write format_version: 11.]"],
  ],
];

const PIPELINES: readonly Case[] = [
  [
    'nothing in it',
    'pipelines:\n  p:\n',
    [
      ...failed('2:3', 'expected a hash of pipeline materials', 'Write each material under a name of its own.'),
      ...failed(
        '2:3',
        'expected a list of pipeline stages or a template reference',
        'Write each stage after a dash, as a map of its name.',
      ),
    ],
  ],
  ['a text', 'pipelines:\n  p: x\n', failed('2:6', 'expected a hash of pipeline materials', 'Write the pipeline as a map.')],
  [
    'a list of materials',
    pipeline({ materials: '[]' }),
    failed('4:16', 'expected a hash of pipeline materials', 'Write each material under a name of its own.'),
  ],
  [
    'stages as a map',
    pipeline({ stages: '{ s: }' }),
    failed('5:13', 'expected a list of pipeline stages or a template reference', 'Write each stage after a dash, as a map of its name.'),
  ],
  [
    'a stage without jobs',
    inStage('{ approval: manual }'),
    failed('5:17', 'Stage must have jobs defined, or tasks if only one job should exist'),
  ],
  [
    'a stage that is indented too little',
    'pipelines:\n  p:\n    group: g\n    materials: {code: {git: u}}\n    stages:\n      - s:\n        jobs:\n          j: {tasks: []}\n',
    failed(
      '6:9',
      'Stage must have jobs defined, or tasks if only one job should exist',
      'What belongs to the stage s has to be indented more than its name.',
    ),
  ],
  [
    'jobs under a wrong key',
    inStage('{ job: { j: { tasks: [] } } }'),
    failed('5:17', 'Stage must have jobs defined, or tasks if only one job should exist', 'Did you mean jobs by job?'),
  ],
  ['a wrong approval', inStage('{ approval: maybe, tasks: [] }'), failed('5:32', 'Approval should be a hash or string [auto or manual]')],
  ['an approval without type', inStage('{ approval: { users: [a] }, tasks: [] }'), failed('5:32', 'String field type: is required')],
  ['a job without tasks', inJob('{ taks: [] }'), failed('5:30', 'tasks are required in a job', 'Did you mean tasks by taks?')],
  [
    'artifacts as a map',
    inJob('{ artifacts: {}, tasks: [] }'),
    failed('5:46', 'artifacts should be a list of hashes', 'Write each entry after a dash.'),
  ],
  [
    'an artifact as a text',
    inJob('{ artifacts: [x], tasks: [] }'),
    failed('5:47', 'artifact should be a hash - build:, test: or external:'),
  ],
  [
    'an unknown artifact',
    inJob('{ artifacts: [ {builds: {source: x}} ], tasks: [] }'),
    failed('5:49', 'expected build:, test:, or external: in artifact, got builds'),
  ],
  [
    'an artifact without source',
    inJob('{ artifacts: [ {build: {sorce: x}} ], tasks: [] }'),
    failed('5:56', 'String field source: is required', 'Did you mean source by sorce?'),
  ],
  [
    'an external artifact without store',
    inJob('{ artifacts: [ {external: {id: x}} ], tasks: [] }'),
    failed('5:59', 'String field store_id: is required'),
  ],
  ['tabs as a list', inJob('{ tabs: [], tasks: [] }'), failed('5:41', 'tabs should be a hash')],
  ['properties as a list', inJob('{ properties: [], tasks: [] }'), failed('5:47', 'properties should be a hash')],
  ['a property as a text', inJob('{ properties: {x: y}, tasks: [] }'), failed('5:51', 'property x should be a hash')],
  ['a property without source', inJob('{ properties: {x: {xpath: y}}, tasks: [] }'), failed('5:51', 'String field source: is required')],
  ['a wrong number of instances', inJob('{ run_instances: some, tasks: [] }'), failed('5:50', "run_instances must be 'all' or a number")],
  [
    'more instances than can be counted',
    inJob('{ run_instances: 99999999999999999999, tasks: [] }'),
    failed('5:50', "run_instances must be 'all' or a number"),
  ],
  [
    'a task as a text',
    inTasks('[ { exec: ls } ]'),
    failed('5:52', 'expected task exec to be a hash', 'Write the program under command, and its arguments as a list.'),
  ],
  ['a script without a text', inTasks('[ { script: } ]'), failed('5:46', 'expected task script to be a hash')],
  [
    'something else on cancel',
    inTasks('[ { rake: { on_cancel: x } } ]'),
    failed('5:65', 'expected on_cancel task to be a hash', 'Write the type of the task as the only key of the entry, such as exec.'),
  ],
  ['a timer without spec', pipeline({ more: 'timer: { only_on_changes: yes }' }), failed('3:12', 'String field spec: is required')],
  [
    'a wrong flag',
    inMaterial('{ git: u, auto_update: maybe }'),
    failed('4:47', 'Expected boolean value in field auto_update, got maybe', 'Write true or false.'),
  ],
  ['a list instead of a text', pipeline({ more: 'group: [a]' }), failed('3:12', 'Expected a text in field group, got a list.')],
  ['a map instead of a text', pipeline({ more: 'parameters: { A: {b: c} }' }), failed('3:22', 'Expected a text in field A, got a map.')],
  [
    'a text instead of a list',
    inMaterial('{ git: u, ignore: x }'),
    failed('4:42', 'Expected a list in field ignore, got a text.', 'Write each entry after a dash.'),
  ],
];

const OTHERS: readonly Case[] = [
  ['an environment as a list', 'environments:\n  e: []\n', ['2:6 Failed to parse environment e; Expected environment to be a hash']],
  ['no group', pipeline({ more: 'grup: g' }), ["2:3 Missing field 'group'. [Add group.]"]],
  [
    'a wrong order',
    pipeline({ more: 'group: g\n    display_order: first' }),
    ['4:20 Expected integer value in field display_order, got first [Write a whole number, such as 5.]'],
  ],
  ['a short key with nothing under it', inMaterial('{ git: }'), ["4:18 Missing field 'url'. [Add url.]"]],
  [
    'what labels show, beside other mistakes',
    pipeline({ materials: '{ code: { git: { url: u } } }', stages: '[ { s: { tasks: [ { exec: { command: [ls] } }, { exce: } ] } } ]' }),
    [
      '4:31 Expected a text in field url, got a map.',
      '5:50 Expected a text in field command, got a list.',
      "5:62 Invalid or unknown task type 'exce'. [Did you mean exec?]",
    ],
  ],
  [
    'half a minute',
    inJob('{ timeout: 1.5, tasks: [] }'),
    ['5:44 Expected integer value in field timeout, got 1.5 [Write a whole number of minutes.]'],
  ],
  ['a misspelled field', inTasks('[ { exec: { comand: ls } } ]'), ["5:54 Missing field 'command'. [Did you mean command by comand?]"]],
  ['an unknown task', inTasks('[ { exce: { command: ls } } ]'), ["5:46 Invalid or unknown task type 'exce'. [Did you mean exec?]"]],
  [
    'an unknown material',
    inMaterial('{ type: cvs, url: u }'),
    ["4:32 Invalid or unknown material type 'cvs' [It has to be one of git, hg, svn, p4, tfs, dependency, package, plugin, configrepo.]"],
  ],
  [
    'no type of a material',
    inMaterial('{ url: u }'),
    [
      '4:18 JSON element from plugin did not contain [type] property for determining its type. Check your syntax, or the plugin logic. [Add type, one of git, hg, svn, p4, tfs, dependency, package, plugin, configrepo.]',
    ],
  ],
];

for (const [title, cases] of Object.entries({ NOTATION, ROOT, PIPELINES, OTHERS })) {
  describe(title.toLowerCase(), () => {
    for (const [name, source, expected] of cases)
      test(`a mistake under ${title.toLowerCase()} is reported: ${name}`, () => assert.deepEqual(problemsIn(source), expected));
  });
}

describe('syntax', () => {
  for (const [title, source, position, hint] of [
    ['an open bracket', 'pipelines: [a\n', '2:1', undefined],
    ['a tab', 'pipelines:\n\tp:\n', '2:1', 'Indent with blanks.'],
    ['an open quote', 'common: "a\n', '2:1', undefined],
    ['a wrong indent', 'pipelines:\n    a:\n  b:\n', '2:7', undefined],
    ['two keys in a line', 'a: b: c\n', '1:4', undefined],
  ] as const) {
    test(`a mistake of syntax is reported: ${title}`, () => {
      const [problem] = parseText(yamlFormat, FILE, source).problems;
      const { line, column, message, location, entity } = problem!;
      assert.equal(`${line}:${column}`, position, message);
      assert.match(message, new RegExp(`^Error parsing YAML\\. : Line ${line}, column ${column}: .+ : $`));
      assert.deepEqual([location, entity, problem!.hint], [FILE, undefined, hint]);
    });
  }
});

test('a mistake in one entity does not keep others from being read', () => {
  const { pipelines, environments, problems } = parseText(
    yamlFormat,
    FILE,
    'pipelines:\n  bad:\n  good: {group: g, materials: {m: {git: u}}, stages: [{s: {tasks: []}}]}\nenvironments:\n  e: []\n  f:\n',
  );
  assert.deepEqual(
    pipelines.map(({ name }) => name),
    ['good'],
  );
  assert.deepEqual(
    environments.map(({ name }) => name),
    ['f'],
  );
  assert.deepEqual(
    problems.map(({ entity, location }) => [entity, location]),
    [
      ["pipeline 'bad'", FILE],
      ["pipeline 'bad'", FILE],
      ["environment 'e'", FILE],
    ],
  );
});

test('all mistakes of a pipeline are reported at once, and a part that is missing because of one is not reported again', () => {
  const source = [
    'pipelines:',
    '  p:',
    '    group: [g]',
    '    lock_behavior: sometimes',
    '    timer: {}',
    '    materials:',
    '      a: { git: u, auto_update: maybe, destination: a }',
    '      b: x',
    '      c: { type: cvs }',
    '    stages:',
    '      - s: { approval: maybe, jobs: { j: { tabs: [], tasks: [ { exec: ls }, { exce: { command: ls } } ] } } }',
    '      - t: { tasks: [], artifacts: [ x, { build: {} } ] }',
    '      - u:',
  ].join('\n');
  assert.deepEqual(
    problemsIn(source).map((text) => text.replace(/ \[.*/, '')),
    [
      '3:12 Failed to parse pipeline p; Expected a text in field group, got a list.',
      '5:12 Failed to parse pipeline p; String field spec: is required',
      '7:33 Failed to parse pipeline p; Expected boolean value in field auto_update, got maybe',
      '8:10 Failed to parse pipeline p; expected material b to be a hash',
      '11:24 Failed to parse pipeline p; Approval should be a hash or string',
      '11:50 Failed to parse pipeline p; tabs should be a hash',
      '11:71 Failed to parse pipeline p; expected task exec to be a hash',
      '12:38 Failed to parse pipeline p; artifact should be a hash - build:, test: or external:',
      '12:50 Failed to parse pipeline p; String field source: is required',
      '13:9 Failed to parse pipeline p; Stage must have jobs defined, or tasks if only one job should exist',
      '4:20 Lock behavior has an invalid value (sometimes). Valid values are:',
      "9:18 Invalid or unknown material type 'cvs'",
      "11:79 Invalid or unknown task type 'exce'.",
    ],
  );
});

test('a task of a plugin that is not named: the hint speaks of the key of this format, and nothing of keys that are not there', () => {
  const { problems, warnings } = parseText(yamlFormat, FILE, inTasks('[ { plugin: { options: { a: b } } } ]'));
  assert.deepEqual(
    problems.map(({ message, hint }) => [message, hint]),
    [["Missing field 'plugin_configuration'.", 'Add configuration.']],
  );
  assert.deepEqual(warnings, []);
});

test('a problem inside an entity names all that it is in', () => {
  const { problems } = parseText(yamlFormat, FILE, inTasks('[ { plugin: { configuration: { id: x } } } ]'));
  assert.deepEqual(problems, [
    {
      file: FILE,
      line: 5,
      column: 71,
      entity: "pipeline 'p'",
      location: `${FILE}; Pipeline p; Stage (s); Job (j); pluggable task; Plugin configuration`,
      message: "Missing field 'version'.",
      hint: 'Add version.',
    },
  ]);
});

describe('warnings', () => {
  for (const [title, source, expected] of [
    [
      'an unknown key of a pipeline',
      pipeline({ more: 'group: g\n    lable_template: x' }),
      ["4:5 Unknown key 'lable_template' is ignored. [Did you mean label_template?]"],
    ],
    [
      'an unknown key of a stage',
      inStage('{ fetch_material: no, tasks: [] }'),
      ["5:22 Unknown key 'fetch_material' is ignored. [Did you mean fetch_materials?]"],
    ],
    [
      'an unknown key of a job',
      inJob('{ resource: [x], tasks: [] }'),
      ["5:35 Unknown key 'resource' is ignored. [Did you mean resources?]"],
    ],
    ['an unknown key of a material', inMaterial('{ git: u, barnch: x }'), ["4:34 Unknown key 'barnch' is ignored. [Did you mean branch?]"]],
    ['an unknown key of a task', inTasks('[ { rake: { targte: x } } ]'), ["5:54 Unknown key 'targte' is ignored. [Did you mean target?]"]],
    [
      'an unknown key of an environment',
      'environments:\n  e: { agent: [] }\n',
      ["2:8 Unknown key 'agent' is ignored. [Did you mean agents?]"],
    ],
    [
      'an unknown key of a timer',
      pipeline({ more: 'group: g\n    timer: { spec: x, only_on_change: yes }' }),
      ["4:23 Unknown key 'only_on_change' is ignored. [Did you mean only_on_changes?]"],
    ],
    [
      'an unknown key of an approval',
      inStage('{ approval: { type: manual, user: [x] }, tasks: [] }'),
      ["5:48 Unknown key 'user' is ignored. [Did you mean users?]"],
    ],
    [
      'an unknown key of an artifact',
      inJob('{ artifacts: [ { build: { source: x, dest: y } } ], tasks: [] }'),
      ["5:70 Unknown key 'dest' is ignored."],
    ],
    [
      'an unknown key of an external artifact',
      inJob('{ artifacts: [ { external: { id: x, store_id: y, options: {} } } ], tasks: [] }'),
      ["5:82 Unknown key 'options' is ignored."],
    ],
    [
      'settings of an external artifact that are not under options',
      inJob('{ artifacts: [ { external: { id: x, store_id: y, configuration: { Image: x } } } ], tasks: [] }'),
      ["5:99 Unknown key 'Image' is ignored. [Write settings under options or secure_options.]"],
    ],
    [
      'settings of a fetch that are not under options',
      inTasks('[ { fetch: { artifact_origin: external, stage: s, job: j, artifact_id: x, configuration: { Path: x } } } ]'),
      ["5:133 Unknown key 'Path' is ignored. [Write settings under options or secure_options.]"],
    ],
    [
      'a key beside the type of a task',
      inTasks('[ { rake: , target: x } ]'),
      ["5:54 Key 'target' beside 'rake' is ignored. [If it belongs to rake, it has to be indented more than that.]"],
    ],
    [
      'stages beside a template',
      pipeline({ more: 'group: g\n    template: t' }),
      ["6:5 Key 'stages' beside 'template' is ignored. [The stages are those of the template: remove one of the two.]"],
    ],
    [
      'words of the model',
      inMaterial('{ git: u, name: x, filter: {ignore: [a]} }'),
      [
        "4:34 Unknown key 'name' is ignored. [The key of a material is its name.]",
        "4:43 Unknown key 'filter' is ignored. [Write ignore or includes without it.]",
      ],
    ],
    [
      'lists under an old name and a new one',
      inMaterial('{ git: u, blacklist: [a], ignore: [b] }'),
      ["4:34 Key 'blacklist' beside 'ignore' is ignored. [Keep one of the two lists.]"],
    ],
    ['a list with nothing in it beside another', inMaterial('{ git: u, ignore: [], includes: [a] }'), []],
    ['the same in old words', inMaterial('{ git: u, blacklist: [a], whitelist: [] }'), []],
    ['short keys with nothing under them', inMaterial('{ git: u, pipeline: , package: , p4: }'), []],
    ['a plugin that is not named', inMaterial('{ type: git, url: u, plugin_configuration: , scm: }'), []],
    ['what is done on cancel, in words of ours', inTasks('[ { rake: { nothing_on_cancel: yes } } ]'), []],
    ['a tag', 'common: !x y\n', ['1:9 Unresolved tag: !x (ignored)']],
    ['nothing', pipeline(), []],
  ] as const) {
    test(`a warning is given where it is due: ${title}`, () => assert.deepEqual(warned(source), expected));
  }
});

test('definitions under several spellings of a key are all read', () => {
  const [first, second] = ['p', 'q'].map((name) => pipeline().replace('  p:', `  ${name}:`));
  const { pipelines, problems } = parseText(yamlFormat, FILE, `${first}${second!.replace('pipelines', 'Pipelines')}`);
  assert.deepEqual([pipelines.map(({ name }) => name), problems], [['p', 'q'], []]);
});
