// Problems of a document come in the words of GoCD, all at once, each with its place; dropped parts are reported.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../../src/shape/json/json.ts';
import { find, readText } from './entities.ts';

/** A document with this inside its root, on one line. */
const cruise = (inside: string) => `<cruise schemaVersion="139">${inside}</cruise>`;
const pipeline = (inside: string, attributes = 'name="p"') =>
  cruise(`<pipelines><pipeline ${attributes}><materials><git url="u"/></materials>${inside}</pipeline></pipelines>`);
const job = (inside: string, attributes = 'name="j"') =>
  pipeline(`<stage name="s"><jobs><job ${attributes}>${inside}</job></jobs></stage>`);
const task = (inside: string) => job(`<tasks>${inside}</tasks>`);
const repo = (inside: string) => cruise(`<config-repos><config-repo id="r">${inside}</config-repo></config-repos>`);

const problemsOf = (text: string) => readText(text).problems.map(({ message }) => message);

/** The JSON of the only task of the only job. */
function taskOf(inside: string): JsonObject {
  const [stage] = find(readText(task(inside)), 'pipelines').json.stages as unknown as { jobs: { tasks: JsonObject[] }[] }[];
  return stage!.jobs[0]!.tasks[0]!;
}

function jobOf(attributes: string): JsonObject {
  const [stage] = find(readText(job('', `name="j" ${attributes}`)), 'pipelines').json.stages as unknown as { jobs: JsonObject[] }[];
  return stage!.jobs[0]!;
}

describe('the translated messages', () => {
  const NAME = '[a-zA-Z0-9_\\-]{1}[a-zA-Z0-9_\\-.]*';
  const long = 'x'.repeat(256);
  const cases: readonly (readonly [title: string, text: string, ...messages: string[]])[] = [
    ['a bad boolean', pipeline('', 'name="p"').replace('url="u"', 'url="u" shallowClone="yes"'), '"yes" is invalid for Git shallowClone'],
    [
      'a bad number',
      cruise('<server><mailhost hostname="h" port="x" from="a@b" admin="a@b"/></server>'),
      '"x" is invalid for Mailhost port',
    ],
    ['a bad word', pipeline('', 'name="p" lockBehavior="always"'), '"always" is invalid for Pipeline lockBehavior'],
    ['a bad type of artifact', job('<artifacts><artifact type="odd" src="x"/></artifacts>'), '"odd" is invalid for Artifact type'],
    ['a bad state', task('<exec command="c"><runif status="never"/></exec>'), '"never" is invalid for Runif status'],
    ['a bad origin', task('<fetchartifact artifactOrigin="x" stage="s" job="j"/>'), '"x" is invalid for Fetchartifact artifactOrigin'],
    ['a bad timeout', job('', 'name="j" timeout="never"'), '"never" is invalid for Job timeout'],
    ['a bad timeout of all jobs', cruise('<server jobTimeout="abc"/>'), '"abc" is invalid for Server jobTimeout'],
    ['a bad timeout of a task', task('<exec command="c" timeout="0"/>'), '"0" is invalid for Exec timeout'],
    ['a bad count', job('', 'name="j" runInstanceCount="all"'), '"all" is invalid for Job runInstanceCount'],
    ['a missing attribute', repo('<hg/>'), '"Url" is required for Hg'],
    [
      'two missing attributes, in camel case',
      cruise('<server><security><authConfigs><authConfig/></authConfigs></security></server>'),
      '"Id" is required for Auth config',
      '"Plugin id" is required for Auth config',
    ],
    ['an artifact without a type', job('<artifacts><artifact src="x"/></artifacts>'), '"Type" is required for Artifact'],
    ['a name', pipeline('', 'name="a b"'), `Name is invalid. "a b" should conform to the pattern - ${NAME}`],
    [
      'the name of an environment',
      cruise('<environments><environment name=".x"/></environments>'),
      `Environment name is invalid. ".x" should conform to the pattern - ${NAME}`,
    ],
    ['the name of a job', job('', 'name="a b"'), 'Jobname is invalid. "a b" should conform to the pattern - [a-zA-Z0-9_\\-.]+'],
    [
      'a name that is too long',
      pipeline('', `name="${long}"`),
      `Value '${long}' with length = '256' is not facet-valid with respect to maxLength '255' for type 'nameType'.`,
    ],
    [
      'a directory',
      pipeline('').replace('url="u"', 'url="u" dest="x "'),
      'File path is invalid. "x " should conform to the pattern - (([.]\\/)?[.][^. ]+)|([^. ].+[^. ])|([^. ][^. ])|([^. ])',
    ],
    [
      'an address of mail',
      cruise('<server><mailhost hostname="h" port="1" from="a" admin="a@b"/></server>'),
      'Email is invalid. "a" should conform to the pattern - .*@.*',
    ],
    [
      'a command with blanks around it',
      task('<exec command=" c"/><exec command="c "/><exec command=""/><exec command="c d"/>'),
      ...[' c', 'c ', ''].map((command) => `Command is invalid. "${command}" should conform to the pattern - \\S(.*\\S)?`),
    ],
    [
      'a state that is there twice',
      task('<ant><runif status="any"/><runif status="failed"/><runif status="any"/></ant>'),
      'Duplicate unique value [any] declared for identity constraint of element "ant".',
    ],
    [
      'a state of a task on cancel, which means nothing',
      task('<ant><oncancel><exec command="c"><runif status="never"/></exec></oncancel></ant>'),
      '"never" is invalid for Runif status',
    ],
    ['an unknown element', cruise('<agents/>'), 'Invalid XML tag "agents" found.'],
    ['an unknown root', '<config schemaVersion="139"/>', 'Invalid XML tag "config" found.'],
    [
      'an element inside text',
      pipeline('').replace('<materials>', '<params><param name="x"><b/></param></params><materials>'),
      'Invalid XML tag "b" found.',
    ],
    [
      'an element inside the text of a child',
      cruise('<server><siteUrls><siteUrl><b/></siteUrl></siteUrls></server>'),
      'Invalid XML tag "b" found.',
    ],
    ['an unknown attribute', cruise('<elastic profiles="2"/>'), "Attribute 'profiles' is not allowed to appear in element 'elastic'."],
    [
      'an attribute on a text',
      cruise('<server><siteUrls><siteUrl x="1">http://x</siteUrl></siteUrls></server>'),
      "Attribute 'x' is not allowed to appear in element 'siteUrl'.",
    ],
    ['a namespace', '<cruise schemaVersion="139" xmlns="urn:x"/>', "Attribute 'xmlns' is not allowed to appear in element 'cruise'."],
    [
      'text where none belongs',
      cruise('<elastic>x</elastic>'),
      "Element 'elastic' cannot have character [children], because the type's content type is element-only.",
    ],
    [
      'elements out of order',
      cruise('<scms/><elastic/>'),
      "Invalid content was found starting with element 'elastic'. One of '{config-repos, artifactStores, secretConfigs, pipelines, templates, environments}' is expected.",
    ],
    [
      'an element too many',
      cruise('<environments><environment name="e"><pipelines/><pipelines/></environment></environments>'),
      "Invalid content was found starting with element 'pipelines'. No child element is expected at this point.",
    ],
    [
      'two materials',
      repo('<git url="u"/><svn url="u"/>'),
      "Invalid content was found starting with element 'svn'. One of '{configuration, rules}' is expected.",
    ],
    ['no material', repo(''), "The content of element 'config-repo' is not complete. One of '{git, hg, svn, p4, tfs, scm}' is expected."],
    ['an empty list', cruise('<templates/>'), "The content of element 'templates' is not complete. One of '{pipeline}' is expected."],
    [
      'both forms of a value',
      cruise(
        '<artifactStores><artifactStore id="s" pluginId="p"><property><key>k</key><value>v</value><encryptedValue>e</encryptedValue></property></artifactStore></artifactStores>',
      ),
      "Invalid content was found starting with element 'encryptedValue'. No child element is expected at this point.",
    ],
    [
      'a bad double',
      cruise('<server><artifacts><purgeSettings><purgeStartDiskSpace>much</purgeStartDiskSpace></purgeSettings></artifacts></server>'),
      "'much' is not a valid value for 'double'.",
    ],
  ];
  for (const [title, text, ...messages] of cases)
    test(`a problem has its message: ${title}`, () => assert.deepEqual(problemsOf(text), messages));
});

describe('tasks', () => {
  test('two oncancel are refused', () => {
    const text = task('<ant><oncancel><rake/></oncancel><oncancel/></ant>');
    assert.deepEqual(problemsOf(text), ['Task [ant] should not contain more than 1 oncancel task']);
  });
  test('two tasks in one oncancel are refused', () => {
    const text = task('<exec command="c"><oncancel><ant/><rake/></oncancel></exec>');
    assert.deepEqual(problemsOf(text), [
      "Invalid content was found starting with element 'rake'. No child element is expected at this point.",
    ]);
  });
  test('an oncancel inside another is refused', () => {
    const text = task('<exec command="c"><oncancel><ant><oncancel/></ant></oncancel></exec>');
    assert.deepEqual(problemsOf(text), ["Cannot nest 'oncancel' within a cancel task"]);
  });
  test('a condition of a task on cancel is ignored', () => {
    const read = taskOf('<ant><oncancel><rake><runif status="any"/></rake></oncancel></ant>');
    const { on_cancel } = read.attributes as JsonObject;
    assert.deepEqual(on_cancel, { type: 'rake', attributes: { build_file: null, target: null, working_directory: null } });
  });
  test('a fetch of both a file and a directory is refused', () => {
    const text = task('<fetchartifact artifactOrigin="gocd" srcfile="a" srcdir="b" stage="s" job="j"/>');
    assert.deepEqual(problemsOf(text), ['Only one of srcfile or srcdir is allowed at a time']);
  });
  test('arguments in both forms reach the JSON, where they are refused', () => {
    const { attributes } = taskOf('<exec command="c" args="x"><arg>y</arg></exec>');
    assert.deepEqual([(attributes as JsonObject).args, (attributes as JsonObject).arguments], ['x', ['y']]);
  });
  test('a script may have no settings but its own', () => {
    const setting = (key: string) => `<property><key>${key}</key><value>x</value></property>`;
    const script = (...keys: string[]) =>
      `<task><pluginConfiguration id="slipway.script"/><configuration>${keys.map(setting).join('')}</configuration></task>`;
    assert.deepEqual(taskOf(script('shell', 'script')).type, 'script');
    assert.deepEqual(problemsOf(task(script('script', 'user'))), [
      "A task of slipway.script has no setting 'user', only script, shell, working_directory.",
    ]);
  });
});

describe('jobs', () => {
  test('runOnAllAgents and runInstanceCount together are refused', () => {
    const message = "Job cannot be 'run on all agents' type and 'run multiple instance' type together.";
    assert.deepEqual(problemsOf(job('', 'name="j" runOnAllAgents="true" runInstanceCount="2"')), [message]);
  });
  for (const [attributes, timeout, count] of [
    ['', null, null],
    ['timeout="0"', 'never', null],
    ['timeout="0.0"', 'never', null],
    ['timeout=" 7.5 "', 7.5, null],
    ['timeout="#{t}" runInstanceCount="#{n}"', '#{t}', '#{n}'],
    ['runInstanceCount="3" runOnAllAgents="0"', null, 3],
    ['runOnAllAgents="1"', null, 'all'],
  ] as const)
    test(`a job is read with ${attributes || 'no attributes'}`, () => {
      const read = jobOf(attributes);
      assert.deepEqual([read.timeout, read.run_instance_count], [timeout, count]);
    });
});

test('names, words and paths that use parameters are left to the rules that know their values', () => {
  const text = pipeline(
    '<stage name="s"><jobs><job name="#{j}"><artifacts><artifact type="external" id="#{a}" storeId="s"/></artifacts></job></jobs></stage>',
    'name="p" lockBehavior="#{lock}"',
  ).replace('url="u"', 'url="u" materialName="#{m}" dest="#{d}."');
  assert.deepEqual(problemsOf(text), []);
});

test('all problems come at once, in the order of the document, with their places', () => {
  const text = [
    '<cruise schemaVersion="139">',
    '  <agents/>',
    '  <pipelines',
    '    grouped="x">',
    '    <pipeline/>',
    '  </pipelines>',
    '</cruise>',
  ].join('\n');
  assert.deepEqual(readText(text).problems, [
    { line: 2, column: 3, message: 'Invalid XML tag "agents" found.' },
    { line: 3, column: 3, message: "Attribute 'grouped' is not allowed to appear in element 'pipelines'." },
    { line: 5, column: 5, message: "The content of element 'pipeline' is not complete. One of '{materials}' is expected." },
    { line: 5, column: 5, message: '"Name" is required for Pipeline' },
  ]);
});

test('there is an end to the problems that are reported', () => {
  assert.equal(readText(cruise('<x/>'.repeat(5000))).problems.length, 1000);
});

describe('the version of the schema', () => {
  const refusal = (version: string) => `Go config file with version ${version} is invalid. Unable to upgrade.`;
  test('a missing version is refused', () => assert.deepEqual(problemsOf('<cruise/>'), [refusal('0')]));
  test('an older version is refused', () => assert.deepEqual(problemsOf('<cruise schemaVersion="138"/>'), [refusal('138')]));
  test('a newer version is refused', () => assert.deepEqual(problemsOf('<cruise schemaVersion="140"/>'), [refusal('140')]));
  test('a version that is no number is refused', () =>
    assert.deepEqual(problemsOf('<cruise schemaVersion="new"/>'), ['"new" is invalid for Cruise schemaVersion']));
});

test('elements that are never written are read, and parts without a place are reported', () => {
  const read = readText(readFileSync(join(import.meta.dirname, 'rest.xml'), 'utf8'));
  assert.deepEqual(read.problems, []);
  assert.deepEqual(
    read.ignored.map(({ line, what, why }) => `${line} ${what}: ${why}`),
    [
      "5 the attribute 'anonymous' of <security>: This server has no place for it.",
      '17 the attribute lockBehavior="none" of <pipeline>: It says the same as no such attribute.',
      '18 the element <dependencies>: This server has no place for it.',
      "31 the attribute 'description' of <task>: This server has no place for it.",
    ],
  );
  const passwordOf = (material: unknown) => ((material as JsonObject).attributes as JsonObject).password;
  const passwords = read.entities.flatMap(({ kind, json }) => {
    if (kind === 'configRepos') return [passwordOf(json.material)];
    return kind === 'pipelines' ? (json.materials as readonly JsonObject[]).map(passwordOf) : [];
  });
  const each = (...types: string[]) => types.map((type) => `${type}-password`);
  assert.deepEqual(passwords, [...each('git', 'hg', 'svn', 'p4', 'tfs'), undefined, ...each('git', 'svn', 'hg', 'p4', 'tfs')]);
  assert.equal(find(read, 'mailServer').json.password, 'mail-password');
  assert.deepEqual(find(read, 'serverIdentity').json, {
    agent_auto_register_key: 'agent-key',
    webhook_secret: 'webhook-key',
    token_generation_key: 'token-key',
    job_starvation_timeout: 2,
  });
  assert.deepEqual(read.entities.find(({ json }) => json.id === 'scm')?.json.material, { type: 'plugin', attributes: { ref: 'some-scm' } });
});

test('a password in clear counts more than its cipher text, and a blank one takes both away', () => {
  const passwordsOf = (attributes: string) => {
    const { material } = find(readText(repo(`<git url="u" ${attributes}/>`)), 'configRepos').json as unknown as {
      material: { attributes: JsonObject };
    };
    return [material.attributes.password, material.attributes.encrypted_password];
  };
  assert.deepEqual(passwordsOf('encryptedPassword="e"'), [undefined, 'e']);
  assert.deepEqual(passwordsOf('password="p" encryptedPassword="e"'), ['p', undefined]);
  assert.deepEqual(passwordsOf('password=" " encryptedPassword="e"'), [undefined, undefined]);
});

test('ids that are missing are made up, and packages belong to their repository', () => {
  const configuration = '<configuration><property><key>k</key></property></configuration>';
  const plugin = '<pluginConfiguration id="x"/>';
  const { entities, problems } = readText(
    cruise(
      `<repositories><repository name="r">${plugin}${configuration}<packages><package name="p">${configuration}</package></packages></repository></repositories><scms><scm name="s">${plugin}${configuration}</scm></scms>`,
    ),
  );
  assert.deepEqual(problems, []);
  const [, repository, one, scm] = entities.map(({ json }) => json);
  assert.match(String(repository!.repo_id), /^[\da-f-]{36}$/);
  assert.match(String(scm!.id), /^[\da-f-]{36}$/);
  assert.notEqual(one!.id, repository!.repo_id);
  assert.deepEqual(one!.package_repo, { id: repository!.repo_id });
});

test('lists of users and roles are read in any order, and no administrators are none', () => {
  const security = (inside: string) => readText(cruise(`<server><security><admins>${inside}</admins></security></server>`));
  assert.deepEqual(find(security('<role>a</role><user>b</user><role>c</role>'), 'systemAdmins').json, { users: ['b'], roles: ['a', 'c'] });
  assert.deepEqual(
    security('').entities.map(({ kind }) => kind),
    ['serverIdentity'],
  );
});

test('names of resources and users are trimmed, other texts are not', () => {
  const read = find(readText(job('<resources><resource>\n linux </resource></resources>')), 'pipelines').json;
  const [stage] = read.stages as unknown as { jobs: { resources: string[] }[] }[];
  assert.deepEqual(stage!.jobs[0]!.resources, ['linux']);
  const roles = cruise('<server><security><roles><role name="r"><users><user> ann </user></users></role></roles></security></server>');
  assert.deepEqual(find(readText(roles), 'roles').json.attributes, { users: ['ann'] });
  const admins = cruise('<server><security><admins><role> r </role></admins></security></server>');
  assert.deepEqual(find(readText(admins), 'systemAdmins').json.roles, [' r ']);
});

test('the instruction with fields that the format has no place for is checked', () => {
  const role = (body: string) => cruise(`<server><security><roles><role name="r"><?slipway ${body}?></role></roles></security></server>`);
  assert.equal(find(readText(role('{"type":"slipway"}')), 'roles').json.type, 'slipway');
  for (const body of ['{"name":"x"}', 'type', '[]', '{'])
    assert.deepEqual(problemsOf(role(body)), ['The instruction for slipway should be a JSON object with no members but: type.']);
  assert.deepEqual(problemsOf(cruise('<?slipway ?><?xml-stylesheet href="x"?>')), []);
});

test('every object that has an element has its line, under its JSON path', () => {
  const text = [
    '<cruise schemaVersion="139">',
    '<pipelines><pipeline name="p">',
    '<params>',
    '<param name="x">y</param>',
    '</params>',
    '<materials>',
    '<git url="u">',
    '<filter><ignore pattern="x"/></filter></git>',
    '</materials>',
    '<stage name="s"><jobs>',
    '<job name="j"><tasks><ant>',
    '<oncancel>',
    '<rake/></oncancel></ant></tasks></job></jobs></stage>',
    '</pipeline></pipelines></cruise>',
  ].join('\n');
  const { line, lines } = find(readText(text), 'pipelines');
  assert.equal(line, 2);
  assert.deepEqual(Object.fromEntries(lines), {
    'parameters/0': 4,
    'materials/0': 7,
    'materials/0/attributes/filter': 8,
    'stages/0': 10,
    'stages/0/jobs/0': 11,
    'stages/0/jobs/0/tasks/0': 11,
    'stages/0/jobs/0/tasks/0/attributes/on_cancel': 13,
  });
});
