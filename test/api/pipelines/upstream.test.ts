// Dependencies between pipelines: no cycles, upstream stages that stay, artifacts that can be there in time.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { SourcesView } from '../../../src/resources/parts/origin.ts';
import { cycleProblems } from '../../../src/resources/pipelines/rules/dependency-cycles.ts';
import { dependencyProblems, type PipelinesView, type PipelineView } from '../../../src/resources/pipelines/rules/upstream.ts';
import { accepted } from '../../support/requests/callers.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';
import {
  create,
  dependency,
  errorsIn,
  external,
  fetch,
  git,
  job,
  PATH,
  pipeline,
  refused,
  refusedAt,
  removeAll,
  replace,
  stage,
  tryOut,
} from './bodies.ts';

const TEMPLATES = '/api/admin/templates';

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  accepted(await server.post('/api/admin/artifact_stores', { id: 'store', plugin_id: 'com.example.store', properties: [] }));
});
after(() => server.stop());
beforeEach(async () => {
  await removeAll(server);
  for (const { name } of (await server.get(TEMPLATES)).json._embedded.templates) accepted(await server.delete(`${TEMPLATES}/${name}`));
});

const down = (name: string, upstream: string, more: object = {}) => pipeline(name, { materials: [dependency(upstream)], ...more });
const fetching = (...tasks: object[]) => [stage('get', { jobs: [job({ tasks })] })];

/** Refused with a message in which all these occur, and nothing has changed. */
async function breaks(change: () => Promise<Reply>, names: readonly string[], watched: readonly string[]): Promise<void> {
  const before = await Promise.all(watched.map(async (path) => (await server.get(path)).text));
  const reply = await change();
  assert.equal(reply.status, 422, reply.text);
  const text = [reply.json.message, ...Object.values(errorsIn(reply.json.data ?? {})).flat()].join('\n');
  for (const name of names) assert.ok(text.includes(name), `${name} is not named in:\n${text}`);
  assert.deepEqual(await Promise.all(watched.map(async (path) => (await server.get(path)).text)), before);
}

describe('circles', () => {
  for (const length of [1, 2, 3, 5]) {
    test(`a circle of ${length} is refused`, async () => {
      const names = Array.from({ length }, (_, index) => `c${index}`);
      accepted(await create(server, pipeline('c0')));
      for (let index = 1; index < length; index++) accepted(await create(server, down(`c${index}`, `c${index - 1}`)));
      const reply = await replace(server, down('c0', `c${length - 1}`));
      assert.equal(reply.status, 422, reply.text);
      const problems = errorsIn(reply.json.data).materials ?? [];
      const cycle = [...names, 'c0'];
      const ways = [cycle, cycle.toReversed()].map((way) => `Circular dependency: ${way.join(' <- ')}`);
      assert.ok(problems.length === 1 && ways.includes(problems[0]!), JSON.stringify(errorsIn(reply.json.data)));
      assert.equal((await server.get(`${PATH}/c0`)).json.materials[0].type, 'git');
    });
  }

  test('a circle of one pipeline is refused when it is created', async () => {
    const reply = await tryOut(server, down('self', 'SELF'));
    assert.equal(reply.status, 422);
    assert.match(JSON.stringify(errorsIn(reply.json.data)), /Circular dependency: self <- self/i);
  });

  test('a diamond and a long chain of pipelines are no circles', async () => {
    accepted(await create(server, pipeline('top')));
    accepted(await create(server, down('left', 'top')));
    accepted(await create(server, down('right', 'top')));
    accepted(await create(server, pipeline('bottom', { materials: [dependency('left'), dependency('right')] })));
    accepted(await replace(server, pipeline('bottom', { materials: [dependency('left'), dependency('right'), dependency('top')] })));
    let last = 'top';
    for (let index = 0; index < 60; index++) {
      accepted(await create(server, down(`chain${index}`, last)));
      last = `chain${index}`;
    }
    assert.equal((await replace(server, down('top', last))).status, 422);
  });

  test('a circle is found through a pipeline that gets its dependencies later', async () => {
    for (const name of ['a', 'b', 'c']) accepted(await create(server, pipeline(name)));
    accepted(await replace(server, down('a', 'b')));
    accepted(await replace(server, down('b', 'c')));
    assert.equal((await replace(server, down('c', 'a'))).status, 422);
    accepted(await replace(server, pipeline('a')));
    accepted(await replace(server, down('c', 'a')));
  });
});

test('a chain as long as a large installation is looked through to its end', () => {
  const length = 10_000;
  const chain = new Map<string, PipelineView>();
  const links = (index: number, upstream: number) =>
    ({
      name: `c${index}`,
      group: 'g',
      origin: null,
      template: null,
      materials: [dependency(`c${upstream}`)],
      stages: [stage()],
    }) as unknown as PipelineView;
  for (let index = 1; index < length; index++) chain.set(`c${index}`, links(index, index - 1));
  chain.set('c0', { ...links(0, 0), materials: [] });
  const view = { pipelines: chain, templates: new Map() } as unknown as PipelinesView & SourcesView;
  assert.deepEqual(dependencyProblems(chain.get(`c${length - 1}`)!, view), []);
  const closed = links(0, length - 1);
  chain.set('c0', closed);
  assert.match(dependencyProblems(closed, view)[0]?.message ?? '', /^Circular dependency: c0 <- .* <- c0$/);
});

describe('the memory of pipelines already checked', () => {
  const graph = (upstreams: readonly (readonly number[])[]) => {
    const all = upstreams.map((names, index) => ({
      name: `p${index}`,
      parameters: [],
      materials: names.map((upstream) => dependency(`p${upstream}`)),
    })) as unknown as PipelineView[];
    let asked = 0;
    const byName = new Map(all.map((one) => [one.name, one]));
    const get = (name: string) => {
      asked++;
      return byName.get(name);
    };
    return { all, view: { pipelines: { get }, templates: new Map(), remembered: new Map() } as never, asked: () => asked };
  };
  const isInCircle = (upstreams: readonly (readonly number[])[], start: number): boolean => {
    const reached = new Set<number>();
    const waiting = [...upstreams[start]!];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(...upstreams[next]!);
    }
    return reached.has(start);
  };

  test('hides no circle, and makes none', () => {
    const upstreams = fc.array(fc.uniqueArray(fc.nat(6), { maxLength: 2 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(upstreams, (given) => {
        const { all, view } = graph(given);
        const found = all.map((one) => cycleProblems(one, view).length > 0);
        assert.deepEqual(
          found,
          given.map((_, index) => isInCircle(given, index)),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('makes a long chain, all of it new, no longer for each of its members', () => {
    const { all, view, asked } = graph(Array.from({ length: 5_000 }, (_, index) => (index === 0 ? [] : [index - 1])));
    for (const one of all.toReversed()) assert.deepEqual(cycleProblems(one, view), []);
    assert.ok(asked() <= 3 * all.length, String(asked()));
  });
});

describe('fetching', () => {
  beforeEach(async () => {
    const published = [external(), { type: 'build', source: 'out' }];
    const first = stage('first', { jobs: [job({ artifacts: published })] });
    accepted(await create(server, pipeline('a', { stages: [first, stage('second'), stage('third')] })));
    accepted(await create(server, pipeline('b', { materials: [dependency('a', 'second')], stages: [stage('only'), stage('late')] })));
    accepted(await create(server, pipeline('stranger')));
  });

  const AT = 'stages.0.jobs.0.tasks.0.attributes.';

  describe('one instance of a job', () => {
    const runs = (run_instance_count: unknown) =>
      pipeline('many', { stages: [stage('s', { jobs: [job({ name: 'unit', run_instance_count })] })] });
    const taking = (name: string) => down('taker', 'many', { stages: fetching(fetch({ pipeline: 'many', stage: 's', job: name })) });
    const unknown = (name: string) => ({
      [`${AT}job`]: [`"taker :: get :: j" tries to fetch artifact from job "many :: s :: ${name}" which does not exist.`],
    });

    const CASES: readonly [count: unknown, known: readonly string[], unknown: readonly string[]][] = [
      ['all', ['unit', 'unit-runOnAll-1', 'UNIT-runonall-12'], ['unit-runInstance-1', 'unit-runOnAll', 'unit-runOnAll-x', 'x-runOnAll-1']],
      [3, ['unit', 'unit-runInstance-1', 'Unit-RunInstance-3'], ['unit-runOnAll-1', 'unit-runInstance-', 'unit-1']],
      [null, ['unit'], ['unit-runOnAll-1', 'unit-runInstance-1']],
    ];
    for (const [count, known, others] of CASES) {
      test(`can be fetched by its name alone from a job that runs ${count ?? 'once'}`, async () => {
        accepted(await create(server, runs(count)));
        for (const name of known) accepted(await tryOut(server, taking(name)));
        for (const name of others) assert.deepEqual(errorsIn((await tryOut(server, taking(name))).json.data), unknown(name));
      });
    }

    test('keeps the job running as often while it is fetched from', async () => {
      accepted(await create(server, runs(2)));
      accepted(await create(server, taking('unit-runInstance-1')));
      accepted(await replace(server, runs(5)));
      await breaks(() => replace(server, runs(null)), ['taker', 'unit-runInstance-1'], [`${PATH}/many`]);
    });
  });

  const c = (...tasks: object[]) => pipeline('c', { materials: [dependency('b', 'only')], stages: fetching(...tasks) });
  const WHO = '"c :: get :: j" tries to fetch artifact from';

  const ALLOWED: Readonly<Record<string, object>> = {
    'the stage depended on': fetch({ pipeline: 'b', stage: 'only' }),
    'whatever the letter case': fetch({ pipeline: 'B', stage: 'ONLY', job: 'J' }),
    'an ancestor, the stage depended on': fetch({ pipeline: 'a/b', stage: 'second' }),
    'an ancestor, an earlier stage': fetch({ pipeline: 'a/b', stage: 'first' }),
    'an external artifact of an ancestor': fetch({
      pipeline: 'a/b',
      stage: 'first',
      source: null,
      artifact_origin: 'external',
      artifact_id: 'image',
    }),
  };
  for (const [title, task] of Object.entries(ALLOWED)) {
    test(`is allowed from ${title}`, async () => {
      accepted(await tryOut(server, c(task)));
    });
  }

  const REFUSED: readonly [title: string, task: object, key: string, message: string][] = [
    ['a pipeline that does not exist', fetch({ pipeline: 'ghost' }), 'pipeline', `${WHO} pipeline "ghost" which does not exist.`],
    [
      'a pipeline that is not upstream',
      fetch({ pipeline: 'stranger' }),
      'pipeline',
      'Pipeline "c" tries to fetch artifact from pipeline "stranger" which is not an upstream pipeline',
    ],
    [
      'an ancestor without its path',
      fetch({ pipeline: 'a', stage: 'first' }),
      'pipeline',
      'Pipeline "c" tries to fetch artifact from pipeline "a" which is not an upstream pipeline',
    ],
    [
      'a path through one that is no ancestor',
      fetch({ pipeline: 'stranger/b' }),
      'pipeline',
      "Pipeline named 'stranger' exists, but is not an ancestor of 'c' as declared in 'stranger/b'.",
    ],
    [
      'a path through one that does not exist',
      fetch({ pipeline: 'ghost/b' }),
      'pipeline',
      "Pipeline named 'ghost' which is declared ancestor of 'c' through path 'ghost/b' does not exist.",
    ],
    ['a stage that does not exist', fetch({ pipeline: 'b', stage: 'ghost' }), 'stage', `${WHO} stage "b :: ghost" which does not exist.`],
    [
      'a stage after the one depended on',
      fetch({ pipeline: 'b', stage: 'late' }),
      'stage',
      `${WHO} stage "b :: late" which does not complete before "c" pipeline's dependencies.`,
    ],
    [
      'a stage of an ancestor after the one depended on',
      fetch({ pipeline: 'a/b', stage: 'third' }),
      'stage',
      `${WHO} stage "a :: third" which does not complete before "c" pipeline's dependencies.`,
    ],
    [
      'its own stage',
      fetch({ pipeline: null, stage: 'get' }),
      'stage',
      `${WHO} its stage "get" which does not complete before the current stage "get".`,
    ],
    [
      'a stage of its own that does not exist',
      fetch({ pipeline: 'c', stage: 'ghost' }),
      'stage',
      `${WHO} stage "c :: ghost" which does not exist.`,
    ],
    [
      'a job that does not exist',
      fetch({ pipeline: 'b', stage: 'only', job: 'ghost' }),
      'job',
      `${WHO} job "b :: only :: ghost" which does not exist.`,
    ],
    [
      'a job that publishes no such artifact',
      fetch({ pipeline: 'b', stage: 'only', artifact_origin: 'external', artifact_id: 'image' }),
      'artifact_id',
      'Pluggable artifact with id `image` does not exist in [b/only/j].',
    ],
  ];
  for (const [title, task, key, message] of REFUSED) {
    test(`is refused from ${title}`, async () => refused(await tryOut(server, c(task)), { [AT + key]: [message] }));
  }

  test('is allowed from an earlier stage of the same pipeline, not from a later one', async () => {
    const own = (from: string) => [stage('one'), stage('two', { jobs: [job({ tasks: [fetch({ stage: from })] })] }), stage('three')];
    accepted(await tryOut(server, pipeline('d', { stages: own('one') })));
    refused(await tryOut(server, pipeline('d', { stages: own('three') })), {
      'stages.1.jobs.0.tasks.0.attributes.stage': [
        '"d :: two :: j" tries to fetch artifact from its stage "three" which does not complete before the current stage "two".',
      ],
    });
  });

  test('is checked in stages that come from a template, too', async () => {
    accepted(await server.post(TEMPLATES, { name: 't', stages: fetching(fetch({ pipeline: 'b', stage: 'only' })) }));
    const using = (materials: object[]) => pipeline('d', { template: 't', stages: null, materials });
    accepted(await tryOut(server, using([dependency('b', 'only')])));
    const reply = await tryOut(server, using([git()]));
    assert.equal(reply.status, 422);
    assert.match(
      JSON.stringify(errorsIn(reply.json.data)),
      /tries to fetch artifact from pipeline \\"b\\" which is not an upstream pipeline/,
    );
  });
});

describe('a change of an upstream pipeline that breaks one downstream is refused', () => {
  const UP = pipeline('up', { stages: [stage('one'), stage('two', { jobs: [job(), job({ name: 'k' })] })] });
  const stages = UP.stages as object[];

  test('removing or renaming the stage depended on', async () => {
    accepted(await create(server, UP));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')] })));
    const watched = [`${PATH}/up`, `${PATH}/down`];
    await breaks(() => replace(server, { ...UP, stages: [stages[0]] }), ['down', 'two'], watched);
    await breaks(() => replace(server, { ...UP, stages: [stages[0], stage('zwei')] }), ['down', 'two'], watched);
    accepted(await replace(server, { ...UP, stages: [stage('zero'), ...stages] }));
    accepted(await replace(server, { ...UP, stages: [stages[1]] }));
  });

  test('removing a job that is fetched from', async () => {
    accepted(await create(server, UP));
    const tasks = fetching(fetch({ pipeline: 'up', stage: 'two', job: 'k' }));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')], stages: tasks })));
    await breaks(() => replace(server, { ...UP, stages: [stages[0], stage('two')] }), ['down', 'k'], [`${PATH}/up`, `${PATH}/down`]);
  });

  test('removing an external artifact that is fetched', async () => {
    const publishing = (artifacts: object[]) => ({ ...UP, stages: [stage('one', { jobs: [job({ artifacts })] })] });
    accepted(await create(server, publishing([external()])));
    const task = fetch({ pipeline: 'up', stage: 'one', artifact_origin: 'external', artifact_id: 'image', source: null });
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'one')], stages: fetching(task) })));
    await breaks(() => replace(server, publishing([])), ['image'], [`${PATH}/up`]);
  });

  test('moving a fetched stage after the one depended on', async () => {
    accepted(await create(server, UP));
    const tasks = fetching(fetch({ pipeline: 'up', stage: 'one' }));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')], stages: tasks })));
    await breaks(() => replace(server, { ...UP, stages: stages.toReversed() }), ['one'], [`${PATH}/up`]);
  });

  test('removing a job of an ancestor that is fetched from through a path', async () => {
    accepted(await create(server, UP));
    accepted(await create(server, pipeline('middle', { materials: [dependency('up', 'two')] })));
    const tasks = fetching(fetch({ pipeline: 'up/middle', stage: 'two', job: 'k' }));
    accepted(await create(server, pipeline('down', { materials: [dependency('middle')], stages: tasks })));
    await breaks(() => replace(server, { ...UP, stages: [stages[0], stage('two')] }), ['down', 'k'], [`${PATH}/up`]);
  });

  test('removing the link in the middle of a path that is fetched through', async () => {
    accepted(await create(server, UP));
    accepted(await create(server, pipeline('middle', { materials: [dependency('up', 'two')] })));
    accepted(await create(server, down('end', 'middle', { stages: fetching(fetch({ pipeline: 'up/middle', stage: 'two' })) })));
    const far = { materials: [dependency('end', 'get')], stages: fetching(fetch({ pipeline: 'up/middle/end', stage: 'two' })) };
    accepted(await create(server, pipeline('far', far)));
    await breaks(() => replace(server, pipeline('middle')), ['end'], [`${PATH}/middle`]);
    accepted(await replace(server, pipeline('end', { materials: [dependency('middle')], stages: [stage('get')] })));
    await breaks(() => replace(server, pipeline('middle')), ['far'], [`${PATH}/middle`]);
  });

  test('removing a stage from a template whose pipeline others depend on', async () => {
    accepted(await server.post(TEMPLATES, { name: 't', stages }));
    accepted(await create(server, pipeline('up', { template: 't', stages: null })));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')] })));
    const watched = [`${TEMPLATES}/t`, `${PATH}/up`, `${PATH}/down`];
    await breaks(() => server.put(`${TEMPLATES}/t`, { stages: [stages[0]] }, '*'), ['down', 'two'], watched);
  });

  test('removing a stage from a template that both ends of a dependency use', async () => {
    accepted(await server.post(TEMPLATES, { name: 't', stages }));
    accepted(await create(server, pipeline('up', { template: 't', stages: null })));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')], template: 't', stages: null })));
    await breaks(() => server.put(`${TEMPLATES}/t`, { stages: [stages[0]] }, '*'), ['down', 'two'], [`${TEMPLATES}/t`]);
  });

  test('removing a job from a template whose pipeline others fetch from', async () => {
    accepted(await server.post(TEMPLATES, { name: 't', stages }));
    accepted(await create(server, pipeline('up', { template: 't', stages: null })));
    const tasks = fetching(fetch({ pipeline: 'up', stage: 'two', job: 'k' }));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')], stages: tasks })));
    await breaks(() => server.put(`${TEMPLATES}/t`, { stages: [stages[0], stage('two')] }, '*'), ['down', 'k'], [`${TEMPLATES}/t`]);
  });

  test('changing to a template that lacks the stage', async () => {
    accepted(await server.post(TEMPLATES, { name: 't', stages: [stages[0]] }));
    accepted(await create(server, UP));
    accepted(await create(server, pipeline('down', { materials: [dependency('up', 'two')] })));
    await breaks(() => replace(server, { ...UP, template: 't', stages: null }), ['down', 'two'], [`${PATH}/up`]);
  });
});

describe('copies of one material', () => {
  const polled = (name: string, auto_update: boolean, more: object = {}) => pipeline(name, { materials: [git({ auto_update, ...more })] });
  const FIELD = 'materials.0.attributes.auto_update';

  test('copies of one material in two pipelines agree on auto_update', async () => {
    accepted(await create(server, polled('one', true)));
    const reply = await tryOut(server, polled('two', false));
    assert.equal(reply.status, 422);
    const [message, ...more] = errorsIn(reply.json.data)[FIELD] ?? [];
    assert.equal(more.length, 0);
    const [sentence, ...lines] = message!.split('\n');
    assert.match(
      sentence!,
      /^The material of type Git \(.*https:\/\/scm\.example\.org\/a\.git.*\) is used elsewhere with a different value for autoUpdate \(poll for changes\)\. Those values should be the same\. Pipelines:$/,
    );
    assert.deepEqual(lines.map((line) => line.replace(/,$/, '')).sort(), [' one (auto update enabled)', ' two (auto update disabled)']);
    accepted(await tryOut(server, polled('two', false, { branch: 'other' })));
    accepted(await tryOut(server, polled('two', true)));
  });

  test('copies of one material agree on auto_update when one pipeline is changed', async () => {
    accepted(await create(server, polled('one', true)));
    accepted(await create(server, polled('two', true)));
    refusedOn(await replace(server, polled('one', false)));
    accepted(await server.delete(`${PATH}/two`));
    accepted(await replace(server, polled('one', false)));
  });

  test('copies of one material inside one pipeline agree on auto_update', async () => {
    const materials = [git({ destination: 'x', auto_update: true }), git({ destination: 'y', auto_update: false })];
    const reply = await tryOut(server, pipeline('one', { materials }));
    assert.equal(reply.status, 422, reply.text);
  });

  test('copies of one material in a pipeline and a config repo agree on auto_update', async () => {
    const repo = (auto_update: boolean) => ({ id: 'repo', plugin_id: 'yaml.config.plugin', material: git({ auto_update }) });
    accepted(await server.post('/api/admin/config_repos', repo(true)));
    const reply = await tryOut(server, polled('one', false));
    accepted(await server.delete('/api/admin/config_repos/repo'));
    refusedOn(reply);
    accepted(await create(server, polled('one', false)));
    const late = await server.post('/api/admin/config_repos', repo(true));
    await server.delete('/api/admin/config_repos/repo');
    assert.equal(late.status, 422, late.text);
    assert.match(JSON.stringify(errorsIn(late.json.data)), /is used elsewhere with a different value for autoUpdate/);
  });

  function refusedOn(reply: Reply): void {
    assert.equal(reply.status, 422, reply.text);
    assert.match(errorsIn(reply.json.data)[FIELD]?.[0] ?? '', /is used elsewhere with a different value for autoUpdate/);
  }
});

test('a pipeline belongs to one environment', async () => {
  accepted(await create(server, pipeline('web')));
  accepted(await server.post('/api/admin/environments', { name: 'one', pipelines: [{ name: 'web' }] }));
  const twice = await server.post('/api/admin/environments', { name: 'two', pipelines: [{ name: 'WEB' }] });
  refusedAt(twice, 'pipelines.0.name', 'Associating pipeline(s) which is already part of one environment');
  const ghost = await server.post('/api/admin/environments', { name: 'two', pipelines: [{ name: 'ghost' }] });
  refusedAt(ghost, 'pipelines.0.name', "Environment 'two' refers to an unknown pipeline 'ghost'.");
});
