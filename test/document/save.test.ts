// Saving the whole document: entities that it creates, changes and removes, changes of others meanwhile, and all its problems.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { isInDocument } from '../../src/document/projection/document.ts';
import { SaveCollision } from '../../src/document/save/collision.ts';
import { KINDS_IN_ORDER } from '../../src/document/save/kinds.ts';
import { FileRefused } from '../../src/document/save/refused.ts';
import { registry } from '../../src/resources/index.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import { kindsOf } from '../../src/shape/resource.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';

let world: TestConfiguration;
beforeEach(async () => {
  world = await TestConfiguration.open();
});
afterEach(() => world.close());

interface Content {
  readonly server?: string;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly environments?: Readonly<Record<string, readonly string[]>>;
}

function pipeline(name: string, more = ''): string {
  return `    <pipeline name="${name}">
      <materials>
        ${more === '' ? `<git url="https://example.com/${name}.git" />` : more}
      </materials>
      <stage name="build">
        <jobs>
          <job name="all">
            <tasks>
              <exec command="make" />
            </tasks>
          </job>
        </jobs>
      </stage>
    </pipeline>`;
}

function file({ server = '', groups = {}, environments = {} }: Content): string {
  const wrapped = Object.entries(groups).map(([name, members]) => `  <pipelines group="${name}">\n${members.join('\n')}\n  </pipelines>`);
  const named = Object.entries(environments).map(([name, members]) => {
    const pipelines = members.map((member) => `<pipeline name="${member}" />`).join('');
    return `    <environment name="${name}"><pipelines>${pipelines}</pipelines></environment>`;
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<cruise schemaVersion="139">',
    server,
    ...wrapped,
    ...(named.length > 0 ? ['  <environments>', ...named, '  </environments>'] : []),
    '</cruise>',
  ].join('\n');
}

const names = (kind: KindName) => Array.from(world.config.of(kind).all(), ({ key }) => key);

async function problemsOf(saving: Promise<unknown>): Promise<string[]> {
  const failure = await saving.then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(failure instanceof FileRefused, String(failure));
  return failure.message.split('\n');
}

async function collisionsOf(saving: Promise<unknown>): Promise<string[]> {
  const failure = await saving.then(
    () => assert.fail('it was accepted'),
    (reason: unknown) => reason,
  );
  assert.ok(failure instanceof SaveCollision, String(failure));
  return failure.collisions.map(({ kind, id, byOthers, here }) => `${kind.name} ${id}: ${byOthers}, ${here}`);
}

test('a save creates, changes, removes and leaves alone entities as one revision', async () => {
  await world.save(file({ groups: { g: [pipeline('a'), pipeline('b'), pipeline('c')] }, environments: { e: ['a'], gone: [] } }));
  const { plan, revision } = await world.save(
    file({ groups: { g: [pipeline('a'), pipeline('b').replace('make', 'rake')], h: [pipeline('d')] }, environments: { e: ['d'] } }),
  );
  assert.equal(revision, 2);
  assert.deepEqual(plan.created, [
    { kind: 'pipelineGroups', id: 'h' },
    { kind: 'pipelines', id: 'd' },
  ]);
  assert.deepEqual(plan.changed, [
    { kind: 'pipelines', id: 'b' },
    { kind: 'environments', id: 'e' },
  ]);
  assert.deepEqual(plan.removed, [
    { kind: 'environments', id: 'gone' },
    { kind: 'pipelines', id: 'c' },
  ]);
  assert.deepEqual([names('pipelines'), names('environments')], [['a', 'b', 'd'], ['e']]);
  const rows = await world.database.query.selectFrom('changes').select('operation').where('revision', '=', 2).execute();
  assert.deepEqual(rows.map(({ operation }) => operation).sort(), ['create', 'create', 'delete', 'delete', 'update', 'update']);
});

test('a setting that is not in the file is reset; the identity of the server stays', async () => {
  const mail = '<mailhost hostname="h" port="25" from="a@x" admin="b@x" />';
  await world.save(file({ server: `<server jobTimeout="5" serverId="s" webhookSecret="first-webhook-secret">${mail}</server>` }));
  const identity = world.config.of('serverIdentity').find('');
  const { plan } = await world.save(file({ server: '<server serverId="s" />' }));
  assert.deepEqual(plan.removed.map(({ kind }) => kind).sort(), ['jobTimeout', 'mailServer']);
  await world.save(file({}));
  assert.equal(world.config.of('serverIdentity').find(''), identity);
  const [problem, ...more] = await problemsOf(world.save(file({ server: '<server serverId="other" />' })));
  assert.match(
    problem!,
    /^line 3: Server identity: The value of 'serverId' uniquely identifies .* \(attempting to change from \[s\] to \[other\]\)\.$/,
  );
  assert.deepEqual(more, []);
});

test('the key for tokens stays, too, and other keys may change', async () => {
  await world.save(file({ server: '<server serverId="s" tokenGenerationKey="t" webhookSecret="first-webhook-secret" />' }));
  await world.save(file({ server: '\n<server serverId="s" tokenGenerationKey="t" webhookSecret="other-webhook-secret" />' }));
  assert.equal(world.config.revision, 2);
  const problems = await problemsOf(world.save(file({ server: '\n<server tokenGenerationKey="other" />' })));
  assert.deepEqual(problems, ["line 4: Server identity: The value of 'tokenGenerationKey' cannot be modified while the server is online."]);
});

test('a webhook secret must be as good as one that the API takes', async () => {
  const message = 'The webhook secret must have 16 to 255 characters: letters, digits and ASCII punctuation other than the colon.';
  for (const secret of ['short', 'with a:colon-and-more', 'ü'.repeat(20)]) {
    const problems = await problemsOf(world.save(file({ server: `\n<server webhookSecret="${secret}" />` })));
    assert.deepEqual(problems, [`line 4: Server identity: ${message}`]);
  }
});

test('comments are dropped, which is reported once', async () => {
  const { plan } = await world.save(file({ server: '<!-- ours -->\n<server jobTimeout="5" />\n<!-- more -->' }));
  assert.deepEqual(
    plan.ignored.map(({ what }) => what),
    ['line 3: comments'],
  );
});

describe('a save based on an older document', () => {
  const base = file({ groups: { g: [pipeline('a'), pipeline('b'), pipeline('c')] } });
  const withRake = (text: string, name: string) => text.replace(pipeline(name), pipeline(name).replace('make', 'rake'));
  const without = (text: string, name: string) => text.replace(pipeline(name), '');
  const commandOf = (name: string) => /"command":"(\w+)"/.exec(JSON.stringify(world.config.of('pipelines').find(name)?.value))?.[1];
  beforeEach(() => world.save(base));

  test('changes of others stay, if the file has not touched the entity', async () => {
    await world.save(withRake(base, 'a'), { base });
    const added = base.replace('  </pipelines>', `${pipeline('d')}\n  </pipelines>`);
    await world.save(added, { base });
    const { plan } = await world.save(without(withRake(base, 'b'), 'c'), { base });
    assert.deepEqual([commandOf('a'), commandOf('b'), names('pipelines')], ['rake', 'rake', ['a', 'b', 'd']]);
    assert.deepEqual([plan.changed.length, plan.removed.length, plan.created.length], [1, 1, 0]);
  });

  test('entities that others have removed stay removed, if the file has not touched them', async () => {
    await world.save(without(base, 'a'), { base });
    await world.save(withRake(base, 'b'), { base });
    assert.deepEqual(names('pipelines'), ['b', 'c']);
  });

  test('the same change by both is no collision', async () => {
    await world.save(without(withRake(base, 'a'), 'c'), { base });
    const { revision } = await world.save(without(withRake(base, 'a'), 'c'), { base });
    assert.equal(revision, undefined);
  });

  for (const [title, theirs, ours, message] of [
    ['changed by both', withRake(base, 'a'), base.replace(pipeline('a'), pipeline('a').replace('make', 'ant')), 'change, change'],
    ['changed by others and removed here', withRake(base, 'a'), without(base, 'a'), 'change, delete'],
    ['removed by others and changed here', without(base, 'a'), withRake(base, 'a'), 'delete, change'],
  ] as const) {
    test(`an entity ${title} is a collision, and nothing is changed`, async () => {
      await world.save(theirs, { base, actor: 'bob' });
      const document = world.document;
      assert.deepEqual(await collisionsOf(world.save(ours, { base })), [`pipelines a: ${message}`]);
      assert.deepEqual([world.document, world.config.revision], [document, 2]);
    });
  }

  test('an entity that both have created differently is a collision', async () => {
    const created = (command: string) => base.replace('  </pipelines>', `${pipeline('d').replace('make', command)}\n  </pipelines>`);
    await world.save(created('one'), { base });
    assert.deepEqual(await collisionsOf(world.save(created('two'), { base })), ['pipelines d: create, change']);
  });

  test('changes that break rules only together are refused', async () => {
    await world.save(without(base, 'c'), { base });
    const dependent = base.replace(pipeline('b'), pipeline('b', '<pipeline pipelineName="c" stageName="build" />'));
    const problems = await problemsOf(world.save(dependent, { base }));
    assert.match(problems.join('\n'), /^line 21: Pipeline 'b': Pipeline with name 'c' does not exist/);
  });
});

describe('everything that is wrong is reported with its line', () => {
  test('broken rules, references and problems of reading are reported for all entities at once', async () => {
    const text = file({
      server: '<server><mailhost hostname="" port="25" from="a@x" admin="b@x" /></server>',
      groups: {
        g: [
          pipeline('a', '<pipeline pipelineName="nowhere" stageName="build" />'),
          pipeline('b').replace('name="b"', 'name="b" labeltemplate="${b a d}"'),
          pipeline('c').replace('<job name="all">', '<job name="all" elasticProfileId="none">'),
        ],
      },
      environments: { e: ['missing'] },
    });
    const problems = await problemsOf(world.save(text));
    assert.equal(problems.length, 5, problems.join('\n'));
    const linesAndNames = problems.map((problem) => /^line (\d+): (.*?): /.exec(problem)!.slice(1));
    assert.deepEqual(
      linesAndNames.map(([, name]) => name),
      ['Mail server', "Pipeline 'a'", "Pipeline 'b'", "Pipeline 'c'", "Environment 'e'"],
    );
    const lines = text.split('\n');
    const at = (part: string) => String(lines.findIndex((line) => line.includes(part)) + 1);
    assert.deepEqual(
      linesAndNames.map(([line]) => line),
      [at('mailhost'), at('nowhere'), at('labeltemplate'), at('elasticProfileId'), at('<environment ')],
    );
    assert.equal(world.config.revision, 0);
  });

  test('problems of the form do not hide other problems, and are not reported twice', async () => {
    await world.save(file({ groups: { old: [pipeline('z')] } }));
    const text = file({
      server: '<server jobTimeout="abc" />',
      groups: {
        g: [
          pipeline('a').replace('<stage name="build">', '<weapons /><stage name="bu ild">'),
          pipeline('b').replace('command="make"', 'command=" make"').replace('job name="all"', 'job name="all" elasticProfileId="none"'),
          pipeline('c').replace('<job name="all">', '<job name="all" elasticProfileId="none">'),
        ],
      },
      environments: { e: ['missing'] },
    });
    const lines = text.split('\n');
    const at = (part: string) => lines.findIndex((line) => line.includes(part)) + 1;
    assert.deepEqual(await problemsOf(world.save(text)), [
      `line ${at('jobTimeout')}: "abc" is invalid for Server jobTimeout`,
      `line ${at('<weapons />')}: Invalid XML tag "weapons" found.`,
      `line ${at('bu ild')}: Name is invalid. "bu ild" should conform to the pattern - [a-zA-Z0-9_\\-]{1}[a-zA-Z0-9_\\-.]*`,
      `line ${at('" make"')}: Command is invalid. " make" should conform to the pattern - \\S(.*\\S)?`,
      `line ${lines.findLastIndex((line) => line.includes('elasticProfileId')) + 1}: Pipeline 'c': No profile defined corresponding to profile_id 'none'`,
      `line ${at('<environment ')}: Environment 'e': Environment 'e' refers to an unknown pipeline 'missing'.`,
    ]);
    assert.equal(world.config.revision, 1);
  });

  test('references to removed entities are reported with their lines', async () => {
    const base = file({
      groups: { g: [pipeline('a'), pipeline('b', '<pipeline pipelineName="a" stageName="build" />')] },
      environments: { e: ['a'] },
    });
    await world.save(base);
    const problems = await problemsOf(world.save(base.replace(pipeline('a'), ''), { base }));
    assert.equal(problems.length, 1);
    assert.match(problems[0]!, /^line \d+: Pipeline 'b': Cannot delete pipeline 'a' as pipeline 'b \(g\)' depends on it\.$/);
  });

  test('unchanged entities that a change breaks are reported with their lines', async () => {
    const base = file({ groups: { g: [pipeline('a'), pipeline('b', '<pipeline pipelineName="a" stageName="build" />')] } });
    await world.save(base);
    const renamed = base.replace(pipeline('a'), pipeline('a').replace('stage name="build"', 'stage name="other"'));
    const problems = await problemsOf(world.save(renamed, { base }));
    assert.equal(problems.length, 1);
    assert.match(problems[0]!, /^line \d+: Pipeline 'b': Stage with name 'build' does not exist on pipeline 'a'/);
  });

  test('a pipeline name that is used twice is reported with its line', async () => {
    const problems = await problemsOf(world.save(file({ groups: { g: [pipeline('a')], h: [pipeline('A')] } })));
    const message = "You have defined multiple pipelines named 'A'. Pipeline names must be unique. Source(s): [cruise-config.xml]";
    assert.deepEqual(problems, [`line 21: Pipeline 'A': ${message}`]);
  });

  test('names used twice by profiles, groups or environments are reported in the words of GoCD', async () => {
    const twice: readonly (readonly [string, string])[] = [
      [
        '<artifactStores><artifactStore id="a" pluginId="p" /><artifactStore id="a" pluginId="p" /></artifactStores>',
        "Artifact store id 'a'",
      ],
      [
        '<elastic><clusterProfiles><clusterProfile id="a" pluginId="p" /><clusterProfile id="a" pluginId="p" /></clusterProfiles></elastic>',
        "Cluster Profile id 'a'",
      ],
      [
        '<secretConfigs><secretConfig id="a" pluginId="p" /><secretConfig id="a" pluginId="p" /></secretConfigs>',
        "Secret configuration id 'a'",
      ],
    ];
    for (const [section, subject] of twice) {
      const problems = await problemsOf(world.save(file({}).replace('</cruise>', `${section}</cruise>`)));
      assert.ok(problems.length === 1 && problems[0]!.endsWith(`: ${subject} is not unique`), String(problems));
    }
    const groups = await problemsOf(world.save(file({ groups: { g: [], G: [] } })));
    assert.ok(groups.length === 1 && groups[0]!.endsWith(": Group with name 'G' already exists"), String(groups));
    const environments = await problemsOf(world.save(file({ environments: { e: [], E: [] } })));
    assert.ok(environments.length === 1 && environments[0]!.endsWith(": Environment with name 'E' already exists."), String(environments));
  });

  test('a secret is never repeated', async () => {
    const git = '<git url="https://u:hush-url@example.com/a.git" username="u" password="hush" encryptedPassword="hush-too" />';
    const variable =
      '<environmentvariables><variable name="V" secure="true"><encryptedValue>hush-value</encryptedValue></variable></environmentvariables>';
    const text = file({ groups: { g: [pipeline('a', git).replace('      <materials>', `      ${variable}\n      <materials>`)] } });
    const problems = await problemsOf(world.save(text));
    assert.ok(problems.length > 0);
    assert.doesNotMatch(problems.join('\n'), /hush/);
  });
});

test('another order in the file is reported, and changes nothing', async () => {
  await world.save(file({ groups: { g: [pipeline('a'), pipeline('b')], h: [] } }));
  const { plan, revision } = await world.save(file({ groups: { g: [pipeline('b'), pipeline('a')], h: [] } }));
  assert.equal(revision, undefined);
  assert.deepEqual(
    plan.ignored.map(({ what }) => what),
    ['the order of pipelines in the file'],
  );
  const groups = await world.save(file({ groups: { h: [], g: [pipeline('a'), pipeline('b')] } }));
  assert.deepEqual(
    groups.plan.ignored.map(({ what }) => what),
    ['the order of pipeline groups in the file'],
  );
});

test('every kind that stands in the document has its place in the order', () => {
  assert.deepEqual(
    [...KINDS_IN_ORDER].sort(),
    kindsOf(registry)
      .map(({ name }) => name)
      .filter(isInDocument)
      .sort(),
  );
});
