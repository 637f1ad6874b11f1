// After any changes, every reference resolves, every rule still holds, and refused changes leave no trace.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Changes } from '../../src/config/change.ts';
import { type Config, loadConfig } from '../../src/config/current.ts';
import { Draft } from '../../src/config/draft.ts';
import { Cipher } from '../../src/kit/bytes/cipher.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import { registry } from '../../src/resources/index.ts';
import { stagesOf } from '../../src/resources/pipelines/rules/rule-view.ts';
import type { KindName } from '../../src/shape/configuration.ts';
import { readEntity } from '../../src/shape/json/entity-json.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { type Entity, type Kind, kindsOf } from '../../src/shape/resource.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { revisionWriter } from '../../src/store/revisions/changes.ts';
import { openSqlite } from '../../src/store/sqlite/open.ts';

const SEED = 20_260_101;
/** More is looked at only as long as there is time. */
const MAX_MS = 1000;
/** So many changes are accepted, and as many refused, however long that takes. */
const MIN_OF_EACH = 20;
const MIN_BURSTS = 20;
const AUTHOR = { actor: 'test', token: null, address: null, reason: null };
const kinds = kindsOf(registry);
const kindNamed = (name: KindName) => kinds.find((kind) => kind.name === name)!;
const tools = { cipher: new Cipher(randomBytes(32)), openImported: () => undefined, isSecretSetting: () => undefined };

/** One step of a change: an entity is written, created or not, or removed. */
interface Step {
  readonly kind: keyof typeof registry;
  readonly id: string;
  /** Absent: remove it. */
  readonly body?: JsonObject;
}

/** Few names, so that changes meet; `ghost` never exists. */
const some = <T>(...values: T[]) => fc.constantFrom(...values);
const mostly = <T>(common: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: common }, { weight: 1, arbitrary: rare });
const PIPELINES = ['p1', 'p2', 'p3', 'P4'];
const STAGES = ['s1', 's2', 's3'];
const nothing = <T>(often: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary: often.map((one) => [one]) });
const role = mostly(some('r1', 'R2'), some('ghost'));
const members = fc.record({ users: nothing(some('jez', 'KIM')), roles: nothing(role) });
const pipelineName = mostly(some(...PIPELINES, 'p4'), some('ghost'));
/** A name as it is, or one that parameters stand for: whole, or in part. */
const orByParameter = <T>(written: fc.Arbitrary<T>, ...byParameter: string[]) =>
  fc.oneof({ weight: 3, arbitrary: written as fc.Arbitrary<T | string> }, { weight: 1, arbitrary: some(...byParameter) });

const task = fc.oneof(
  { weight: 9, arbitrary: fc.constant({ type: 'exec', attributes: { command: 'make' } }) },
  { weight: 1, arbitrary: fc.constant({ type: 'exec', attributes: { command: '#{x}' } }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('fetch'),
      attributes: fc.record({
        pipeline: fc.oneof(
          fc.constant(null),
          pipelineName,
          fc.tuple(pipelineName, pipelineName).map(([far, near]) => `${far}/${near}`),
        ),
        stage: some(...STAGES),
        job: some('j1', 'j2'),
        source: fc.constant('out'),
      }),
    }),
  },
);
const job = (name: string) =>
  fc.record({
    name: fc.constant(name),
    tasks: fc.array(task, { minLength: 1, maxLength: 2 }),
    elastic_profile_id: orByParameter(
      mostly(some<string | null>(null, null, 'e1'), some<string | null>('e2', 'ghost')),
      '#{profile}',
      'e#{x}',
      '#{profile}#{nothing}',
    ),
    artifacts: nothing(
      fc.record({
        type: fc.constant('external'),
        artifact_id: some('i1', 'i2'),
        store_id: orByParameter(mostly(some('a1', 'a2'), some('ghost')), '#{store}', 'a#{x}'),
      }),
    ),
  });
const stage = (name: string) =>
  fc.record({
    name: fc.constant(name),
    jobs: fc.oneof(fc.tuple(job('j1')), fc.tuple(job('j1'), job('j2'))),
    approval: fc.record({ type: fc.constant('manual'), authorization: members }),
  });
const stages = fc.subarray(STAGES, { minLength: 1 }).chain((names) => fc.tuple(...names.map(stage)));
const parameters = mostly(
  fc.record({
    x: some('1', '2'),
    profile: mostly(some('e1', 'e2'), some('ghost')),
    store: mostly(some('a1', 'a2'), some('ghost')),
    upstream: pipelineName,
    nothing: fc.constant(''),
  }),
  fc.constant({}),
).map(valuesOf);
const materials = fc
  .tuple(
    fc.array(fc.record({ pipeline: orByParameter(pipelineName, '#{upstream}', 'p#{x}'), stage: some(...STAGES) }), { maxLength: 2 }),
    nothing(orByParameter(mostly(some('k1', 'k2'), some('ghost')), 'k#{x}')),
    mostly(some<boolean | null>(true), some<boolean | null>(false, null)),
  )
  .map(([upstream, packages, auto_update]): JsonObject[] => [
    ...upstream.map((attributes) => ({ type: 'dependency', attributes })),
    ...packages.map((ref) => ({ type: 'package', attributes: { ref } })),
    ...(auto_update === null ? [] : [{ type: 'git', attributes: { url: 'https://scm.example.org/all.git', auto_update } }]),
  ]);

const written: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        name: some(...PIPELINES, 'p4'),
        group: mostly(some('g1', 'G2'), some('ghost')),
        parameters,
        materials,
        inside: fc.oneof(
          { weight: 3, arbitrary: stages.map((own) => ({ template: null, stages: own })) },
          { weight: 2, arbitrary: mostly(some('t1', 'T2'), some('ghost')).map((template) => ({ template, stages: null })) },
        ),
      })
      .map(({ inside, ...body }) => step('pipelines', body.name, { ...body, ...inside } as unknown as JsonObject)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(some('t1', 't2'), stages).map(([name, own]) => step('templates', name, { name, stages: own } as never)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(some('v1', 'v2'), fc.array(pipelineName, { maxLength: 2 }))
      .map(([name, named]) => step('environments', name, { name, pipelines: named.map((one) => ({ name: one })) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(some('g1', 'g2'), members, members, members)
      .map(([name, view, operate, admins]) => step('pipelineGroups', name, { name, authorization: { view, operate, admins } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(some('t1', 't2'), members)
      .map(([template, admin]) => step('templateAuthorizations', template, { template, admin })),
  },
  { weight: 1, arbitrary: some('o1', 'o2').map((id) => step('packageRepositories', id, repository(id))) },
  {
    weight: 1,
    arbitrary: fc.tuple(some('k1', 'k2'), some('o1', 'o2', 'ghost')).map(([id, owner]) => step('packages', id, packageOf(id, owner))),
  },
  { weight: 1, arbitrary: some('c1').map((id) => step('clusterProfiles', id, { id, plugin_id: 'x.cluster' })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(some('e1', 'e2'), some('c1', 'ghost'))
      .map(([id, cluster]) => step('elasticProfiles', id, { id, cluster_profile_id: cluster })),
  },
  { weight: 1, arbitrary: some('a1', 'a2').map((id) => step('artifactStores', id, { id, plugin_id: 'x.store' })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(some('r1', 'r2'), fc.subarray(['jez', 'kim']))
      .map(([name, users]) => step('roles', name, { name, type: 'svc', attributes: { users } })),
  },
);

const removed: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: some(...PIPELINES).map((id) => ({ kind: 'pipelines' as const, id })) },
  {
    weight: 6,
    arbitrary: some<Step>(
      ...(
        [
          ['templates', 't1', 't2'],
          ['environments', 'v1', 'v2'],
          ['pipelineGroups', 'g1', 'g2'],
          ['packageRepositories', 'o1', 'o2'],
          ['packages', 'k1', 'k2'],
          ['clusterProfiles', 'c1'],
          ['elasticProfiles', 'e1', 'e2'],
          ['artifactStores', 'a1', 'a2'],
          ['roles', 'r1', 'r2'],
        ] as const
      ).flatMap(([kind, ...ids]) => ids.map((id) => ({ kind, id }))),
    ),
  },
);

/** One change is mostly one step; several at once must be judged as a whole. */
const change = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.oneof({ weight: 3, arbitrary: written }, { weight: 1, arbitrary: removed })) },
  { weight: 1, arbitrary: fc.array(fc.oneof(written, removed), { minLength: 2, maxLength: 3 }) },
);
const sequence = fc.array(change, { minLength: 1, maxLength: 30 });

const EXEC = [{ type: 'exec', attributes: { command: 'make' } }];
const plainStage = (name: string) => ({ name, jobs: [{ name: 'j1', tasks: EXEC }] });
const START: readonly Step[] = [
  step('roles', 'r1', { name: 'r1', type: 'svc', attributes: { users: ['jez'] } }),
  step('clusterProfiles', 'c1', { id: 'c1', plugin_id: 'x.cluster' }),
  step('elasticProfiles', 'e1', { id: 'e1', cluster_profile_id: 'c1' }),
  step('artifactStores', 'a1', { id: 'a1', plugin_id: 'x.store' }),
  step('packageRepositories', 'o1', repository('o1')),
  step('packages', 'k1', packageOf('k1', 'o1')),
  step('pipelineGroups', 'g1', { name: 'g1' }),
  step('pipelineGroups', 'g2', { name: 'g2' }),
  step('templates', 't1', { name: 't1', stages: STAGES.map(plainStage) }),
  step('templates', 't2', { name: 't2', stages: [{ name: 's1', jobs: [openJob('#{profile}', 'a#{x}')] }] }),
  step('pipelines', 'P4', pipelineOf('P4', { template: 't2', stages: null, parameters: valuesOf({ profile: 'e1', x: '1' }) })),
  step('pipelines', 'p1', pipelineOf('p1', { template: 't1', stages: null })),
  step('pipelines', 'p2', pipelineOf('p2', { materials: [dependency('p1', 's2')] })),
  step(
    'pipelines',
    'p3',
    pipelineOf('p3', { materials: [dependency('p2', 's1')], stages: [{ name: 's1', jobs: [{ name: 'j1', tasks: [fetch('p1/p2')] }] }] }),
  ),
];

function step(kind: Step['kind'], id: string, body: JsonObject): Step {
  return { kind, id, body };
}

function pipelineOf(name: string, more: JsonObject): JsonObject {
  const material = { type: 'git', attributes: { url: 'https://scm.example.org/all.git' } };
  return { name, group: 'g1', materials: [material], stages: STAGES.map(plainStage), ...more };
}

function openJob(profile: string, store: string): JsonObject {
  const artifacts = [{ type: 'external', artifact_id: 'i1', store_id: store }];
  return { name: 'j1', tasks: EXEC, elastic_profile_id: profile, artifacts };
}

function valuesOf(values: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function dependency(pipeline: string, upstream: string): JsonObject {
  return { type: 'dependency', attributes: { pipeline, stage: upstream } };
}

function fetch(pipeline: string): JsonObject {
  return { type: 'fetch', attributes: { pipeline, stage: 's1', job: 'j1', source: 'out' } };
}

function repository(id: string): JsonObject {
  return { repo_id: id, name: id, plugin_metadata: { id: 'x.packages', version: '1' }, configuration: [] };
}

function packageOf(id: string, owner: string): JsonObject {
  return { id, name: id, package_repo: { id: owner }, configuration: [] };
}

class World {
  readonly database: Database;
  readonly config: Config;
  readonly changes: Changes;

  private constructor(database: Database, config: Config) {
    this.database = database;
    this.config = config;
    this.changes = new Changes(config, revisionWriter(database));
  }

  static async start(file: string): Promise<World> {
    const database = openSqlite(file);
    await migrate(database);
    const world = new World(database, await loadConfig(kinds, database.query));
    for (const one of START) await world.apply([one]);
    return world;
  }

  /** Throws a refusal when the change may not be. */
  apply(steps: readonly Step[]): Promise<void> {
    return this.changes.apply(AUTHOR, (draft) => {
      for (const { kind: name, id, body } of steps) {
        const kind = kindNamed(name);
        if (body) {
          const { entity, problems } = readEntity(kind, body, { ruleView: draft.ruleView, current: draft.find(kind, id)?.value }, tools);
          draft.put(kind, id, entity, problems);
        } else if (draft.find(kind, id)) draft.remove(kind, id);
        else throw new Refusal('notFound', id);
      }
    });
  }

  /** Everything that is kept, in memory and on disk, as text. */
  async snapshot(): Promise<string> {
    const memory = kinds.map((kind) => [kind.name, [...this.config.of(kind.name).all()]]);
    const { query } = this.database;
    const tables = [
      await query.selectFrom('entities').selectAll().orderBy('kind').orderBy('key').execute(),
      await query.selectFrom('revisions').selectAll().orderBy('revision').execute(),
      await query.selectFrom('changes').selectAll().orderBy('revision').orderBy('position').execute(),
    ];
    return JSON.stringify([this.config.revision, memory, referrersIn(this.config), tables]);
  }
}

/** All references, asked of every entity, sorted. */
function referrersIn(config: Config): string[] {
  const draft = new Draft(config);
  return kinds
    .flatMap((kind) => [...config.of(kind.name).all()].map(({ key }) => ({ kind, key })))
    .flatMap(({ kind, key }) => draft.referrers(kind.name, key).map((referrer) => `${referrer.kind} ${referrer.id} → ${kind.name} ${key}`))
    .sort();
}

function unresolvedIn(config: Config): string[] {
  return everyEntity(config).flatMap(({ kind, key, value }) =>
    (kind.refersTo?.(value) ?? [])
      .filter((reference) => !reference.mayBeAbsent && !config.of(reference.kind).find(reference.id))
      .map((reference) => `${kind.name} ${key} names ${reference.kind} ${reference.id}`),
  );
}

/** Uses of profiles and stores by jobs that the index knows neither for the pipeline nor for its template. */
function unknownUsersIn(config: Config): string[] {
  const draft = new Draft(config);
  const { ruleView } = draft;
  const isKnown = (kind: KindName, id: string, users: readonly (string | null)[]) =>
    draft.referrers(kind, id).some((referrer) => users.some((user) => user?.toLowerCase() === referrer.id.toLowerCase()));
  return [...ruleView.pipelines.values()].flatMap((pipeline) =>
    stagesOf(pipeline, ruleView)
      .flatMap((one) => one.jobs)
      .flatMap(({ elasticProfileId, artifacts }) => [
        ...(elasticProfileId ? [['elasticProfiles', elasticProfileId] as const] : []),
        ...artifacts.flatMap(({ type, attributes }) => (type === 'external' ? [['artifactStores', attributes.storeId] as const] : [])),
      ])
      .filter(([kind, id]) => !isKnown(kind, id, [pipeline.name, pipeline.template]))
      .map(([kind, id]) => `${pipeline.name} uses ${kind} ${id}`),
  );
}

/** The errors by the rules of each entity now, though no write has touched it. */
function brokenRulesIn(config: Config): string[] {
  const { ruleView } = new Draft(config);
  return everyEntity(config).flatMap(({ kind, key, value }) =>
    (kind.rules ?? []).flatMap((rule) => rule(value, ruleView, 'update').map(({ message }) => `${kind.name} ${key}: ${message}`)),
  );
}

function everyEntity(config: Config): { readonly kind: Kind; readonly key: string; readonly value: Entity }[] {
  return kinds.flatMap((kind) => [...config.of(kind.name).all()].map(({ key, value }) => ({ kind, key, value })));
}

let directory: string;
let files = 0;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-integrity-'));
});
after(() => rmSync(directory, { recursive: true, force: true }));

const OPTIONS = { seed: SEED, numRuns: 1000 };

/** Runs sequences of changes, each on a database of its own, and looks at the world after every one. */
async function always(holds: (world: World, outcome: { wasRefused: boolean; before: string }) => void | Promise<void>): Promise<void> {
  let acceptedChanges = 0;
  let refusedChanges = 0;
  const isEnough = () => Math.min(acceptedChanges, refusedChanges) >= MIN_OF_EACH;
  const end = performance.now() + MAX_MS;
  const property = fc.asyncProperty(sequence, async (sequenceOfChanges) => {
    if (isEnough() && performance.now() > end) return;
    const world = await World.start(join(directory, `${++files}.db`));
    try {
      for (const steps of sequenceOfChanges) {
        const before = await world.snapshot();
        const wasRefused = await world.apply(steps).then(
          () => false,
          (failure: unknown) => {
            if (failure instanceof Refusal) return true;
            throw failure;
          },
        );
        if (wasRefused) refusedChanges++;
        else acceptedChanges++;
        await holds(world, { wasRefused, before });
      }
    } finally {
      await world.database.close();
    }
  });
  await fc.assert(property, OPTIONS);
  // A generator that is always refused, or never, would prove nothing.
  assert.ok(isEnough(), `${acceptedChanges} accepted, ${refusedChanges} refused`);
}

test('every reference resolves after every change', () =>
  always((world, { wasRefused }) => {
    if (!wasRefused) assert.deepEqual(unresolvedIn(world.config), []);
  }));

test('the index knows all usages of a profile or a store, also by parameters alone', () =>
  always((world, { wasRefused }) => {
    if (!wasRefused) assert.deepEqual(unknownUsersIn(world.config), []);
  }));

test('a refused change leaves memory and disk as they were, bit for bit', () =>
  always(async (world, { wasRefused, before: earlier }) => {
    if (wasRefused) assert.equal(await world.snapshot(), earlier);
  }));

test('every entity still passes its own rules after every change of others', () =>
  always((world, { wasRefused }) => {
    if (!wasRefused) assert.deepEqual(brokenRulesIn(world.config), []);
  }));

test('the entities on disk read back as those in memory, with the same referrers', () =>
  always(async (world, { wasRefused }) => {
    if (wasRefused) return;
    const read = await loadConfig(kinds, world.database.query);
    const entries = (config: Config) =>
      kinds.map((kind) => [...config.of(kind.name).all()].sort((one, other) => one.created - other.created));
    assert.deepEqual(entries(read), entries(world.config));
    assert.deepEqual(referrersIn(read), referrersIn(world.config));
    assert.equal(read.revision, world.config.revision);
  }));

test('changes that arrive together end where they would have ended one after the other', () => {
  const end = performance.now() + MAX_MS;
  let done = 0;
  const property = fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { maxLength: 4 }), async (bursts) => {
    if (done >= MIN_BURSTS && performance.now() > end) return;
    done += bursts.length;
    const together = await World.start(join(directory, `${++files}.db`));
    const inTurn = await World.start(join(directory, `${++files}.db`));
    try {
      for (const burst of bursts) {
        const verdicts = await Promise.allSettled(burst.map((steps) => together.apply(steps)));
        for (const [index, steps] of burst.entries()) {
          const [verdict] = await Promise.allSettled([inTurn.apply(steps)]);
          assert.equal(verdicts[index]!.status, verdict!.status);
        }
      }
      assert.deepEqual(await rowsOf(together), await rowsOf(inTurn));
      assert.deepEqual(referrersIn(together.config), referrersIn(inTurn.config));
      assert.deepEqual(unresolvedIn(together.config), []);
    } finally {
      await together.database.close();
      await inTurn.database.close();
    }
  });
  return fc.assert(property, OPTIONS);

  function rowsOf({ database }: World): Promise<unknown[]> {
    return database.query.selectFrom('entities').selectAll().orderBy('kind').orderBy('key').execute();
  }
});
