// Large changes that are tried out first: other writes do not wait for them meanwhile, and they do not see those writes.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Draft } from '../../src/config/draft.ts';
import { InvalidChange } from '../../src/config/large-change.ts';
import type { EntityNamed, KindName } from '../../src/shape/configuration.ts';
import { readEntity } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { RepoLab } from '../config-repos/support.ts';

const AUTHOR = { actor: 'ann', token: null, address: null, reason: null };
const NAMES: readonly (readonly [KindName, readonly string[]])[] = [
  ['pipelineGroups', ['g', 'h']],
  ['templates', ['t', 'u']],
  ['pipelines', ['up', 'down', 'other', 'late']],
  ['environments', ['e', 'f']],
  ['scms', ['code', 'lib']],
];

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await lab.put('pipelineGroups', { name: 'g' });
  await lab.put('templates', { name: 't', stages: [stage('s')] });
  await lab.put('scms', scm('code', 'code'));
  await lab.put('pipelines', pipeline('up', { stages: [stage('s')] }));
  await lab.put('pipelines', pipeline('down', { template: 't', parameters: [] }));
  await lab.put('environments', { name: 'e', pipelines: [{ name: 'down' }] });
});
afterEach(() => lab.configuration.close());

/** A stage that fetches from another pipeline, as far as one is given. */
function stage(name: string, upstream?: string): JsonObject {
  const make = { type: 'exec', attributes: { command: 'make' } };
  const fetch = { type: 'fetch', attributes: { artifact_origin: 'gocd', pipeline: upstream ?? '', stage: 's', job: 'j', source: 'x' } };
  return { name, jobs: [{ name: 'j', tasks: [make, ...(upstream ? [fetch] : [])] }] };
}

function pipeline(name: string, more: JsonObject): JsonObject {
  return {
    name,
    group: 'g',
    materials: [{ type: 'dependency', attributes: { pipeline: 'up', stage: 's' } }],
    ...more,
    ...(name === 'up' && git),
  };
}
const git = { materials: [{ type: 'git', attributes: { url: 'https://scm.example.org/up.git' } }] };
const scm = (id: string, name: string) => ({
  id,
  name,
  plugin_metadata: { id: 'github.pr', version: '1' },
  configuration: [{ key: 'url', value: id }],
});

/** All that can be seen in a draft. */
function contentOf(draft: Draft): string {
  const kind = (name: KindName) => draft.kind(name);
  return JSON.stringify(
    NAMES.map(([name, ids]) => [
      [...draft.lookup(kind(name)).values()].map((entity) => JSON.stringify(entity)).sort(),
      ids.map((id) => [draft.find(kind(name), id)?.etag, draft.referrers(name, id), draft.claimants(kind(name), id)]),
    ]),
    null,
    1,
  );
}

const environment = (name: string, pipelines: readonly string[] = []): EntityNamed<'environments'> => ({
  name,
  pipelines,
  environmentVariables: [],
});
const environments = () => lab.configuration.config.kind('environments');
const inForce = (name: string) => lab.configuration.config.of('environments').find(name) !== undefined;

test('concurrent changes, in several steps and through other entities, are not seen', async () => {
  await lab.configuration.changes.applyLarge(
    AUTHOR,
    async (draft) => {
      const before = contentOf(draft);
      await lab.put('templates', { name: 't', stages: [stage('s', 'up')] });
      await lab.put('pipelines', pipeline('other', { stages: [stage('s')] }));
      await lab.put('environments', { name: 'e', pipelines: [{ name: 'other' }] });
      await lab.put('environments', { name: 'f', pipelines: [{ name: 'down' }] });
      await lab.put('scms', scm('code', 'lib'));
      await lab.remove('environments', 'f');
      await lab.remove('pipelines', 'down');
      await lab.remove('templates', 't');
      await lab.put('templates', { name: 'u', stages: [stage('s')] });
      await lab.put('pipelineGroups', { name: 'h' });
      await lab.put('pipelines', pipeline('late', { group: 'h', template: 'u', parameters: [] }));
      assert.equal(contentOf(draft), before);
      draft.put(environments(), 'mine', environment('mine', ['up']));
    },
    { dryRun: true },
  );
  assert.deepEqual([inForce('mine'), inForce('e')], [false, true]);
});

test('no other change waits for one that is refused, nor for one that changes nothing', async () => {
  const { changes } = lab.configuration;
  const refused = changes.applyLarge(
    AUTHOR,
    async (draft) => {
      draft.put(environments(), 'bad', environment('bad', ['nowhere']));
      await lab.put('environments', { name: 'f' });
    },
    { tryFirst: true },
  );
  await assert.rejects(refused, InvalidChange);
  assert.deepEqual([inForce('bad'), inForce('f')], [false, true]);
});

describe('a change that passes its trial', () => {
  /** How often it was decided. */
  let times: number;
  beforeEach(() => {
    times = 0;
  });
  /** Lists a pipeline, unless there is an environment f. */
  const add = (name: string, listed: string, meanwhile: () => Promise<void>) =>
    lab.configuration.changes.applyLarge(
      AUTHOR,
      async (draft) => {
        times++;
        draft.put(environments(), name, environment(name, draft.findEntity('environments', 'f') ? [] : [listed]));
        if (times === 1) await meanwhile();
      },
      { tryFirst: true },
    );
  const listedIn = (name: string) => lab.configuration.config.of('environments').find(name)?.value.pipelines;
  const numbers = (kind: KindName, id: string) => {
    const { revision, created } = lab.configuration.config.of(kind).find(id)!;
    return { revision, created };
  };

  test('is in force when nothing has changed meanwhile', async () => {
    await add('one', 'up', async () => {});
    assert.deepEqual([times, listedIn('one')], [1, ['up']]);
  });

  test('is in force, after the unrelated changes made meanwhile', async () => {
    await add('one', 'up', async () => {
      await lab.put('scms', scm('lib', 'lib'));
      await lab.put('scms', scm('code', 'other'));
    });
    assert.deepEqual([times, listedIn('one')], [1, ['up']]);
    const [one, lib, code] = [numbers('environments', 'one'), numbers('scms', 'lib'), numbers('scms', 'code')];
    assert.deepEqual([one.revision, one.created], [code.revision + 1, lib.created + 1]);
    assert.equal(lab.configuration.config.revision, one.revision);
    const reopened = await RepoLab.open(lab.configuration.dataDir);
    assert.deepEqual(contentOf(new Draft(reopened.configuration.config)), contentOf(new Draft(lab.configuration.config)));
    await reopened.configuration.database.close();
  });

  test('is decided once more when an entity of the same kind has changed', async () => {
    await add('one', 'up', () => lab.put('environments', { name: 'f' }));
    assert.deepEqual([times, listedIn('one')], [2, []]);
  });

  test('is decided once more, and refused, when an indirect change no longer allows it', async () => {
    await lab.remove('environments', 'e');
    const { changes, config, parts } = lab.configuration;
    const kind = config.kind('pipelines');
    const materials = [{ type: 'dependency', attributes: { pipeline: 'down', stage: 's' } }];
    const adding = changes.applyLarge(
      AUTHOR,
      async (draft) => {
        times++;
        const { entity, problems } = readEntity(
          kind,
          pipeline('late', { stages: [stage('s')], materials }),
          { ruleView: draft.ruleView },
          parts.tools,
        );
        draft.put(kind, 'late', entity, problems);
        if (times === 1) await lab.put('templates', { name: 't', stages: [stage('other')] });
      },
      { tryFirst: true },
    );
    await assert.rejects(adding, InvalidChange);
    assert.deepEqual([times, config.of('pipelines').find('late')], [2, undefined]);
  });

  test('is decided once more, and refused, when an entity that it needs is gone', async () => {
    await lab.put('pipelines', pipeline('other', { stages: [stage('s')] }));
    await assert.rejects(
      add('one', 'other', () => lab.remove('pipelines', 'other')),
      InvalidChange,
    );
    assert.deepEqual([times, inForce('one')], [2, false]);
  });
});
