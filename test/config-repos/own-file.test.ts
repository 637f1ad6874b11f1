// Config repos and the server's own configuration: files and plans that take over definitions, or leave out entities that repos need.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Draft } from '../../src/config/draft.ts';
import { InvalidChange } from '../../src/config/large-change.ts';
import { repoOriginOf } from '../../src/config/repo-origin.ts';
import { SaveCollision } from '../../src/document/save/collision.ts';
import { FileRefused } from '../../src/document/save/refused.ts';
import { Past } from '../../src/history/past.ts';
import { CannotRevert } from '../../src/history/revert/obstacle.ts';
import { type RevertParts, revertRevision } from '../../src/history/revert/revert.ts';
import { writeSealed } from '../../src/shape/json/entity-json.ts';
import { PastEntities } from '../../src/store/revisions/past-entities.ts';
import { RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { writeDocument } from '../document/xml/whole-document.ts';
import { after, environment, pipeline, RepoLab } from './support.ts';

const author = { actor: 'ada', token: null, address: null, reason: null };

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await lab.addRepo('one');
  await lab.addRepo('two');
});
afterEach(() => lab.configuration.close());

/** The document as users fetch it, without the definitions of config repos. */
function document(): string {
  const { config } = lab.configuration;
  return writeDocument((name) =>
    Array.from(config.of(name).all(), ({ value }) => value)
      .filter((value) => !repoOriginOf(value))
      .map((value) => writeSealed(config.kind(name), value)),
  );
}

const without = (text: string, what: RegExp) => {
  assert.match(text, what);
  return text.replace(what, '');
};
const withoutRepo = (text: string, id: string) => without(text, new RegExp(`\\s*<config-repo [^>]*id="${id}"[\\s\\S]*?</config-repo>`));

const ownPipeline = (name: string) =>
  `<pipeline name="${name}"><materials><git url="https://own.example.org" /></materials><stage name="s"><jobs><job name="j"><tasks><exec command="ls" /></tasks></job></jobs></stage></pipeline>`;
const addGroup = (text: string, group: string, content: string) => {
  const [nextSection] = text.match(/\n *<(templates|environments|\/cruise)/)!;
  return text.replace(nextSection, `\n<pipelines group="${group}">${content}</pipelines>${nextSection}`);
};

/** The edits of the newest revision. */
function watchEdits(): () => string[] {
  let last: string[] = [];
  lab.configuration.changes.listen(({ edits }) => {
    last = edits.map(({ kind, id, operation }) => `${operation} ${kind.name} ${id}`);
  });
  return () => last;
}

describe('a file without a config repo', () => {
  beforeEach(async () => {
    const parts = [environment('prod', { pipelines: [{ name: 'web' }] })];
    await lab.publish('one', { pipelines: [pipeline('web'), pipeline('api')], environments: parts });
    await lab.publish('two', { pipelines: [pipeline('down', { ...after('web'), group: 'other' })] });
  });
  const taken = (text: string) => addGroup(withoutRepo(text, 'one'), 'own', ownPipeline('web'));

  for (const isMerged of [true, false])
    test(`may take over definitions of the repo${isMerged ? ', merged with changes of others' : ''}`, async () => {
      const edits = watchEdits();
      const base = document();
      await lab.configuration.save(taken(base), isMerged ? { base } : {});
      assert.deepEqual(lab.inForce('pipelines'), ['web', 'down from two:a.gocd.yaml']);
      assert.equal(lab.value('pipelines', 'web')?.group, 'own');
      assert.deepEqual(lab.inForce('environmentParts'), []);
      assert.ok(edits().includes('update pipelines web') && edits().includes('delete pipelines api'), edits().join());
      assert.match(document(), /<pipelines group="own">\s*<pipeline name="web">/);
    });

  test('may take over its part of an environment, too', async () => {
    const base = document();
    const pipelines = '<environment name="prod"><pipelines><pipeline name="web" /></pipelines></environment>';
    const environments = /<environment name="prod" ?\/>/;
    assert.match(base, environments);
    await lab.configuration.save(taken(base).replace(environments, pipelines), { base });
    assert.deepEqual(lab.value('environments', 'prod')?.pipelines, ['web']);
  });

  test('gets the problems of the definitions that it takes over, and all other problems', async () => {
    const base = document();
    const wrong = addGroup(taken(base), 'wrong', ownPipeline('a b')).replace('<git url="https://own.example.org" />', '<git url="" />');
    await assert.rejects(lab.configuration.save(wrong, { base }), (failure) => {
      assert.ok(failure instanceof FileRefused);
      assert.match(failure.message, /Pipeline 'web'.*URL cannot be blank/);
      assert.match(failure.message, /"a b"/);
      assert.doesNotMatch(failure.message, /is defined in the file/);
      return true;
    });
    assert.deepEqual(lab.inForce('pipelines')[0], 'web from one:a.gocd.yaml');
  });

  test('collides with a change of the repo made meanwhile', async () => {
    const base = document();
    await lab.addRepo('one', [], 'other');
    await assert.rejects(lab.configuration.save(taken(base), { base }), SaveCollision);
  });

  test('keeps its own pipeline, though others have moved it into the repo meanwhile', async () => {
    const own = pipeline('moving').body;
    await lab.put('pipelines', own);
    const base = document();
    await lab.remove('pipelines', 'moving');
    await lab.publish('one', { revision: '2', pipelines: [pipeline('web'), pipeline('moving')] });
    await lab.configuration.save(taken(base), { base });
    assert.ok(lab.inForce('pipelines').includes('moving'), lab.inForce('pipelines').join());
  });

  test('a file that keeps the config repo cannot take over its definitions', async () => {
    const base = document();
    await assert.rejects(lab.configuration.save(addGroup(base, 'own', ownPipeline('web')), { base }), FileRefused);
  });
});

describe('reverting a change that took over definitions of a config repo', () => {
  let parts: RevertParts;
  beforeEach(async () => {
    const { config, changes, database } = lab.configuration;
    const log = new RevisionLog(database.query);
    const past = new Past({
      config,
      entities: new PastEntities(database.query),
      log,
      retention: { keptFrom: 0, isKept: async () => true },
    });
    parts = { config, changes, tools: lab.configuration.parts.tools, past, log, keptFrom: () => 0 };
    await lab.publish('one', { pipelines: [pipeline('web'), pipeline('api')] });
    await lab.publish('two', { pipelines: [pipeline('down', after('web'))] });
    const base = document();
    await lab.configuration.save(addGroup(withoutRepo(base, 'one'), 'own', ownPipeline('web')), { base });
  });
  const revert = (revision = lab.configuration.config.revision) => revertRevision(revision, { author, dryRun: false }, parts);

  test('a revert gives the definitions back to the repo, which goes on from there', async () => {
    await revert();
    assert.ok(lab.value('configRepos', 'one'));
    assert.deepEqual(lab.inForce('pipelines'), ['web from one:a.gocd.yaml', 'down from two:a.gocd.yaml']);
    assert.deepEqual(await lab.publish('one', { revision: '2', pipelines: [pipeline('web'), pipeline('api')] }), []);
    assert.deepEqual(lab.inForce('pipelines'), ['web from one:a.gocd.yaml', 'down from two:a.gocd.yaml', 'api from one:a.gocd.yaml']);
  });

  test('a revert of that revert has the definitions in the own configuration again', async () => {
    await revert();
    await revert();
    assert.equal(lab.value('configRepos', 'one'), undefined);
    assert.deepEqual(lab.inForce('pipelines'), ['web', 'down from two:a.gocd.yaml']);
    assert.equal(lab.value('pipelines', 'web')?.group, 'own');
  });

  test('a revert is refused if later changes would be lost', async () => {
    const { revision } = lab.configuration.config;
    const base = document();
    await lab.configuration.save(base.replace('command="ls"', 'command="make"'), { base });
    await assert.rejects(revert(revision), (failure) => {
      assert.ok(failure instanceof CannotRevert);
      assert.match(failure.message, /'web' was changed again in revision \d+ by ann: giving it back to its config repo would lose that/);
      return true;
    });
  });
});

test('a pipeline that went with its repo and was put anew belongs to no repo, and can go again', async () => {
  await lab.publish('one', { pipelines: [pipeline('web')] });
  const { changes, config } = lab.configuration;
  const kind = config.kind('pipelines');
  const { value } = config.of('pipelines').find('web')!;
  await changes.apply(author, (draft: Draft) => {
    draft.remove(config.kind('configRepos'), 'one');
    draft.put(kind, 'web', { ...value, origin: null });
    draft.remove(kind, 'web');
  });
  assert.deepEqual(lab.inForce('pipelines'), []);
});

test('a large change of a definition of a repo is refused with the reason, like any other invalid change', async () => {
  await lab.publish('one', { pipelines: [pipeline('web')] });
  const { changes, config } = lab.configuration;
  const remove = async (draft: Draft) => draft.remove(config.kind('pipelines'), 'web');
  await assert.rejects(changes.applyLarge(author, remove), (failure) => {
    assert.ok(failure instanceof InvalidChange);
    assert.match(failure.conditions.join(), /^Can not operate on pipeline 'web' as it is defined remotely in /);
    return true;
  });
});

describe('a file that does not name', () => {
  const RIGHTS = { view: { users: ['eve'], roles: [] }, operate: { users: [], roles: [] }, admins: { users: [], roles: [] } };
  const GROUP = /\s*<pipelines group="g" ?\/>/;
  const ENVIRONMENT = /\s*<environments>[\s\S]*<\/environments>/;
  beforeEach(async () => {
    await lab.publish('one', { pipelines: [pipeline('web')], environments: [environment('prod', { pipelines: [{ name: 'web' }] })] });
  });

  for (const isMerged of [true, false])
    test(`entities of a config repo leaves them as they are${isMerged ? ', merged with changes of others' : ''}`, async () => {
      // The first file gives a server its identity.
      await lab.configuration.save(document());
      const [base, { revision }] = [document(), lab.configuration.config];
      const { plan } = await lab.configuration.save(without(without(base, GROUP), ENVIRONMENT), isMerged ? { base } : {});
      assert.deepEqual([plan.created, plan.changed, plan.removed], [[], [], []]);
      assert.equal(document(), base);
      assert.equal(lab.configuration.config.revision, revision);
    });

  test('entities with settings of their own removes only those settings', async () => {
    const bare = document();
    await lab.put('pipelineGroups', { name: 'g', authorization: RIGHTS });
    await lab.put('environments', { name: 'prod', environment_variables: [{ name: 'V', value: '1', secure: false }] });
    const base = document();
    assert.match(base, /eve/);
    await lab.configuration.save(without(without(base, /\s*<pipelines group="g">[\s\S]*<\/pipelines>/), ENVIRONMENT), { base });
    assert.equal(document(), bare);
    assert.deepEqual(lab.inForce('pipelines'), ['web from one:a.gocd.yaml']);
  });

  test('entities that have got settings of their own meanwhile leaves those, too', async () => {
    const base = document();
    await lab.put('pipelineGroups', { name: 'g', authorization: RIGHTS });
    const now = document();
    await lab.configuration.save(without(base, GROUP), { base });
    assert.equal(document(), now);
  });

  test('entities that a repo needs, nor the repo, removes them with it', async () => {
    const base = document();
    await lab.configuration.save(withoutRepo(without(without(base, GROUP), ENVIRONMENT), 'one'), { base });
    assert.deepEqual([lab.inForce('pipelineGroups'), lab.inForce('environments')], [[], []]);
  });
});
