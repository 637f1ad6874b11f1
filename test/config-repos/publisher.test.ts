// Publishing: definitions of config repos become part of the configuration, all of them or none.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: labels of GoCD are written with ${…}
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { putNew } from '../../src/api/engine/verbs/create.ts';
import { loadConfig } from '../../src/config/current.ts';
import { Draft } from '../../src/config/draft.ts';
import { exportedPipeline } from '../../src/config-repos/export/exported.ts';
import { definitionsInForce } from '../../src/config-repos/publish/definitions-in-force.ts';
import { SupersededPublication } from '../../src/config-repos/publish/publication.ts';
import { FileRefused } from '../../src/document/save/refused.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { yamlConfigRepoPlugin } from '../../src/plugins/bundled/config-repos/yaml.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import { readEntity, readingFor } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { STORED } from '../../src/shape/secrets/secret-writer.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';
import { referenceCipherText } from '../support/configuration/reference-cipher-text.ts';
import { after, environment, pipeline, RepoLab } from './support.ts';

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await lab.addRepo('one');
  await lab.addRepo('two');
});
afterEach(() => lab.configuration.close());

const messages = (problems: readonly { message: string }[]) => problems.map(({ message }) => message);
const refusal = (message: RegExp) => (failure: unknown) => failure instanceof Refusal && message.test(failure.message);

/** The members that answers show beside the fields of an entity. */
function shownWith(kindName: KindName, id: string) {
  const { config } = lab.configuration;
  const { kind } = config.of(kindName);
  return kind.shows!.add(lab.value(kindName, id)!, new Draft(config).ruleView, { base: '', secrets: STORED });
}

test('pipelines, their groups and environments come into force, as one revision', async () => {
  const { config } = lab.configuration;
  const before = config.revision;
  const qa = environment('qa', { pipelines: [{ name: 'web' }], environment_variables: [{ name: 'V', value: '1', secure: false }] });
  assert.deepEqual(await lab.publish('one', { pipelines: [pipeline('web'), pipeline('tests', after('web'))], environments: [qa] }), []);
  assert.equal(config.revision, before + 1);
  assert.deepEqual(lab.inForce('pipelines'), ['web from one:a.gocd.yaml', 'tests from one:a.gocd.yaml']);
  assert.deepEqual(lab.inForce('pipelineGroups'), ['g']);
  assert.deepEqual(lab.inForce('environments'), ['qa']);
  assert.deepEqual(lab.inForce('environmentParts'), ['one/qa/a.gocd.yaml from one:a.gocd.yaml']);
  assert.equal(lab.value('publishedRevisions', 'one')?.revision, '1');
});

test('the next revision replaces definitions, and removes missing ones; unchanged files keep their revision', async () => {
  await lab.publish('one', { pipelines: [pipeline('a'), pipeline('b', { file: 'b.yaml' }), pipeline('c')] });
  const { revision } = lab.configuration.config.of('pipelines').find('b')!;
  const next = [pipeline('a', { label_template: 'x-${COUNT}' }), { ...pipeline('b', { file: 'b.yaml' }), body: {} }];
  assert.deepEqual(await lab.publish('one', { revision: '2', pipelines: next, isInForce: (file) => file === 'b.yaml' }), []);
  assert.deepEqual(lab.inForce('pipelines'), ['a from one:a.gocd.yaml', 'b from one:b.yaml']);
  assert.equal(lab.value('pipelines', 'a')?.labelTemplate, 'x-${COUNT}');
  assert.equal(lab.configuration.config.of('pipelines').find('b')!.revision, revision);
});

test('a revision that was read while another one was being published is applied on top of it', async () => {
  const labelled = (label: string) => pipeline('a', { label_template: `${label}-\${COUNT}` });
  const first = lab.publish('one', { pipelines: [labelled('first')] });
  const second = lab.publish('one', { revision: '2', pipelines: [labelled('second')] });
  assert.deepEqual(await Promise.all([first, second]), [[], []]);
  assert.deepEqual([lab.value('pipelines', 'a')?.labelTemplate, lab.inForce('pipelines')], ['second-${COUNT}', ['a from one:a.gocd.yaml']]);
  const { revision, etag } = lab.configuration.config.of('pipelines').find('a')!;
  await lab.publish('one', { revision: '3', pipelines: [labelled('second')] });
  const after = lab.configuration.config.of('pipelines').find('a')!;
  assert.deepEqual([after.revision, after.etag], [revision, etag], 'nothing has changed');
});

describe('secrets that another server has encrypted', () => {
  const KEY = '5f1b0e9c7a3d4e6f8a9b0c1d2e3f4a5b';
  const secrets = (make: (plain: string) => string) => {
    const configuration = [{ key: 'password', encrypted_value: make('of the SCM') }];
    const scm = { name: 'tool', plugin_metadata: { id: 'github.pr', version: '1' }, configuration };
    const git = { url: 'https://scm.example.org/web.git', username: 'me', encrypted_password: make('of git'), destination: 'web' };
    return {
      pipelines: [
        pipeline('web', {
          materials: [
            { type: 'git', attributes: git },
            { type: 'plugin', attributes: { scm, destination: 'tool' } },
          ],
          environment_variables: [{ name: 'A', secure: true, encrypted_value: make('of the pipeline') }],
        }),
      ],
      environments: [environment('qa', { environment_variables: [{ name: 'B', secure: true, encrypted_value: make('of qa') }] })],
    };
  };
  const encrypted = () => secrets((plain) => referenceCipherText(plain, KEY));
  const stored = () => (['pipelines', 'environmentParts', 'scms'] as const).map((kind) => [...lab.configuration.config.of(kind).all()]);
  const opened = () => {
    const texts = JSON.stringify(stored()).match(/v1:[^"]+/g) ?? [];
    return texts.map((text) => lab.configuration.cipher.decrypt(text)).sort();
  };

  test('come into force with the key of that server, and again change nothing', async () => {
    const { importedKeys, config } = lab.configuration;
    assert.equal((await lab.publish('one', encrypted())).length, 4);
    importedKeys.keep('0'.repeat(32));
    assert.equal((await lab.publish('one', encrypted())).length, 4);
    importedKeys.keep(KEY);
    const first = encrypted();
    assert.deepEqual(await lab.publish('one', first), []);
    assert.deepEqual(opened(), ['of git', 'of qa', 'of the SCM', 'of the pipeline']);
    assert.doesNotMatch(JSON.stringify(stored()), /AES:/);
    const { revision } = config;
    const before = JSON.stringify(stored());
    for (const again of [first, encrypted()]) assert.deepEqual(await lab.publish('one', again), []);
    assert.deepEqual([config.revision, JSON.stringify(stored())], [revision, before]);
  });

  test('are reported as before when they are broken', async () => {
    lab.configuration.importedKeys.keep(KEY);
    const broken = secrets(() => 'AES:broken');
    const reported = messages(await lab.publish('one', broken));
    assert.ok(
      reported.includes(
        "Encrypted value for variable named 'A' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
      ),
      reported.join('\n'),
    );
    assert.equal(reported.length, 4);
  });
});

test('the plugin of an artifact store validates artifacts that files publish to it', async () => {
  await lab.put('artifactStores', { id: 'bucket', plugin_id: 'cd.go.artifact.s3', properties: [{ key: 'S3Bucket', value: 'b' }] });
  const publishing = (configuration: JsonObject[]) => {
    const artifact = { type: 'external', artifact_id: 'a', store_id: 'bucket', configuration };
    const task = { type: 'exec', attributes: { command: 'make' } };
    return [pipeline('web', { stages: [{ name: 's', jobs: [{ name: 'j', tasks: [task], artifacts: [artifact] }] }] })];
  };
  assert.deepEqual(messages(await lab.publish('one', { pipelines: publishing([]) })), ['Source file must be specified.']);
  assert.deepEqual(await lab.publish('one', { pipelines: publishing([{ key: 'Source', value: 'out' }]) }), []);
});

test('a name that is blank is refused, also where one is in force already, which is no obstacle to anything else', async () => {
  const { config, dataDir } = lab.configuration;
  const blank = { pipelines: [pipeline('')], environments: [environment('')] };
  const reported = async (publication: typeof blank) =>
    (await lab.publish('one', publication)).map(({ message, definedAt }) => [message, definedAt?.file, definedAt?.line, definedAt?.entity]);
  const expected = [
    ['Pipeline config must have a name.', 'a.gocd.yaml', 7, "pipeline ''"],
    ['Environment name must not be blank.', 'a.gocd.yaml', 7, "environment ''"],
  ];
  assert.deepEqual(await reported(blank), expected);
  assert.deepEqual([lab.inForce('pipelines'), lab.inForce('environments')], [[], []]);

  await lab.put('environments', { name: '' });
  await lab.put('pipelineGroups', { name: 'g' });
  await lab.put('pipelines', pipeline('').body as JsonObject);
  const again = openSqlite(`${dataDir}/slipway.db`);
  const loaded = await loadConfig([...config.kinds.values()], again.query);
  await again.close();
  assert.ok(loaded.of('environments').find('') && loaded.of('pipelines').find(''));
  assert.equal((await reported({ ...blank, pipelines: [] })).length, 1);
  assert.deepEqual(await lab.publish('two', { pipelines: [pipeline('fine')], environments: [environment('e')] }), []);
});

describe('a definition of a file that is in force', () => {
  const exceptA = (file: string) => file !== 'a.gocd.yaml';
  beforeEach(() =>
    lab.publish('one', {
      pipelines: [pipeline('a'), pipeline('b', { file: 'b.yaml' })],
      environments: [environment('e', {}, 'e.yaml')],
    }),
  );

  test('stays without being listed', async () => {
    assert.deepEqual(await lab.publish('one', { revision: '2', pipelines: [pipeline('c')], isInForce: exceptA }), []);
    assert.deepEqual(lab.inForce('pipelines'), ['b from one:b.yaml', 'c from one:a.gocd.yaml']);
    assert.deepEqual(lab.inForce('environmentParts'), ['one/e/e.yaml from one:e.yaml']);
    assert.deepEqual(await lab.publish('one', { revision: '3', pipelines: [pipeline('a')], isInForce: exceptA }), []);
    assert.deepEqual(lab.inForce('pipelines'), ['b from one:b.yaml', 'a from one:a.gocd.yaml']);
  });

  test('cannot be defined in another file as well', async () => {
    assert.deepEqual(messages(await lab.publish('one', { revision: '2', pipelines: [pipeline('B')], isInForce: exceptA })), [
      "You have defined multiple pipelines named 'B'. Pipeline names must be unique. Source(s): [one.git at revision 2 (b.yaml), one.git at revision 2 (a.gocd.yaml)]",
    ]);
  });

  test('does not count any more after it is withdrawn, or after a change of the repo', async () => {
    const { etag: inForceEtag } = lab.configuration.config.of('publishedRevisions').find('one')!;
    const { etag } = lab.configuration.config.of('configRepos').find('one')!;
    const next = { revision: '2', pipelines: [pipeline('c')], isInForce: exceptA, etag, inForceEtag };
    await lab.publisher.withdraw('one', { actor: 'x', token: null, address: null, reason: null });
    await assert.rejects(lab.publish('one', next), SupersededPublication);
    await lab.addRepo('one', []);
    await assert.rejects(lab.publish('one', { ...next, inForceEtag: undefined }), SupersededPublication);
    assert.deepEqual(lab.inForce('pipelines'), []);
  });
});

describe('an environment in several files of a repo', () => {
  const member = (name: string, file: string, variable: string) => {
    const body = { pipelines: [{ name }], environment_variables: [{ name: variable, value: '1', secure: false }] };
    return { pipeline: pipeline(name, { file }), environment: environment('shared', body, file) };
  };
  const [web, api] = [member('web', 'w.yaml', 'V'), member('api', 'a.yaml', 'W')];
  const members = () => (shownWith('environments', 'shared').pipelines as { name: string }[]).map(({ name }) => name);
  const except = (changed: string) => (file: string) => file !== changed;
  beforeEach(async () =>
    assert.deepEqual(
      await lab.publish('one', { pipelines: [web.pipeline, api.pipeline], environments: [web.environment, api.environment] }),
      [],
    ),
  );

  test('has the pipelines of all its files', async () => {
    assert.deepEqual(members(), ['api', 'web']);
    const { config } = lab.configuration;
    assert.deepEqual(definitionsInForce(config, 'one'), { environments: ['shared'], groups: [{ name: 'g', pipelines: ['api', 'web'] }] });
    await assert.rejects(
      lab.remove('environments', 'shared'),
      refusal(/partially defined in \[one\] config repositories\. Change the file \S+ of the config repo 'one' and the file/),
    );
    await lab.put('environments', { name: 'shared' });
    assert.deepEqual(members(), ['api', 'web']);
  });

  test('loses the pipelines that one file leaves out, and nothing else', async () => {
    const next = { pipelines: [web.pipeline], environments: [environment('Shared', {}, 'w.yaml')], isInForce: except('w.yaml') };
    assert.deepEqual(await lab.publish('one', { revision: '2', ...next }), []);
    assert.deepEqual(members(), ['api']);
    assert.deepEqual(definitionsInForce(lab.configuration.config, 'one').environments, ['shared']);
    assert.deepEqual(await lab.publish('one', { revision: '3', isInForce: except('a.yaml') }), []);
    assert.deepEqual(members(), []);
    assert.deepEqual(definitionsInForce(lab.configuration.config, 'one').environments, ['Shared']);
  });

  test('must not get the same pipeline from two of them: both files are named', async () => {
    const more = environment('SHARED', { pipelines: [{ name: 'api' }] }, 'x.yaml');
    const problems = await lab.publish('one', { revision: '2', environments: [more], isInForce: except('x.yaml') });
    assert.deepEqual(messages(problems), [
      "Environment pipeline 'api' is defined more than once. Source(s): [one.git at revision 2 (a.yaml), one.git at revision 2 (x.yaml)]",
    ]);
    assert.deepEqual(problems[0]!.definedAt, { file: 'x.yaml', line: 7, column: 3, entity: "environment 'SHARED'" });
  });

  test('may be written twice in one of them, if letter case distinguishes the names', async () => {
    const twice = [environment('shared', { pipelines: [{ name: 'web' }] }, 'w.yaml'), environment('SHARED', {}, 'w.yaml')];
    const next = { pipelines: [web.pipeline], environments: twice, isInForce: except('w.yaml') };
    assert.deepEqual(await lab.publish('one', { revision: '2', ...next }), []);
    assert.deepEqual(members(), ['api', 'web']);
  });

  test('goes with the repo, and replaces a part that an older server stored by the environment alone', async () => {
    const { changes, config } = lab.configuration;
    const kind = config.kind('environmentParts');
    const author = { actor: 'x', token: null, address: null, reason: null };
    await changes.apply(author, (draft) => {
      draft.publisher = 'one';
      const part = draft.find(kind, 'one/shared/w.yaml')!.value;
      draft.remove(kind, 'one/shared/w.yaml');
      draft.put(kind, 'one/shared', { ...part, id: 'one/shared' });
    });
    assert.deepEqual(members(), ['web', 'api']);
    await lab.publish('one', { pipelines: [web.pipeline, api.pipeline], environments: [web.environment, api.environment] });
    assert.deepEqual(lab.inForce('environmentParts').toSorted(), [
      'one/shared/a.yaml from one:a.yaml',
      'one/shared/w.yaml from one:w.yaml',
    ]);
    await lab.remove('configRepos', 'one');
    assert.deepEqual(lab.inForce('environmentParts'), []);
  });
});

test('definitions are listed in the order of the paths of their files, whichever came first', async () => {
  const both = (first: string, second: string) => ({ pipelines: [pipeline('x', { file: first }), pipeline('y', { file: second })] });
  const pipelines = () => definitionsInForce(lab.configuration.config, 'one').groups[0]!.pipelines;
  await lab.publish('one', both('1.yaml', '2.yaml'));
  assert.deepEqual(pipelines(), ['x', 'y']);
  await lab.publish('one', { revision: '2', ...both('2.yaml', '1.yaml') });
  assert.deepEqual(pipelines(), ['y', 'x']);
});

test('publishing the same again changes nothing', async () => {
  const definitions = { pipelines: [pipeline('a')], environments: [environment('e')] };
  await lab.publish('one', definitions);
  const { revision } = lab.configuration.config;
  await lab.publish('one', definitions);
  assert.equal(lab.configuration.config.revision, revision);
});

test('the display order of a file is kept, and decides on the place in the group', async () => {
  const ordered = (name: string, displayOrder: number) => ({ ...pipeline(name), displayOrder });
  assert.deepEqual(await lab.publish('one', { pipelines: [ordered('late', 7), ordered('any', -1), ordered('soon', 2)] }), []);
  assert.equal(lab.value('pipelines', 'late')!.origin?.order, 7);
  assert.deepEqual(lab.value('pipelines', 'any')!.origin, { repo: 'one', file: 'a.gocd.yaml' });
  const { config } = lab.configuration;
  const shown = shownWith('pipelineGroups', 'g').pipelines as { name: string }[];
  assert.deepEqual(
    shown.map(({ name }) => name),
    ['any', 'soon', 'late'],
  );
  const file = await exportedPipeline(
    yamlConfigRepoPlugin as never,
    config.of('pipelines').find('late')!,
    config,
    lab.configuration.cipher,
  );
  assert.match(file.text, /display_order: 7/);
});

test('agents that a repo puts into an environment are shown with it', async () => {
  assert.deepEqual(await lab.publish('one', { environments: [environment('qa', {}, 'a.gocd.yaml', ['uuid-1'])] }), []);
  const [agent] = shownWith('environments', 'qa').agents as { uuid: string; origin: { type: string; id: string } }[];
  assert.deepEqual([agent!.uuid, agent!.origin.type, agent!.origin.id], ['uuid-1', 'config_repo', 'one']);
});

test('a dry run says the same and changes nothing', async () => {
  const { revision } = lab.configuration.config;
  assert.deepEqual(await lab.publish('one', { pipelines: [pipeline('a')], dryRun: true }), []);
  assert.equal((await lab.publish('one', { pipelines: [pipeline('a', after('nowhere'))], dryRun: true })).length, 1);
  assert.equal(lab.configuration.config.revision, revision);
});

describe('nothing comes into force', () => {
  test('a taken name publishes nothing, and both sources are named', async () => {
    await lab.put('pipelineGroups', { name: 'g' });
    await lab.put('pipelines', pipeline('main').body);
    await lab.publish('two', { pipelines: [pipeline('Theirs')] });
    const pipelines = [pipeline('MAIN'), pipeline('theirs'), pipeline('mine'), pipeline('Mine')];
    const problems = await lab.publish('one', { pipelines });
    const taken = (name: string, sources: string) =>
      `You have defined multiple pipelines named '${name}'. Pipeline names must be unique. Source(s): [${sources}, one.git at revision 1]`;
    assert.deepEqual(messages(problems), [
      taken('MAIN', 'cruise-config.xml'),
      taken('theirs', 'two.git at revision 1'),
      taken('Mine', 'one.git at revision 1'),
    ]);
    assert.deepEqual(problems[0]!.definedAt, { file: 'a.gocd.yaml', line: 2, column: 3, entity: "pipeline 'MAIN'" });
    assert.equal(problems[1]!.hint, "Rename the pipeline here, or remove it from a.gocd.yaml of the config repo 'two'.");
    assert.deepEqual(lab.inForce('pipelines'), ['main', 'Theirs from two:a.gocd.yaml']);
  });

  test('a taken name publishes nothing, and all other problems are reported with it', async () => {
    await lab.put('pipelineGroups', { name: 'g' });
    await lab.put('pipelines', pipeline('main').body);
    const problems = await lab.publish('one', {
      pipelines: [pipeline('main', { ...after('nowhere'), group: 'h' }), pipeline('b', after('gone'))],
      rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: 'g' }],
    });
    assert.deepEqual(messages(problems).toSorted(), [
      "Not allowed to refer to pipeline 'gone'. Check the 'Rules' of this config repository.",
      "Not allowed to refer to pipeline 'nowhere'. Check the 'Rules' of this config repository.",
      "Not allowed to refer to pipeline group 'h'. Check the 'Rules' of this config repository.",
      "Pipeline with name 'gone' does not exist, it is defined as a dependency for pipeline 'b' (one.git at revision 1)",
      "Pipeline with name 'nowhere' does not exist, it is defined as a dependency for pipeline 'main' (one.git at revision 1)",
      "You have defined multiple pipelines named 'main'. Pipeline names must be unique. Source(s): [cruise-config.xml, one.git at revision 1]",
    ]);
    assert.deepEqual(new Set(problems.map(({ definedAt }) => definedAt?.entity)), new Set(["pipeline 'main'", "pipeline 'b'"]));
    assert.deepEqual(lab.inForce('pipelines'), ['main']);
  });

  test('any mistake publishes nothing, and all problems are reported with their places', async () => {
    const tasks = [{ type: 'exec', attributes: { command: 'make' } }];
    const stages = [{ name: 's', jobs: [{ name: 'j', elastic_profile_id: 'none', tasks }] }];
    const problems = await lab.publish('one', { pipelines: [pipeline('a', { stages }), pipeline('b', after('c')), pipeline('ok')] });
    assert.deepEqual(messages(problems), [
      "No profile defined corresponding to profile_id 'none'",
      "Pipeline with name 'c' does not exist, it is defined as a dependency for pipeline 'b' (one.git at revision 1)",
    ]);
    assert.deepEqual(problems[0]!.definedAt, { file: 'a.gocd.yaml', line: 7, column: 3, entity: "pipeline 'a'" });
    assert.deepEqual(lab.inForce('pipelines'), []);
    assert.deepEqual(lab.inForce('pipelineGroups'), []);
  });

  test('a group that differs only in its letter case publishes nothing', async () => {
    await lab.put('pipelineGroups', { name: 'G' });
    assert.deepEqual(messages(await lab.publish('one', { pipelines: [pipeline('a')] })), ["Group with name 'g' already exists"]);
  });

  test('a pipeline that another repo needs cannot go, and nothing is published', async () => {
    await lab.publish('one', { pipelines: [pipeline('up')] });
    await lab.publish('two', { pipelines: [pipeline('down', after('up'))] });
    await lab.addRepo('three');
    await lab.publish('three', { environments: [environment('qa', { pipelines: [{ name: 'up' }] }, 'e.gocd.yaml')] });
    const problems = await lab.publish('one', { revision: '2', pipelines: [] });
    assert.deepEqual(messages(problems), [
      "Pipeline with name 'up' does not exist, it is defined as a dependency for pipeline 'down' (two.git at revision 1)",
      "Environment 'qa' refers to an unknown pipeline 'up'. It is defined so in e.gocd.yaml of the config repo 'three'.",
    ]);
    assert.equal(lab.value('publishedRevisions', 'one')?.revision, '1');
    assert.deepEqual(problems[0]!.definedAt, { file: 'a.gocd.yaml', entity: "pipeline 'up'" });
    assert.match(problems[0]!.hint!, /^Let pipeline 'down' in a\.gocd\.yaml of the config repo 'two' do without it first/);
    assert.match(problems[1]!.hint!, /^Let environment 'qa' in e\.gocd\.yaml of the config repo 'three' do without it first/);
  });

  test('a stage that another repo needs cannot go, and the problem names its place and the dependent pipeline', async () => {
    await lab.publish('one', { pipelines: [pipeline('up')] });
    await lab.publish('two', { pipelines: [pipeline('down', { ...after('up'), file: 'd.gocd.yaml' })] });
    const stages = [{ name: 'other', jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }];
    const [problem, ...others] = await lab.publish('one', { revision: '2', pipelines: [pipeline('up', { stages, file: 'b.gocd.yaml' })] });
    assert.match(problem!.message, /^Stage with name 's' does not exist on pipeline 'up', it is being referred to from pipeline 'down'/);
    assert.deepEqual(problem!.definedAt, { file: 'b.gocd.yaml', line: 7, column: 3, entity: "pipeline 'up'" });
    assert.match(problem!.hint!, /^Let pipeline 'down' in d\.gocd\.yaml of the config repo 'two' do without it first/);
    assert.deepEqual(others, []);
  });

  test('an invalid name of a group publishes nothing, and is reported once with its place', async () => {
    const problems = await lab.publish('one', { pipelines: [pipeline('a', { group: 'g 1' }), pipeline('b', { file: 'b.gocd.yaml' })] });
    assert.deepEqual(
      problems.map(({ definedAt }) => definedAt),
      [{ file: 'a.gocd.yaml', line: 7, column: 3, entity: "pipeline 'a'" }],
    );
  });

  test('an invalid name of an SCM declared in place publishes nothing, and is reported with its place', async () => {
    const scm = { name: 'a b', plugin_metadata: { id: 'p', version: '1' }, configuration: [] };
    const materials = [{ type: 'plugin', attributes: { scm } }];
    const problems = await lab.publish('one', { pipelines: [pipeline('a', { materials })] });
    assert.ok(problems.length > 0);
    assert.ok(
      problems.every(({ definedAt }) => definedAt?.entity === "pipeline 'a'"),
      JSON.stringify(problems),
    );
  });
});

describe('rules', () => {
  const allow = (type: string, resource: string) => ({ directive: 'allow', action: 'refer', type, resource });

  test('decide on groups, environments and upstream pipelines of others', async () => {
    await lab.publish('two', { pipelines: [pipeline('up')] });
    const definitions = {
      pipelines: [pipeline('a', { ...after('up'), group: 'mine' }), pipeline('b', { ...after('a'), group: 'mine' })],
      environments: [environment('qa')],
    };
    const problems = await lab.publish('one', { ...definitions, rules: [] });
    const not = (what: string) => `Not allowed to refer to ${what}. Check the 'Rules' of this config repository.`;
    assert.deepEqual(messages(problems), [not("pipeline group 'mine'"), not("pipeline 'up'"), not("environment 'qa'")]);
    assert.ok(problems.every(({ isRule }) => isRule));
    assert.equal(lab.value('pipelines', 'a'), undefined);
    const rules = [allow('pipeline_group', 'MI*'), allow('pipeline', 'u?'), allow('environment', 'qa')];
    assert.deepEqual(await lab.publish('one', { ...definitions, rules }), []);
    assert.equal(await lab.publisher.forbidden('one', rules), undefined);
    const { revision } = lab.configuration.config;
    await lab.publish('two', { pipelines: [pipeline('up'), pipeline('down', after('a'))] });
    assert.deepEqual(await lab.publisher.forbidden('one', rules.slice(1)), {
      referrals: [
        { type: 'pipeline_group', name: 'mine' },
        { type: 'pipeline_group', name: 'mine' },
      ],
      others: [{ repo: 'two', pipelines: ['up', 'down'] }],
    });
    assert.equal(lab.configuration.config.revision, revision + 1, 'nothing has gone');
  });
});

describe('withdrawing', () => {
  test('takes along the dependents of the repo', async () => {
    await lab.publish('one', { pipelines: [pipeline('up')] });
    await lab.publish('two', { pipelines: [pipeline('down', after('up')), pipeline('free')], environments: [environment('e')] });
    assert.deepEqual([...(await lab.publisher.withdraw('one', { actor: 'x', token: null, address: null, reason: null }))].toSorted(), [
      'one',
      'two',
    ]);
    for (const kind of ['pipelines', 'environmentParts', 'publishedRevisions'] as const) assert.deepEqual(lab.inForce(kind), [], kind);
    assert.deepEqual(lab.inForce('environments'), ['e'], 'what was made in the own configuration stays');
  });

  test('deleting the repo takes along its dependents, and is always allowed', async () => {
    await lab.publish('one', { pipelines: [pipeline('up')] });
    await lab.publish('two', { pipelines: [pipeline('down', after('up'))] });
    await lab.remove('configRepos', 'one');
    assert.deepEqual(lab.inForce('pipelines'), []);
    assert.deepEqual(lab.inForce('configRepos'), ['two']);
  });
});

describe('a definition of a repo', () => {
  beforeEach(() =>
    lab.publish('one', {
      pipelines: [pipeline('web')],
      environments: [
        environment('qa', { pipelines: [{ name: 'web' }], environment_variables: [{ name: 'V', value: '1', secure: false }] }),
      ],
    }),
  );

  test('cannot be changed by others', async () => {
    const remote = refusal(
      /^Can not operate on pipeline 'web' as it is defined remotely in 'one\.git at revision 1'\. Change the file a\.gocd\.yaml of the config repo 'one'\.$/,
    );
    await assert.rejects(lab.put('pipelines', pipeline('web', { label_template: 'x' }).body), remote);
    await assert.rejects(lab.remove('pipelines', 'web'), remote);
  });

  test('is named with repo and file when it blocks a change: of its dependency, of its group, of its name', async () => {
    const { config, changes, parts } = lab.configuration;
    await lab.put('pipelines', pipeline('zzz').body);
    await lab.publish('two', { pipelines: [pipeline('needs', { ...after('zzz'), file: 'deep/b.gocd.yaml' })] });
    const there = /Change the file deep\/b\.gocd\.yaml of the config repo 'two'\.$/;
    await assert.rejects(
      lab.remove('pipelines', 'zzz'),
      refusal(/^Cannot delete pipeline 'zzz' as pipeline 'needs \(g\)' depends on it\. /),
    );
    await assert.rejects(lab.remove('pipelines', 'zzz'), refusal(there));
    const groups = config.kind('pipelineGroups');
    const rename = (draft: Draft) => draft.rename(groups, 'g', { ...draft.find(groups, 'g')!.value, name: 'other' }, []);
    await assert.rejects(
      changes.apply({ actor: 'x', token: null, address: null, reason: null }, rename),
      refusal(
        /^Can not rename pipeline group 'g' as it contains remote pipelines\. Change the file a\.gocd\.yaml of the config repo 'one' and the file deep\/b/,
      ),
    );
    const kind = config.collection('pipelines');
    const second = readEntity(kind, pipeline('WEB').body, { ruleView: new Draft(config).ruleView }, parts.tools);
    await assert.rejects(
      changes.apply({ actor: 'x', token: null, address: null, reason: null }, (draft) => putNew(draft, kind, second)),
      refusal(/same name already exists\. It is defined in the file a\.gocd\.yaml of the config repo 'one'\.$/),
    );
    const environments = config.kind('environments');
    const removed = { pipelines: { remove: ['web'] }, environment_variables: { remove: ['V'] } };
    const { ruleView } = new Draft(config);
    const reading = readingFor(environments, {}, { ruleView }, parts.tools);
    environments.patch!.apply(lab.value('environments', 'qa')!, removed, reading, ruleView);
    for (const { message } of reading.problems)
      assert.match(message, /remotely in \[one\.git at revision 1\]\. Change the file a\.gocd\.yaml of the config repo 'one'\.$/);
    assert.equal(reading.problems.length, 2);
  });

  test('cannot be added by the document either: repo and file are named', async () => {
    const document = (pipelines: string) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<cruise schemaVersion="139">\n<pipelines group="g">${pipelines}</pipelines>\n</cruise>`;
    const web = `<pipeline name="web"><materials><git url="u" /></materials>
<stage name="s"><jobs><job name="j"><tasks><exec command="x" /></tasks></job></jobs></stage></pipeline>`;
    for (const more of [{ base: document('') }, { mode: 'import' as const }])
      await assert.rejects(
        lab.configuration.save(document(web), more),
        (failure) => failure instanceof FileRefused && /line 3: .*'?web'?.*a\.gocd\.yaml of the config repo 'one'/.test(failure.message),
      );
  });

  test('must not be needed by the own configuration', async () => {
    await assert.rejects(lab.put('pipelines', pipeline('main', after('web')).body), Refusal);
    await assert.rejects(
      lab.put('environments', { name: 'prod', pipelines: [{ name: 'web' }] }),
      refusal(/Environment defined in cruise-config\.xml cannot reference a pipeline in one\.git at revision 1/),
    );
  });

  test('a part of an environment is united with the rest of it', async () => {
    await lab.put('environments', { name: 'qa', environment_variables: [{ name: 'W', value: '2', secure: false }] });
    await assert.rejects(
      lab.put('environments', { name: 'qa', environment_variables: [{ name: 'v', value: '2', secure: false }] }),
      refusal(/Environment variable 'v' is defined more than once with different values/),
    );
    await assert.rejects(
      lab.remove('environments', 'qa'),
      refusal(
        /^Failed to delete environment 'qa'\. Environment is partially defined in \[one\] config repositories\. Change the file a\.gocd\.yaml of the config repo 'one'\.$/,
      ),
    );
    const theirs = await lab.publish('two', {
      pipelines: [pipeline('other')],
      environments: [
        environment('QA', { pipelines: [{ name: 'web' }, { name: 'none' }] }),
        environment('prod', { pipelines: [{ name: 'web' }] }),
      ],
    });
    const both = 'Source(s): [one.git at revision 1, two.git at revision 1]';
    assert.deepEqual(messages(theirs).toSorted(), [
      'Associating pipeline(s) which is already part of prod environment. Source(s): [two.git at revision 1, two.git at revision 1]',
      `Associating pipeline(s) which is already part of qa environment. ${both}`,
      "Environment 'QA' refers to an unknown pipeline 'none'.",
      `Environment pipeline 'web' is defined more than once. ${both}`,
    ]);
    const agents = await lab.publish('two', { environments: [environment('qa', {}, 'b.gocd.yaml', ['uuid-1'])] });
    assert.deepEqual(agents, []);
    const again = await lab.publish('one', {
      pipelines: [pipeline('web')],
      environments: [environment('qa', { environment_variables: [{ name: 'W', value: '1', secure: false }] }, 'a.gocd.yaml', ['uuid-1'])],
    });
    assert.deepEqual(messages(again).toSorted(), [
      "Environment agent 'uuid-1' is defined more than once. Source(s): [two.git at revision 1, one.git at revision 1]",
      "Environment variable 'W' is defined more than once with different values. Source(s): [cruise-config.xml, one.git at revision 1]",
    ]);
  });

  test('survives a restart', async () => {
    const { dataDir } = lab.configuration;
    const again = openSqlite(`${dataDir}/slipway.db`);
    const config = await loadConfig([...lab.configuration.config.kinds.values()], again.query);
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
    assert.deepEqual(plain(config.of('pipelines').find('web')?.value), plain(lab.value('pipelines', 'web')));
    await again.close();
  });
});

describe('materials', () => {
  test('may be the repository of the config repo itself', async () => {
    const materials = [{ type: 'configrepo', attributes: { name: 'me', destination: 'd' } }];
    assert.deepEqual(await lab.publish('one', { pipelines: [pipeline('web', { materials })] }), []);
    const [material] = lab.value('pipelines', 'web')!.materials;
    assert.ok(material?.type === 'git');
    assert.deepEqual([material.attributes.branch, material.attributes.name], ['main', 'me']);
  });

  test('an SCM declared in place exists as long as it is used, and once for all pipelines that declare the same', async () => {
    const scm = (name: string) => ({
      name,
      plugin_metadata: { id: 'github.pr', version: '1' },
      configuration: [{ key: 'url', value: 'https://scm.example.org/x.git' }],
    });
    const using = (name: string, scmName: string) =>
      pipeline(name, { materials: [{ type: 'plugin', attributes: { scm: scm(scmName), destination: 'x' } }] });
    assert.deepEqual(await lab.publish('one', { pipelines: [using('a', 'tool'), using('b', 'tool-again')] }), []);
    assert.deepEqual(lab.inForce('scms'), ['tool from one:a.gocd.yaml']);
    assert.deepEqual(await lab.publish('one', { pipelines: [pipeline('a')] }), []);
    assert.deepEqual(lab.inForce('scms'), []);
  });

  test('an SCM or a package that does not exist is reported once', async () => {
    const problemsOf = async (type: string) => {
      const materials = [{ type, attributes: { ref: 'gone' } }];
      return messages(await lab.publish('one', { pipelines: [pipeline('a', { materials })] }));
    };
    assert.deepEqual(await problemsOf('plugin'), ["Failed to find referenced scm 'gone'"]);
    assert.deepEqual(await problemsOf('package'), ["Failed to find package repository with package id 'gone'"]);
  });
});

test('a job may have no tasks, which the own configuration does not allow', async () => {
  const idle = pipeline('idle', { stages: [{ name: 's', jobs: [{ name: 'j', tasks: [] }] }] });
  await lab.put('pipelineGroups', { name: 'g' });
  await assert.rejects(lab.put('pipelines', idle.body), Refusal);
  assert.deepEqual(await lab.publish('one', { pipelines: [idle] }), []);
});

test('many definitions are published at once', async () => {
  const pipelines = Array.from({ length: 300 }, (_, count) => pipeline(`p${count}`, count > 0 ? after(`p${count - 1}`) : {}));
  assert.deepEqual(await lab.publish('one', { pipelines }), []);
  assert.equal(lab.inForce('pipelines').length, 300);
  const broken = [...pipelines, pipeline('p300', after('nowhere'))];
  assert.equal((await lab.publish('one', { pipelines: broken })).length, 1);
  assert.equal(lab.inForce('pipelines').length, 300);
});
