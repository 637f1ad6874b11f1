// Every rule for the contents of a pipeline, with its message beside the field it concerns.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels and links of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accepted } from '../../support/requests/callers.ts';
import { TestServer } from '../../support/server/server.ts';
import {
  addNeighbours,
  create,
  dependency,
  errorsIn,
  exec,
  external,
  fetch,
  git,
  job,
  NAME_RULE,
  PATH,
  pipeline,
  refused,
  refusedAt,
  stage,
  tryOut,
} from './bodies.ts';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  await addNeighbours(server);
  accepted(await create(server, pipeline('up')));
  accepted(await create(server, pipeline('up2')));
});
after(() => server.stop());

const FORMAT =
  'Label should be composed of alphanumeric text, it can contain the build number as ${COUNT}, can contain a material revision as ${<material-name>} of ${<material-name>[:<number>]}, or use params as #{<param-name>}.';
const INSTANCES = 'as it represents number of instances Slipway needs to spawn during runtime.';
const SANDBOX =
  "The path of the working directory for the custom command in job 'j' in stage 's' of pipeline 'p' is outside the agent sandbox. It must be relative to the directory where the agent checks out materials.";
const OUTSIDE = (path: string) => `Task of job 'j' in stage 's' of pipeline 'p' has path '${path}' which is outside the working directory.`;
const FILE_PATH = '(([.]\\/)?[.][^. ]+)|([^. ].+[^. ])|([^. ][^. ])|([^. ])';
const BAD_DESTINATION = `Invalid destination path. Destination path should match the pattern ${FILE_PATH}`;
const CONTROL = 'This must not hold control characters, such as line breaks.';
const TWICE = (name: string) =>
  `You have defined multiple materials called '${name}'. Material names are case-insensitive and must be unique. Note that for dependency materials the default materialName is the name of the upstream pipeline. You can override this by setting the materialName explicitly for the upstream pipeline.`;
const NESTED =
  'Invalid destination directory. Every material needs a different destination directory and the directories should not be nested.';
const BOTH_KINDS = 'Job cannot have both `resource` and `elasticProfileId`';

type Errors = Readonly<Record<string, readonly string[]>>;
type Row = readonly [title: string, more: object, errors: Errors];

const one = (path: string, message: string): Errors => ({ [path]: [message] });
const material = (type: string, attributes: object) => ({ materials: [{ type, attributes }] });
const inStage = (more: object) => ({ stages: [stage('s', more)] });
const inJob = (more: object) => inStage({ jobs: [job(more)] });
const tasks = (...list: object[]) => inJob({ tasks: list });
const at = (key: string) => `stages.0.jobs.0.${key}`;
const inTask = (key: string) => at(`tasks.0.attributes.${key}`);
const two = (first: string | null, second: string | null) => ({
  materials: [
    git({ url: 'https://scm.example.org/1.git', destination: first }),
    git({ url: 'https://scm.example.org/2.git', destination: second }),
  ],
});
const inMaterials = (first: string, second: string): Errors => ({
  'materials.0.attributes.destination': [first],
  'materials.1.attributes.destination': [second],
});

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  names: [
    ['pipeline', { name: 'a b' }, one('name', `Invalid pipeline name 'a b'. ${NAME_RULE}`)],
    ['pipeline with a leading period', { name: '.p' }, one('name', `Invalid pipeline name '.p'. ${NAME_RULE}`)],
    ['stage', { stages: [stage('a b')] }, one('stages.0.name', `Invalid stage name 'a b'. ${NAME_RULE}`)],
    [
      'stages twice',
      { stages: [stage('one'), stage('ONE')] },
      {
        'stages.0.name': ["You have defined multiple stages called 'one'. Stage names are case-insensitive and must be unique."],
        'stages.1.name': ["You have defined multiple stages called 'ONE'. Stage names are case-insensitive and must be unique."],
      },
    ],
    ['blank job', inJob({ name: '' }), one(at('name'), 'Name is a required field')],
    [
      'job',
      inJob({ name: 'a b' }),
      one(
        at('name'),
        "Invalid job name 'a b'. This must be alphanumeric and may contain underscores and periods. The maximum allowed length is 255 characters.",
      ),
    ],
    [
      'jobs twice',
      inStage({ jobs: [job(), job({ name: 'J' })] }),
      {
        'stages.0.jobs.0.name': ["You have defined multiple jobs called 'j'. Job names are case-insensitive and must be unique."],
        'stages.0.jobs.1.name': ["You have defined multiple jobs called 'J'. Job names are case-insensitive and must be unique."],
      },
    ],
    [
      'job like an instance on all agents',
      inJob({ name: 'x-runOnAll-1' }),
      one(at('name'), "A job cannot have 'runOnAll' in it's name: x-runOnAll-1 because it is a reserved keyword"),
    ],
    [
      'job like one of several instances',
      inJob({ name: 'x-runInstance-12' }),
      one(at('name'), "A job cannot have 'runInstance' in it's name: x-runInstance-12 because it is a reserved keyword"),
    ],
    ['material', { materials: [git({ name: 'a b' })] }, one('materials.0.attributes.name', `Invalid material name 'a b'. ${NAME_RULE}`)],
    ['parameter', { parameters: [{ name: 'a b', value: '' }] }, one('parameters.0.name', `Invalid parameter name 'a b'. ${NAME_RULE}`)],
    [
      'blank parameter',
      { parameters: [{ name: '', value: 'x' }] },
      one('parameters.0.name', "Parameter cannot have an empty name for pipeline 'p'."),
    ],
    [
      'external artifact',
      inJob({ artifacts: [external({ artifact_id: 'a b' })] }),
      one(at('artifacts.0.artifact_id'), `Invalid pluggable artifact id name 'a b'. ${NAME_RULE}`),
    ],
  ],
  'label template': [
    ['blank', { label_template: '' }, one('label_template', `Label cannot be blank. ${FORMAT}`)],
    ['blanks', { label_template: '  ' }, one('label_template', `Label cannot be blank. ${FORMAT}`)],
    ['without a variable', { label_template: 'one' }, one('label_template', `Invalid label 'one'. ${FORMAT}`)],
    ['not closed', { label_template: 'v${COUNT' }, one('label_template', `Invalid label 'v\${COUNT'. ${FORMAT}`)],
    ['with a blank', { label_template: 'a ${COUNT}' }, one('label_template', `Invalid label 'a \${COUNT}'. ${FORMAT}`)],
    ['empty variable', { label_template: '${COUNT}${}' }, one('label_template', 'Label template variable cannot be blank.')],
    ['environment variable without name', { label_template: '${env:}' }, one('label_template', 'Missing environment variable name.')],
    [
      'no characters of a revision',
      { label_template: '${code[:0]}', materials: [git({ name: 'code' })] },
      one('label_template', 'Length of zero not allowed on label ${code[:0]} defined on pipeline p.'),
    ],
    [
      'unknown material',
      { label_template: '${ghost}' },
      one(
        'label_template',
        "You have defined a label template in pipeline 'p' that refers to a material called 'ghost', but no material with this name is defined.",
      ),
    ],
  ],
  'the pipeline itself': [
    [
      'lock behaviour',
      { lock_behavior: 'sometimes' },
      one('lock_behavior', 'Lock behavior has an invalid value (sometimes). Valid values are: [lockOnFailure, unlockWhenFinished, none]'),
    ],
    [
      'no stages',
      { stages: [] },
      one('pipeline', "Pipeline 'p' does not have any stages configured. A pipeline must have at least one stage."),
    ],
    [
      'neither stages nor template',
      { stages: null, template: '' },
      one('pipeline', "Pipeline 'p' does not have any stages configured. A pipeline must have at least one stage."),
    ],
    ['unknown template', { stages: null, template: 'ghost' }, one('pipeline', "Pipeline 'p' refers to non-existent template 'ghost'.")],
    ['no materials', { materials: [] }, one('materials', 'A pipeline must have at least one material')],
    ['materials absent', { materials: null }, one('materials', 'A pipeline must have at least one material')],
  ],
  'tracking tool': [
    ['no link', tool('', 'x'), one('tracking_tool.attributes.url_pattern', 'Link should be populated')],
    ['no regex', tool('https://t/${ID}', ''), one('tracking_tool.attributes.regex', 'Regex should be populated')],
    [
      'neither',
      tool('', ''),
      {
        'tracking_tool.attributes.url_pattern': ['Link should be populated'],
        'tracking_tool.attributes.regex': ['Regex should be populated'],
      },
    ],
    [
      'link without ID',
      tool('https://t/', 'x'),
      one(
        'tracking_tool.attributes.url_pattern',
        "Link must be a URL containing '${ID}'. Slipway will replace the string '${ID}' with the first matched group from the regex at run-time.",
      ),
    ],
    [
      'link of another scheme',
      tool('ftp://t/${ID}', 'x'),
      one('tracking_tool.attributes.url_pattern', 'Link must be a URL starting with https:// or http://'),
    ],
  ],
  timer: [
    ['no schedule', { timer: { spec: '' } }, one('timer.spec', 'Timer Spec can not be null.')],
    ['absent schedule', { timer: {} }, one('timer.spec', 'Timer Spec can not be null.')],
    [
      'no cron expression',
      { timer: { spec: 'bad' } },
      one('timer.spec', "Invalid cron syntax: Illegal characters for this position: 'BAD'"),
    ],
    ['hour 25', { timer: { spec: '0 0 25 * * ?' } }, one('timer.spec', 'Invalid cron syntax: Hour values must be between 0 and 23')],
  ],
  'environment variables': ['pipeline', 'stage', 'job'].flatMap((owner): Row[] => {
    const path = { pipeline: '', stage: 'stages.0.', job: 'stages.0.jobs.0.' }[owner];
    const called = `${owner} '${owner[0]}'`;
    const field = (index: number, key: string) => `${path}environment_variables.${index}.${key}`;
    const variables = (...environment_variables: object[]) =>
      owner === 'pipeline'
        ? { environment_variables }
        : owner === 'stage'
          ? inStage({ environment_variables })
          : inJob({ environment_variables });
    return [
      [
        `of a ${owner} without name`,
        variables({ name: '', value: 'x' }),
        one(field(0, 'name'), `Environment Variable cannot have an empty name for ${called}.`),
      ],
      [
        `of a ${owner} with blanks around`,
        variables({ name: 'A ', value: 'x' }),
        one(field(0, 'name'), `Environment Variable cannot start or end with spaces for ${called}.`),
      ],
      [
        `of a ${owner} twice`,
        variables({ name: 'A', value: 'x' }, { name: 'a', value: 'x' }),
        {
          [field(0, 'name')]: [`Environment Variable name 'A' is not unique for ${called}.`],
          [field(1, 'name')]: [`Environment Variable name 'a' is not unique for ${called}.`],
        },
      ],
      [
        `of a ${owner}, encrypted but not secure`,
        variables({ name: 'A', encrypted_value: 'v1:00000000:AAAA' }),
        one(field(0, 'encrypted_value'), "You may specify encrypted value only when option 'secure' is true."),
      ],
      [
        `of a ${owner}, tampered with`,
        variables({ name: 'A', secure: true, encrypted_value: 'v1:00000000:AAAA' }),
        one(
          field(0, 'encrypted_value'),
          "Encrypted value for variable named 'A' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
        ),
      ],
    ];
  }),
  'materials among themselves': [
    [
      'name twice',
      { materials: [git({ name: 'a', destination: 'x' }), git({ url: 'https://scm.example.org/2', name: 'A', destination: 'y' })] },
      { 'materials.0.attributes.name': [TWICE('a')], 'materials.1.attributes.name': [TWICE('A')] },
    ],
    [
      'named like an upstream pipeline',
      { materials: [git({ name: 'UP' }), dependency('up')] },
      { 'materials.0.attributes.name': [TWICE('UP')], 'materials.1.attributes.name': [TWICE('up')] },
    ],
    [
      'no destination',
      two(null, 'x'),
      one('materials.0.attributes.destination', 'Destination directory is required when a pipeline has multiple SCM materials.'),
    ],
    [
      'one destination for two',
      two('x', 'x'),
      inMaterials(
        'The destination directory must be unique across materials.',
        'The destination directory must be unique across materials.',
      ),
    ],
    [
      'one destination for two, written differently',
      two('x/', './x'),
      inMaterials(
        'The destination directory must be unique across materials.',
        'The destination directory must be unique across materials.',
      ),
    ],
    ['nested destinations', two('x', 'x/y'), inMaterials(NESTED, NESTED)],
    ['nested destinations, several levels down', two('./x/y/z', 'x'), inMaterials(NESTED, NESTED)],
    [
      'a destination of many steps',
      two('a/'.repeat(50_000), 'c'),
      one('materials.0.attributes.destination', 'The path must not be longer than 4096 characters.'),
    ],
    [
      'destination outside',
      { materials: [git({ destination: '../x' })] },
      one('materials.0.attributes.destination', "Dest folder '../x' is not valid. It must be a sub-directory of the working folder."),
    ],
    ['destination with a tab', { materials: [git({ destination: 'a\tb' })] }, one('materials.0.attributes.destination', CONTROL)],
    [
      'destination that is absolute',
      { materials: [git({ destination: '/x' })] },
      one('materials.0.attributes.destination', "Dest folder '/x' is not valid. It must be a sub-directory of the working folder."),
    ],
    [
      'destination that is no path',
      { materials: [git({ destination: 'x. ' })] },
      one('materials.0.attributes.destination', "Invalid directory name 'x. '. It should be a valid relative path."),
    ],
    [
      'the same package twice',
      {
        materials: [
          { type: 'package', attributes: { ref: 'pkg' } },
          { type: 'package', attributes: { ref: 'pkg' } },
        ],
      },
      {
        'materials.0.attributes.ref': ['Duplicate package material detected!'],
        'materials.1.attributes.ref': ['Duplicate package material detected!'],
      },
    ],
    [
      'the same SCM twice',
      {
        materials: [
          { type: 'plugin', attributes: { ref: 'scm-id', destination: 'x' } },
          { type: 'plugin', attributes: { ref: 'scm-id', destination: 'y' } },
        ],
      },
      {
        'materials.0.attributes.ref': ['Duplicate SCM material detected!'],
        'materials.1.attributes.ref': ['Duplicate SCM material detected!'],
      },
    ],
  ],
  'each material': [
    ...['git', 'hg', 'svn'].map(
      (type): Row => [`${type} without URL`, material(type, { url: ' ' }), one('materials.0.attributes.url', 'URL cannot be blank')],
    ),
    ['git with an odd URL', material('git', { url: '-x' }), one('materials.0.attributes.url', 'URL does not seem to be valid.')],
    ...['git', 'hg'].map(
      (type): Row => [
        `${type} with credentials twice`,
        material(type, { url: 'https://me:x@scm.example.org/', username: 'me' }),
        one('materials.0.attributes.url', 'Ambiguous credentials, must be provided either in URL or as attributes.'),
      ],
    ),
    [
      'hg with the branch twice',
      material('hg', { url: 'https://scm.example.org/h##one', branch: 'two' }),
      one('materials.0.attributes.url', 'Ambiguous branch, must be provided either in URL or as an attribute.'),
    ],
    ['git branch with a star', material('git', branch('a*')), one('materials.0.attributes.branch', "Branch names may not contain '*'")],
    ['refspec without source', material('git', branch(':refs/x')), one('materials.0.attributes.branch', 'Refspec is missing a source ref')],
    [
      'refspec with a relative source',
      material('git', branch('x:refs/y')),
      one('materials.0.attributes.branch', 'Refspec source must be an absolute ref (must start with `refs/`)'),
    ],
    [
      'refspec without destination',
      material('git', branch('refs/x:')),
      one('materials.0.attributes.branch', 'Refspec is missing a destination ref'),
    ],
    [
      'refspec with a star',
      material('git', branch('refs/*:refs/*')),
      one('materials.0.attributes.branch', 'Refspecs may not contain wildcards; source and destination refs must be exact'),
    ],
    [
      'p4 without view and port',
      material('p4', {}),
      { 'materials.0.attributes.view': ['P4 view cannot be empty.'], 'materials.0.attributes.port': ['P4 port cannot be empty.'] },
    ],
    [
      'tfs without everything',
      material('tfs', {}),
      {
        'materials.0.attributes.url': ['URL cannot be blank'],
        'materials.0.attributes.username': ['Username cannot be blank'],
        'materials.0.attributes.projectPath': ['Project Path cannot be blank'],
      },
    ],
    [
      'git with a password that was tampered with',
      material('git', { url: 'https://scm.example.org/e.git', username: 'me', encrypted_password: 'v1:00000000:AAAA' }),
      one(
        'materials.0.attributes.encrypted_password',
        "Encrypted password value for GitMaterial with url 'https://scm.example.org/e.git' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
      ),
    ],
    ['package without ref', material('package', {}), one('materials.0.attributes.ref', 'Please select a repository and package')],
    [
      'unknown package',
      material('package', { ref: 'ghost' }),
      one('materials.0.attributes.ref', 'Could not find repository for given package id:[ghost]'),
    ],
    ['plugin without ref', material('plugin', {}), one('materials.0.attributes.ref', 'Please select a SCM')],
    [
      'unknown SCM',
      material('plugin', { ref: 'ghost' }),
      one('materials.0.attributes.ref', 'Could not find SCM for given scm-id: [ghost].'),
    ],
    [
      'SCM by its name instead of its id',
      material('plugin', { ref: 'tools' }),
      one('materials.0.attributes.ref', 'Could not find SCM for given scm-id: [tools].'),
    ],
    [
      'unknown upstream pipeline',
      material('dependency', { pipeline: 'ghost', stage: 's' }),
      one(
        'materials.0.attributes.pipeline',
        "Pipeline with name 'ghost' does not exist, it is defined as a dependency for pipeline 'p' (cruise-config.xml)",
      ),
    ],
    [
      'unknown upstream stage',
      material('dependency', { pipeline: 'up', stage: 'ghost' }),
      one(
        'materials.0.attributes.stage',
        "Stage with name 'ghost' does not exist on pipeline 'up', it is being referred to from pipeline 'p' (cruise-config.xml)",
      ),
    ],
  ],
  approval: [
    [
      'type',
      inStage({ approval: { type: 'maybe' } }),
      one('stages.0.approval.type', "You have defined approval type as 'maybe'. Approval can only be of the type 'manual' or 'success'."),
    ],
    [
      'blank user',
      inStage({ approval: { type: 'manual', authorization: { users: [' '] } } }),
      one('stages.0.approval.authorization.users', 'User cannot be blank.'),
    ],
    [
      'unknown role',
      inStage({ approval: { type: 'manual', authorization: { roles: ['ghost'] } } }),
      one('stages.0.approval.authorization.roles', 'Role "ghost" does not exist.'),
    ],
  ],
  jobs: [
    [
      'more instances than can be counted',
      inJob({ run_instance_count: 1e21 }),
      one(at('run_instance_count'), `'Run Instance Count' should be a valid positive integer ${INSTANCES}`),
    ],
    [
      'a timeout that would not be what was written',
      inJob({ timeout: '99999999999999999999' }),
      one(at('timeout'), 'Timeout should be a valid number as it represents number of minutes'),
    ],
    ['no instances', inJob({ run_instance_count: 0 }), one(at('run_instance_count'), `'Run Instance Count' cannot be 0 ${INSTANCES}`)],
    [
      'less than no instances',
      inJob({ run_instance_count: -1 }),
      one(at('run_instance_count'), `'Run Instance Count' cannot be a negative number ${INSTANCES}`),
    ],
    ...[1.5, 'many', true].map(
      (count): Row => [
        `${count} instances`,
        inJob({ run_instance_count: count }),
        one(at('run_instance_count'), `'Run Instance Count' should be a valid positive integer ${INSTANCES}`),
      ],
    ),
    [
      'on all elastic agents',
      inJob({ run_instance_count: 'all', elastic_profile_id: 'profile' }),
      one(at('run_instance_count'), "Job cannot be set to 'run on all agents' when assigned to an elastic agent"),
    ],
    [
      'negative timeout',
      inJob({ timeout: -1 }),
      one(at('timeout'), 'Timeout cannot be a negative number as it represents number of minutes'),
    ],
    [
      'timeout that is no number',
      inJob({ timeout: '0x10' }),
      one(at('timeout'), 'Timeout should be a valid number as it represents number of minutes'),
    ],
    [
      'resources and elastic profile',
      inJob({ resources: ['linux'], elastic_profile_id: 'profile' }),
      { [at('elastic_profile_id')]: [BOTH_KINDS], [at('resources')]: [BOTH_KINDS] },
    ],
    [
      'unknown elastic profile',
      inJob({ elastic_profile_id: 'ghost' }),
      one(at('elastic_profile_id'), "No profile defined corresponding to profile_id 'ghost'"),
    ],
    [
      'blank resource',
      inJob({ resources: ['a', ' '] }),
      one(
        at('resources'),
        'Empty resource name in job "j" of stage "s" of pipeline "p". If a template is used, please ensure that the resource parameters are defined for this pipeline.',
      ),
    ],
    [
      'odd resource',
      inJob({ resources: ['a&b'] }),
      one(at('resources'), "Resource name 'a&b' is not valid. Valid names much match '^[-\\w\\s|.]*$'"),
    ],
    ['no tasks', inJob({ tasks: [] }), one(at('tasks'), "Job 'j' must have at least one task.")],
  ],
  tabs: [
    [
      'name twice',
      inJob({ tabs: [tab('a', 'x'), tab('A', 'y')] }),
      { [at('tabs.0.name')]: ["Tab name 'a' is not unique."], [at('tabs.1.name')]: ["Tab name 'A' is not unique."] },
    ],
    ['long name', inJob({ tabs: [tab('a234567890123456', 'x')] }), one(at('tabs.0.name'), 'Tab name should not exceed 15 characters')],
    ['odd name', inJob({ tabs: [tab('a b', 'x')] }), one(at('tabs.0.name'), `Tab name 'a b' is invalid. ${NAME_RULE}`)],
    [
      'path with a blank',
      inJob({ tabs: [tab('a', 'x y')] }),
      one(at('tabs.0.path'), "Tab path 'x y' is invalid. This must be a valid file path."),
    ],
    ['no path', inJob({ tabs: [tab('a', '')] }), one(at('tabs.0.path'), "Tab path '' is invalid. This must be a valid file path.")],
  ],
  artifacts: [
    ...['build', 'test'].map(
      (type): Row => [
        `${type} without source`,
        inJob({ artifacts: [{ type, source: ' ' }] }),
        one(at('artifacts.0.source'), "Job 'j' has an artifact with an empty source"),
      ],
    ),
    ['destination outside', inJob({ artifacts: [build('x', '../y')] }), one(at('artifacts.0.destination'), BAD_DESTINATION)],
    ['source with a tab', inJob({ artifacts: [build('a\tb', 'y')] }), one(at('artifacts.0.source'), CONTROL)],
    ['destination with a line break', inJob({ artifacts: [build('x', 'a\nb')] }), one(at('artifacts.0.destination'), CONTROL)],
    ['destination that ends in a period', inJob({ artifacts: [build('x', 'y.')] }), one(at('artifacts.0.destination'), BAD_DESTINATION)],
    [
      'external without id',
      inJob({ artifacts: [external({ artifact_id: '' })] }),
      one(at('artifacts.0.artifact_id'), '"Id" is required for PluggableArtifact'),
    ],
    [
      'external without store',
      inJob({ artifacts: [external({ store_id: '' })] }),
      one(at('artifacts.0.store_id'), '"Store id" is required for PluggableArtifact'),
    ],
    [
      'external with an unknown store',
      inJob({ artifacts: [external({ store_id: 'ghost' })] }),
      one(
        at('artifacts.0.store_id'),
        'Artifact store with id `ghost` does not exist. Please correct the `storeId` attribute on pipeline `p`.',
      ),
    ],
  ],
  tasks: [
    ['exec without command', tasks(exec({ command: '' })), one(inTask('command'), 'Command cannot be empty')],
    [
      'exec with both kinds of arguments',
      tasks(exec({ args: '-x', arguments: ['-y'] })),
      one(inTask('args'), "Can not use both 'args' attribute and 'arg' sub element in 'exec' element!"),
    ],
    ['exec with a timeout that is none', tasks(exec({ timeout: 0 })), one(inTask('timeout'), 'Timeout must be a positive number.')],
    ['exec outside', tasks(exec({ working_directory: '../x' })), one(inTask('working_directory'), SANDBOX)],
    ['exec with a line break', tasks(exec({ working_directory: 'a\nb' })), one(inTask('working_directory'), CONTROL)],
    [
      'nant with control characters',
      tasks({ type: 'nant', attributes: { working_directory: 'a\tb', build_file: 'a\u0001', nant_path: '\u0085' } }),
      { [inTask('working_directory')]: [CONTROL], [inTask('build_file')]: [CONTROL], [inTask('nant_path')]: [CONTROL] },
    ],
    [
      'fetch with control characters',
      { materials: [dependency('up')], ...tasks(fetch({ pipeline: 'up', source: 'a\rb', destination: 'c\u0000' })) },
      { [inTask('source')]: [CONTROL], [inTask('destination')]: [CONTROL] },
    ],
    [
      'cancel task with control characters',
      tasks(exec({ on_cancel: exec({ working_directory: 'a\nb' }) })),
      one(inTask('on_cancel.attributes.working_directory'), CONTROL),
    ],
    ['exec at an absolute path', tasks(exec({ working_directory: '/tmp' })), one(inTask('working_directory'), SANDBOX)],
    ...['ant', 'rake', 'nant'].map(
      (type): Row => [
        `${type} outside`,
        tasks({ type, attributes: { working_directory: 'a/../../x' } }),
        one(inTask('working_directory'), OUTSIDE('a/../../x')),
      ],
    ),
    [
      'cancel task in a cancel task',
      tasks(exec({ on_cancel: exec({ on_cancel: exec() }) })),
      one(inTask('on_cancel'), "Cannot nest 'oncancel' within a cancel task"),
    ],
    [
      'what is wrong with a cancel task',
      tasks(exec({ on_cancel: exec({ command: '' }) })),
      one(inTask('on_cancel.attributes.command'), 'Command cannot be empty'),
    ],
    ['fetch without stage', tasks(fetch({ stage: '' })), one(inTask('stage'), 'Stage is a required field.')],
    ['fetch without job', tasks(fetch({ job: '', pipeline: null })), one(inTask('job'), 'Job is a required field.')],
    [
      'fetch of an external artifact without id, from a job that is there',
      { stages: [stage('s'), stage('t', { jobs: [job({ tasks: [fetch({ artifact_origin: 'external' })] })] })] },
      one('stages.1.jobs.0.tasks.0.attributes.artifact_id', 'Artifact Id cannot be blank.'),
    ],
    [
      'fetch of an external artifact without id',
      tasks(fetch({ artifact_origin: 'external', stage: 's', job: '' })),
      { [inTask('job')]: ['Job is a required field.'], [inTask('artifact_id')]: ['Artifact Id cannot be blank.'] },
    ],
  ],
};

for (const [chapter, rows] of Object.entries(ROWS)) {
  describe(chapter, () => {
    for (const [title, more, errors] of rows) {
      test(`a pipeline is refused for ${title}`, async () => refused(await tryOut(server, pipeline('p', more)), errors));
    }
  });
}

function tool(url_pattern: string, regex: string) {
  return { tracking_tool: { type: 'generic', attributes: { url_pattern, regex } } };
}

function tab(name: string, path: string) {
  return { name, path };
}

function build(source: string, destination: string) {
  return { type: 'build', source, destination };
}

function branch(name: string) {
  return { url: 'https://scm.example.org/b.git', branch: name };
}

describe('rules that flag more than their own field', () => {
  test('a parameter that is defined twice is refused', async () => {
    const parameters = [
      { name: 'x', value: '1' },
      { name: 'X', value: '2' },
    ];
    refusedAt(await tryOut(server, pipeline('p', { parameters })), 'parameters.1.name', "Param name 'X' is not unique for pipeline 'p'.");
  });

  test('an upstream pipeline that is a material twice is refused', async () => {
    const message =
      "A pipeline can depend on each upstream pipeline only once. Remove one of the occurrences of 'UP' from the current pipeline dependencies.";
    const materials = [dependency('up', 's', { name: 'a' }), dependency('UP', 's', { name: 'b' })];
    refusedAt(await tryOut(server, pipeline('p', { materials })), 'materials.1.attributes.pipeline', message);
  });

  test('an artifact that is published twice is refused', async () => {
    const reply = await create(
      server,
      pipeline('p', inJob({ artifacts: [build('x', 'y'), { type: 'test', source: 'x', destination: 'y' }] })),
    );
    refusedAt(reply, at('artifacts.1.source'), 'Duplicate artifacts defined.');
    accepted(await tryOut(server, pipeline('p', inJob({ artifacts: [build('x', 'y'), build('x', 'z')] }))));
  });

  test('an external artifact with an id that is taken is refused', async () => {
    const artifacts = [external(), external({ artifact_id: 'Image', configuration: [{ key: 'Tag', value: '1' }] })];
    const reply = await tryOut(server, pipeline('p', inJob({ artifacts })));
    refusedAt(reply, at('artifacts.1.artifact_id'), 'Duplicate pluggable artifacts with id `Image` defined.');
  });

  test('the same external artifact under two ids is refused', async () => {
    const configuration = [{ key: 'Tag', value: '1' }];
    const artifacts = [external({ configuration }), external({ artifact_id: 'other', configuration })];
    const reply = await tryOut(server, pipeline('p', inJob({ artifacts })));
    assert.equal(reply.status, 422);
    assert.ok(Object.values(errorsIn(reply.json.data)).flat().includes('Duplicate pluggable artifacts configuration defined.'), reply.text);
  });

  test('a blank elastic profile is refused', async () => {
    const reply = await tryOut(server, pipeline('p', inJob({ elastic_profile_id: ' ' })));
    refusedAt(reply, at('elastic_profile_id'), 'Must not be a blank string');
  });

  test('a fetch without a source is refused', async () => {
    const stages = [stage('s'), stage('t', { jobs: [job({ tasks: [fetch({ source: '' })] })] })];
    refused(await tryOut(server, pipeline('p', { stages })), {
      'stages.1.jobs.0.tasks.0.attributes.source': ['Should provide either srcdir or srcfile'],
    });
  });

  test('an argument that is null is refused', async () => {
    const reply = await tryOut(server, pipeline('p', tasks(exec({ arguments: ['a', null] }))));
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(errorsIn(reply.json.data)), [inTask('arguments')]);
  });

  test('stages beside a template are refused', async () => {
    accepted(await server.post('/api/admin/templates', { name: 't', stages: [stage()] }));
    refused(await tryOut(server, pipeline('p', { template: 't' })), {
      stages: ["Cannot add stages to pipeline 'p' which already references template 't'"],
      template: ["Cannot set template 't' on pipeline 'p' because it already has stages defined"],
    });
  });

  test('an invalid group name is refused', async () => {
    refused(await tryOut(server, pipeline('p'), 'a b'), { group: [`Invalid group name 'a b'. ${NAME_RULE}`] });
  });
});

test('everything that is wrong is said at once, beside its field, without links', async () => {
  const bad = pipeline('p', {
    lock_behavior: 'odd',
    label_template: '',
    timer: { spec: 'bad' },
    materials: [git({ url: '' }), dependency('ghost')],
    stages: [stage('a b', { jobs: [job({ name: '', tasks: [exec({ command: '' })] })] })],
  });
  const reply = await tryOut(server, bad);
  assert.equal(reply.status, 422);
  assert.equal(reply.json.message, "Validations failed for pipeline 'p'. Error(s): [Validation failed.]. Please correct and resubmit.");
  assert.deepEqual(Object.keys(errorsIn(reply.json.data)).sort(), [
    'label_template',
    'lock_behavior',
    'materials.0.attributes.url',
    'materials.1.attributes.pipeline',
    'stages.0.jobs.0.name',
    'stages.0.jobs.0.tasks.0.attributes.command',
    'stages.0.name',
    'timer.spec',
  ]);
  assert.ok(!reply.text.includes('_links'));
  assert.equal((await server.get('/api/admin/pipelines/p')).status, 404);
});

test('valid pipelines pass', async () => {
  const dry = (more: object) => tryOut(server, pipeline('p', more));
  const right: readonly object[] = [
    { label_template: '${COUNT}-${env:HOME}' },
    { label_template: 'v_1.${count}' },
    { label_template: '${code[:7]}', materials: [git({ name: 'Code' })] },
    { label_template: '${up}', materials: [dependency('up')] },
    { label_template: '${mine}', materials: [dependency('up', 's', { name: 'mine' })] },
    { lock_behavior: 'lockOnFailure' },
    { materials: [git(), dependency('up'), dependency('up2')] },
    { materials: [dependency('UP', 'S')] },
    two('x', 'y'),
    two('x', 'xy'),
    two('./x', '.y'),
    { materials: [git({ branch: 'refs/pull/1/head:refs/heads/pr' })] },
    inJob({ timeout: 0.5 }),
    inJob({ resources: ['a-b', 'c|d', 'e.f'] }),
    inJob({ tabs: [tab('a23456789012345', '*.html')] }),
    { timer: { spec: '0 0 22 ? * MON-FRI' } },
    { environment_variables: [{ name: 'A', value: '' }] },
    tasks(exec({ working_directory: './a/../b' })),
  ];
  for (const more of right) accepted(await dry(more));
});

test('a label may name the SCM of a plugin material', async () => {
  const materials = [{ type: 'plugin', attributes: { ref: 'scm-id' } }];
  accepted(await tryOut(server, pipeline('p', { label_template: '${tools}', materials })));
});

describe('members of the wrong type', () => {
  const rows: readonly [object, string, RegExp][] = [
    [{ label_template: [] }, 'label_template', /^Could not read property 'label_template' as a String in json/],
    [{ materials: {} }, 'materials', /^Could not read property 'materials' as a JsonArray in json/],
    [{ stages: 'x' }, 'stages', /^Could not read property 'stages' as a JsonArray in json/],
    [{ timer: 'x' }, 'timer', /^Could not read property 'timer' as a JsonObject in json/],
    [{ tracking_tool: [] }, 'tracking_tool', /^Could not read property 'tracking_tool' as a JsonObject in json/],
    [inStage({ fetch_materials: [] }), 'stages.0.fetch_materials', /^Could not read property 'fetch_materials' as a Boolean in json/],
    [inJob({ tasks: 'x' }), at('tasks'), /^Could not read property 'tasks' as a JsonArray in json/],
    [tasks({ type: 'dance' }), at('tasks.0.type'), /^Invalid task type 'dance'/],
    [inJob({ artifacts: [{ type: 'odd' }] }), at('artifacts.0.type'), /^Invalid Artifact type: 'odd'/],
    [{ materials: [{ type: 'cvs' }] }, 'materials.0.type', /Invalid material type 'cvs'/],
    [{ materials: [{}] }, 'materials.0.type', /does not contain property 'type'/],
    [{ materials: ['x'] }, 'materials', /^Entry 1 of 'materials' must be a JSON object\.$/],
    [{ environment_variables: [7] }, 'environment_variables', /^Entry 1 of 'environment_variables' must be a JSON object\.$/],
    [tasks(exec({ run_if: ['never'] })), inTask('run_if'), /never/],
  ];
  for (const [more, path, message] of rows) {
    test(`a value of the wrong type is refused at ${path}`, async () => {
      const reply = await tryOut(server, pipeline('p', more));
      assert.equal(reply.status, 422, reply.text);
      assert.match(errorsIn(reply.json.data)[path]?.[0] ?? JSON.stringify(errorsIn(reply.json.data)), message);
    });
  }
});

test('a material, task or artifact of an unknown type has no problem besides its type', async () => {
  for (const more of [
    { materials: [{ type: 'cvs' }] },
    { materials: [{ type: 'cvs', attributes: {} }] },
    tasks({ type: 'dance', attributes: {} }),
    tasks(exec({ on_cancel: { type: 'dance', attributes: {} } })),
    inJob({ artifacts: [{ type: 'odd' }] }),
  ]) {
    const { json } = await tryOut(server, pipeline('p', more));
    assert.deepEqual(
      Object.entries(errorsIn(json.data)).map(([path, messages]) => [path.split('.').at(-1), (messages as string[]).length]),
      [['type', 1]],
    );
  }
});

test('a pipeline that is not there says nothing of its group, which would be created with it', async () => {
  const inNewGroup = await server.post(PATH, { group: 'new-one' });
  assert.equal(inNewGroup.status, 422);
  assert.ok(!('group' in errorsIn(inNewGroup.json.data)), inNewGroup.text);
  const empty = await server.post(PATH, {});
  assert.equal(empty.json.message, "Json `{}` does not contain property 'pipeline'");
  assert.equal((await server.get('/api/admin/pipeline_groups/new-one')).status, 404);
});

test('a secret in clear that was sent as a cipher text does not come back', async () => {
  const svn = { type: 'svn', attributes: { url: 'https://svn.example.org/a', encrypted_password: 'hush hush' } };
  const configuration = [{ key: 'Password', encrypted_value: 'hush hush' }];
  const { status, text } = await tryOut(
    server,
    pipeline('p', { materials: [svn], ...inJob({ artifacts: [external({ configuration })] }) }),
  );
  assert.equal(status, 422);
  assert.ok(!text.includes('hush'), text);
  const unread = await tryOut(server, pipeline('p', { environment_variables: [{ secure: true, encrypted_value: 'hush hush' }] }));
  assert.equal(unread.status, 422);
  assert.ok(!unread.text.includes('hush'), unread.text);
});

test('a cipher text that is refused comes back as it was sent', async () => {
  const svn = { type: 'svn', attributes: { url: 'https://svn.example.org/a', encrypted_password: 'AES:xx:yy' } };
  const environment_variables = [{ name: 'W', secure: true, encrypted_value: 'AES:xx:yy' }];
  const { json } = await tryOut(server, pipeline('p', { materials: [svn], environment_variables }));
  assert.equal(json.data.materials[0].attributes.encrypted_password, 'AES:xx:yy');
  assert.equal(json.data.environment_variables[0].encrypted_value, 'AES:xx:yy');
});

test('messages that quote a very long value are not long themselves', async () => {
  const long = 'x'.repeat(300_000);
  const environment_variables = Array.from({ length: 50 }, () => ({ name: '', value: '' }));
  const body = pipeline(long, {
    environment_variables,
    label_template: `\${COUNT}-\${${long}`,
    materials: [git({ destination: `../${long}` })],
  });
  const reply = await tryOut(server, body);
  assert.equal(reply.status, 422);
  assert.ok(reply.json.message.length <= 2_000, String(reply.json.message.length));
  const messages = Object.values(errorsIn(reply.json.data)).flat();
  assert.ok(messages.length > 50);
  assert.ok(messages.every(({ length }) => length <= 2_000));
  assert.ok(messages.some((message) => /^Invalid pipeline name 'x+…x+'\. This must be alphanumeric/.test(message)));
});
