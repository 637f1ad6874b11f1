// The cycles of several repos side by side: a repo that hangs, fails or is removed does not affect the others.
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Draft } from '../../src/config/draft.ts';
import { InvalidChange } from '../../src/config/large-change.ts';
import { repoOriginOf } from '../../src/config/repo-origin.ts';
import { packed } from '../../src/config-repos/parsing/packed.ts';
import { ParseFailure } from '../../src/config-repos/parsing/pool.ts';
import { Publisher } from '../../src/config-repos/publish/publisher.ts';
import { FileRefused } from '../../src/document/save/refused.ts';
import { yamlParser } from '../../src/formats/file-parsers.ts';
import { FakeClock } from '../../src/kit/concurrency/fake-clock.ts';
import { Refusal } from '../../src/kit/refusal.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { until, yaml } from './support/config-repo-server.ts';
import { CycleLab, type LabOptions, type MemoryRepository } from './support/cycle-lab.ts';
import { ANYTHING, pipeline } from './support.ts';

let lab: CycleLab;
afterEach(async () => {
  await lab.stop();
  await lab.lab.configuration.close();
});

async function open(options: LabOptions = {}): Promise<void> {
  lab = await CycleLab.open(options);
}

const pipelines = () => [...lab.lab.configuration.config.of('pipelines').all()].map(({ value }) => String(value.name)).toSorted();
const file = (name: string, upstream?: string) => ({ [`${name}.gocd.yaml`]: yaml('g', { [name]: upstream }) });
const outcomeOf = (id: string) => lab.cycles.knownOf(id).known?.outcome;
const never = new Promise<void>(() => {});

describe('a repo that cannot be read', () => {
  test('does not keep others from being read, however many there are', async () => {
    await open({ places: 2, readMs: 60_000 });
    const proven = await lab.add('proven', file('proven'));
    await lab.rest('proven');
    for (const id of ['slow-1', 'slow-2', 'slow-3']) {
      const repository = await lab.add(id, file(id));
      repository.gate = never;
    }
    await until('the first of them', async () => lab.cycles.isUpdating('slow-1'));
    proven.commit(file('more'));
    await lab.update('proven');
    assert.deepEqual(pipelines(), ['more', 'proven']);
    assert.equal(await lab.cycles.isUpdating('slow-3'), true, 'it waits for its turn');
  });

  test('is reported after the time limit, and the others have their turn', async () => {
    await open({ places: 2, readMs: 300 });
    const slow = await lab.add('slow', file('slow'));
    slow.gate = never;
    await lab.add('quick', file('quick'));
    await until('the quick one', async () => pipelines().includes('quick'));
    await lab.rest('slow');
    assert.equal(outcomeOf('slow'), 'unread');
    const [problem] = lab.health.all();
    assert.equal(problem!.detail, 'Reading the files takes longer than 0.3 seconds.');
    slow.gate = Promise.resolve();
    lab.pollEnded('slow');
    await until('the slow one', async () => pipelines().includes('slow'));
    await lab.rest('slow');
    assert.deepEqual(lab.health.all(), []);
    assert.deepEqual(lab.faults, []);
  });

  test('does not keep new repos from being read, however many hang', async () => {
    const clock = new FakeClock();
    clock.jump(Date.now() - clock.now());
    await open({ places: 2, readMs: 600_000, clock });
    const slow: MemoryRepository[] = [];
    for (const id of ['slow-1', 'slow-2', 'slow-3', 'slow-4']) {
      const repository = await lab.add(id, file(id));
      repository.gate = never;
      slow.push(repository);
    }
    await lab.add('new', file('new'));
    await until('the new one', async () => {
      await clock.forward(1000);
      return pipelines().includes('new');
    });
    for (const repository of slow) repository.gate = Promise.resolve();
    await lab.lab.addRepo('slow-1', undefined, 'other');
    await lab.lab.addRepo('slow-2', undefined, 'other');
    await until('those that had to give way', async () => {
      await clock.forward(1000);
      return pipelines().length === 5;
    });
  });

  test('is left at once when it is deleted', async () => {
    await open({ readMs: 60_000 });
    const slow = await lab.add('slow', file('slow'));
    slow.gate = never;
    await until('its turn', async () => lab.cycles.isUpdating('slow'));
    await lab.lab.remove('configRepos', 'slow');
    await until('the end', async () => !(await lab.cycles.isUpdating('slow')));
    assert.deepEqual(await lab.onDisk('slow'), { files: [], state: undefined });
  });

  test('is read with the new settings at once when it is changed', async () => {
    await open({ readMs: 60_000 });
    const slow = await lab.add('slow', file('slow'));
    slow.gate = never;
    await until('its turn', async () => lab.cycles.isUpdating('slow'));
    slow.gate = Promise.resolve();
    await lab.lab.addRepo('slow', undefined, 'other');
    await until('the pipeline', async () => pipelines().includes('slow'));
  });
});

describe('a file', () => {
  test('a file that a fault of the server kept from being parsed is tried again on request alone', async () => {
    let isBad = true;
    await open({
      parse: (chosen, bytes) => {
        if (isBad && chosen.path === 'bad.gocd.yaml') throw new ParseFailure('Reading the file takes longer than 30 seconds.');
        return packed(yamlParser.parse(chosen, bytes));
      },
    });
    const repository = await lab.add('one', { ...file('good'), ...file('bad') });
    await lab.rest('one');
    assert.equal(outcomeOf('one'), 'unparsed');
    const { reads } = repository;
    assert.equal(reads.length, 2);
    lab.pollEnded('one');
    await lab.lab.put('pipelineGroups', { name: 'something-else' });
    await lab.rest('one');
    assert.equal(reads.length, 2);
    isBad = false;
    await lab.update('one');
    assert.deepEqual(reads.slice(2), ['bad.gocd.yaml']);
    assert.deepEqual(pipelines(), ['bad', 'good']);
  });

  test('a file that the server cannot cope with is reported, and tried again on request alone', async (context) => {
    await open();
    const repository = await lab.add('one', file('a'));
    await lab.rest('one');
    const publish = context.mock.method(Publisher.prototype, 'publish', async () => {
      throw new RangeError('Invalid string length: hunter2');
    });
    repository.commit(file('b'));
    await lab.update('one');
    const about = async () => {
      const [{ outcome, revision, errors }] = (await lab.parses('one')) as [Awaited<ReturnType<typeof lab.parses>>[number]];
      return { outcome, revision, message: (errors[0] as { message?: string } | undefined)?.message };
    };
    const message = 'An unexpected error ended the update to this revision.';
    assert.deepEqual(await about(), { outcome: 'unparsed', revision: '2', message });
    assert.deepEqual(
      lab.health.all().map(({ level, detail }) => [level, detail]),
      [['ERROR', message]],
    );
    assert.deepEqual([pipelines(), lab.faults.length], [['a'], 1]);

    lab.pollEnded('one');
    await lab.lab.put('pipelineGroups', { name: 'something-else' });
    await lab.rest('one');
    const first = lab;
    await first.stop();
    lab = await CycleLab.open({}, first);
    await lab.start();
    await lab.rest('one');
    assert.equal(publish.mock.callCount(), 1);
    await lab.update('one');
    assert.equal(publish.mock.callCount(), 2);

    publish.mock.restore();
    await lab.update('one');
    assert.deepEqual(await about(), { outcome: 'published', revision: '2', message: undefined });
    assert.deepEqual([pipelines(), lab.health.all()], [['a', 'b'], []]);
    await first.lab.configuration.close();
  });

  test('is not read after too many other files of its repo could not be parsed', async () => {
    let parsed = 0;
    await open({
      parse: () => {
        parsed++;
        throw new ParseFailure('Reading the file takes longer than 30 seconds.');
      },
    });
    await lab.add('one', Object.assign({}, ...Array.from({ length: 50 }, (_, count) => file(`p${count}`))));
    await lab.rest('one');
    assert.ok(parsed <= 8, `${parsed} parsed`);
    assert.equal((await lab.parses('one'))[0]!.errors.length, 50);
  });
});

describe('a repo', () => {
  test('a repo that cannot be reached has that in its history, once for each reason', async () => {
    await open();
    await lab.lab.addRepo('one');
    await lab.rest('one');
    for (const failure of ['no route', 'no route', 'no such host']) lab.pollEnded('one', failure);
    await until('the history', async () => (await lab.parses('one')).length >= 2);
    await lab.rest('one');
    const found = await lab.parses('one');
    assert.deepEqual(
      found.map(({ revision, outcome, errors }) => [revision, outcome, (errors[0] as { message: string }).message]),
      [
        ['', 'unread', 'no such host'],
        ['', 'unread', 'no route'],
      ],
    );
  });

  test('a repo that can be reached again has that in its history once', async () => {
    await open();
    await lab.add('one', file('a'));
    await lab.rest('one');
    for (const failure of ['no route', undefined, undefined]) lab.pollEnded('one', failure);
    await until('the history', async () => (await lab.parses('one')).length >= 3);
    await lab.update('one');
    const history = async () => (await lab.parses('one')).map(({ revision, outcome, matched }) => [revision, outcome, matched].join(' '));
    assert.deepEqual(await history(), ['1 published 1', ' unread 0', '1 published 1']);
    lab.repositories.get('one')!.failure = 'gone';
    await lab.update('one');
    lab.repositories.get('one')!.failure = undefined;
    await lab.update('one');
    assert.deepEqual((await history()).slice(0, 2), ['1 published 1', ' unread 0'], 'also when somebody has asked');
  });

  test('a repo without a file to read gets a warning with the patterns and the skipped paths', async () => {
    await open();
    const repository = await lab.add('one', { 'a.txt': '' });
    await lab.rest('one');
    const [{ outcome, matched, warnings }] = (await lab.parses('one')) as [Awaited<ReturnType<typeof lab.parses>>[number]];
    assert.deepEqual([outcome, matched], ['published', 0]);
    assert.match(JSON.stringify(warnings), /No file matches \*\*\/\*\.gocd\.yaml/);
    repository.notes = [{ path: 'ci', message: 'The link ci leads out of the repository.' }];
    repository.commit(file('a'));
    await lab.update('one');
    const hint = 'Let the link lead to a file of the repository, or put the file itself in its place.';
    assert.deepEqual((await lab.parses('one'))[0]!.warnings, [
      { file: 'ci', line: null, column: null, entity: null, message: 'The link ci leads out of the repository.', hint },
    ]);
  });

  test('a repo whose pattern is a secret does not reveal it', async () => {
    await open();
    const material = { type: 'git', attributes: { url: 'https://scm.example.org/one.git', branch: 'main' } };
    const configuration = [{ key: 'file_pattern', value: 'hunter2.yaml', is_secure: true }];
    await lab.add('one', { 'a.txt': '' });
    await lab.lab.put('configRepos', { id: 'one', plugin_id: 'yaml.config.plugin', material, configuration });
    await lab.update('one');
    assert.match(JSON.stringify((await lab.parses('one'))[0]!.warnings), /No file matches \*{6}\./);
    assert.match(lab.health.all()[0]!.detail, /No file matches \*{6}\./);
    assert.doesNotMatch(JSON.stringify([await lab.parses('one'), await lab.onDisk('one')]), /hunter2/);
  });

  test('a repo with names of any length is reported in messages that have room', async () => {
    await open();
    const shared = `common: {g: &g ${'x'.repeat(500_000)}}\n`;
    const all = yaml('*g', Object.fromEntries(Array.from({ length: 40 }, (_, count) => [`p${count}`, undefined])));
    await lab.add('one', { 'a.gocd.yaml': `${shared}${all}` });
    await lab.rest('one');
    const [attempt] = await lab.parses('one');
    const [{ detail }] = lab.health.all() as [ReturnType<typeof lab.health.all>[number]];
    assert.match(detail, /x…x+'\. This must be alphanumeric .*\n/);
    const [first] = attempt!.errors as { message: string; hint: string }[];
    assert.match(first!.message, /^Invalid .*'x+…x+'\. This must be alphanumeric/);
    assert.match(first!.hint, /^Use letters, digits/);
    assert.deepEqual([attempt!.outcome, lab.faults], ['refused', []]);
    assert.ok(detail.length < 110_000, String(detail.length));
    assert.ok(JSON.stringify(attempt!.errors).length < 150_000);
  });

  test('a repo with very many files is kept in parts', async () => {
    await open();
    const files = Object.assign({}, ...Array.from({ length: 450 }, (_, count) => file(`p${count}`)));
    const repository = await lab.add('one', files);
    await until('all of it', async () => pipelines().length === 450);
    await lab.rest('one');
    const { files: kept } = await lab.onDisk('one');
    assert.equal(kept.filter((one) => (one as { is_in_force: number }).is_in_force === 1).length, 450);
    repository.commit({ 'p7.gocd.yaml': undefined });
    await lab.update('one');
    assert.equal(pipelines().length, 449);
    assert.equal(repository.reads.length, 450);
  });

  test('follows the settings of its plugin', async () => {
    await open();
    await lab.add('one', { ...file('a'), 'b.special': yaml('g', { b: undefined }) });
    await lab.rest('one');
    assert.deepEqual(pipelines(), ['a']);
    await lab.lab.put('pluginSettings', {
      plugin_id: 'yaml.config.plugin',
      id: 'yaml.config.plugin',
      configuration: [{ key: 'file_pattern', value: '*.special' }],
    });
    await until('the other file', async () => pipelines().join() === 'b');
  });

  describe('whose settings were changed', () => {
    const configured = (pattern: string, rules: readonly JsonObject[] = ANYTHING) => {
      const material = { type: 'git', attributes: { url: 'https://scm.example.org/one.git', branch: 'main' } };
      const configuration = [{ key: 'file_pattern', value: pattern }];
      return lab.lab.put('configRepos', { id: 'one', plugin_id: 'yaml.config.plugin', material, configuration, rules: [...rules] });
    };

    test('is judged by the revision of the next poll, not by the known one', async () => {
      await open();
      const repository = await lab.add('one', file('a'));
      await lab.rest('one');
      repository.commit({ 'a.gocd.yaml': undefined, 'new/a.yaml': file('a')['a.gocd.yaml'] });
      await configured('new/*.yaml');
      await until('the new revision', async () => (await lab.parses('one')).length > 1);
      await lab.rest('one');
      assert.deepEqual(
        (await lab.parses('one')).map(({ outcome, matched }) => [outcome, matched]),
        [
          ['published', 1],
          ['published', 1],
        ],
      );
    });

    test('keeps its definitions in force while it cannot be reached, unless its rules forbid them', async () => {
      await open();
      const repository = await lab.add('one', file('a'));
      await lab.rest('one');
      repository.failure = 'no route';
      await configured('new/*.yaml');
      await until('the poll', async () => lab.cycles.knownOf('one').pollFailure !== undefined);
      await lab.update('one');
      assert.deepEqual(pipelines(), ['a']);
      await configured('new/*.yaml', []);
      await until('the rules', async () => pipelines().length === 0);
    });
  });

  test('a repo whose stored files were encrypted with another key is read anew', async () => {
    await open();
    const repository = await lab.add('one', { ...file('a'), ...file('b', 'missing') });
    await lab.rest('one');
    assert.equal(outcomeOf('one'), 'refused');
    await lab.lab.configuration.database.query.updateTable('config_repo_files').set({ parsed: 'v1:0a1b2c3d:AAAA' }).execute();
    repository.commit({ 'b.gocd.yaml': yaml('g', { b: 'a' }) });
    await lab.update('one');
    assert.deepEqual(pipelines(), ['a', 'b']);
    assert.deepEqual(lab.faults, []);
  });

  test('a repo whose definitions go with another repo is tried again, and names the missing pipeline', async () => {
    await open();
    await lab.add('up', file('up'));
    await lab.rest('up');
    await lab.add('down', file('down', 'up'));
    await lab.rest('down');
    assert.deepEqual(pipelines(), ['down', 'up']);
    await lab.lab.remove('configRepos', 'up');
    await until('the verdict', async () => outcomeOf('down') === 'refused');
    assert.match(lab.health.all()[0]!.detail, /Pipeline with name 'up' does not exist/);
    await lab.lab.put('pipelineGroups', { name: 'g' });
    await lab.add('up', {});
    await until('its return', async () => pipelines().length === 2);
    await lab.rest('down');
    assert.deepEqual(lab.health.all(), []);
  });

  test('a repo that needs a missing pipeline comes into force by itself when the pipeline exists', async () => {
    await open();
    const down = await lab.add('down', file('down', 'up'));
    await lab.rest('down');
    assert.equal(outcomeOf('down'), 'refused');
    await lab.add('up', file('up'));
    await until('both', async () => pipelines().join() === 'down,up');
    await lab.rest('down');
    assert.deepEqual([outcomeOf('down'), down.reads.length, lab.health.all().length], ['published', 1, 0]);
  });

  test('mutually dependent repos come into force together', async () => {
    await open();
    await lab.add('one', { ...file('a1', 'b1'), ...file('a2') });
    await lab.rest('one');
    assert.equal(outcomeOf('one'), 'refused');
    const { revision } = lab.lab.configuration.config;
    await lab.add('two', { ...file('b1'), ...file('b2', 'a2') });
    await until('both', async () => outcomeOf('one') === 'published' && outcomeOf('two') === 'published');
    for (const id of ['one', 'two']) await lab.rest(id);
    assert.deepEqual(pipelines(), ['a1', 'a2', 'b1', 'b2']);
    assert.equal(lab.lab.configuration.config.revision, revision + 2, 'the repo and what both define');
    assert.deepEqual([lab.health.all(), lab.faults], [[], []]);
  });

  test('mutually dependent repos that also need a missing pipeline stay refused', async () => {
    await open();
    await lab.add('one', { ...file('a1', 'b1') });
    await lab.rest('one');
    await lab.add('two', { ...file('b1', 'nowhere'), ...file('b2', 'a1') });
    await lab.rest('two');
    assert.deepEqual([outcomeOf('one'), outcomeOf('two'), pipelines()], ['refused', 'refused', []]);
  });

  describe('that must change together with others', () => {
    const inStage = (name: string, stage: string) => ({
      [`${name}.gocd.yaml`]: yaml('g', { [name]: undefined }).replace('- s:', `- ${stage}:`),
    });
    const sources = () =>
      [...lab.lab.configuration.config.of('pipelines').all()]
        .map(({ value }) => `${value.name} of ${repoOriginOf(value)?.repo}`)
        .toSorted();
    /** The initial files of these repos: `c` needs the pipeline of `a`. */
    async function openThree(): Promise<Record<'a' | 'b' | 'c', MemoryRepository>> {
      await open();
      const a = await lab.add('a', { ...file('p'), ...file('pa') });
      const b = await lab.add('b', file('pb'));
      await lab.rest('a');
      const c = await lab.add('c', file('pc', 'p'));
      for (const id of ['b', 'c']) await lab.rest(id);
      return { a, b, c };
    }
    async function committed(id: string, repository: MemoryRepository, files: Readonly<Record<string, string | undefined>>) {
      repository.commit(files);
      await lab.update(id);
    }
    const allPublished = (...ids: string[]) =>
      until('all of them', async () => ids.every((id) => outcomeOf(id) === 'published')).then(() => assert.deepEqual(lab.faults, []));

    test('a pipeline is renamed, whichever repo is first', async () => {
      const { a, c } = await openThree();
      await committed('c', c, file('pc', 'q'));
      assert.equal(outcomeOf('c'), 'refused');
      const { revision } = lab.lab.configuration.config;
      await committed('a', a, { 'p.gocd.yaml': undefined, ...file('q') });
      assert.deepEqual(sources(), ['pa of a', 'pb of b', 'pc of c', 'q of a']);
      assert.equal(lab.lab.configuration.config.revision, revision + 1, 'one change');
      await allPublished('a', 'c');
      await committed('a', a, { 'q.gocd.yaml': undefined, ...file('r') });
      assert.equal(outcomeOf('a'), 'refused');
      await committed('c', c, file('pc', 'r'));
      await allPublished('a', 'c');
      assert.deepEqual(sources(), ['pa of a', 'pb of b', 'pc of c', 'r of a']);
    });

    test('a pipeline is renamed, and a pipeline of an unchanged file beside it is needed as well', async () => {
      const { a, c } = await openThree();
      const needing = (name: string) => ({
        'pc.gocd.yaml': file('pc', name)['pc.gocd.yaml']!.replace('materials:', 'materials:\n      too: {pipeline: pa, stage: s}'),
      });
      await committed('c', c, needing('p'));
      await allPublished('c');
      await committed('c', c, needing('q'));
      assert.equal(outcomeOf('c'), 'refused');
      await committed('a', a, { 'p.gocd.yaml': yaml('g', { q: undefined }) });
      assert.deepEqual(sources(), ['pa of a', 'pb of b', 'pc of c', 'q of a']);
      await allPublished('a', 'c');
    });

    test('a stage is renamed, whichever repo is first', async () => {
      const { a, c } = await openThree();
      const needing = (stage: string) => ({ 'pc.gocd.yaml': file('pc', 'p')['pc.gocd.yaml']!.replace('stage: s', `stage: ${stage}`) });
      await committed('c', c, needing('t'));
      assert.equal(outcomeOf('c'), 'refused');
      await committed('a', a, inStage('p', 't'));
      await allPublished('a', 'c');
      await committed('a', a, inStage('p', 'u'));
      assert.equal(outcomeOf('a'), 'refused');
      await committed('c', c, needing('u'));
      await allPublished('a', 'c');
    });

    test('a pipeline that others need moves', async () => {
      const { a, b } = await openThree();
      await committed('a', a, { 'p.gocd.yaml': undefined });
      assert.equal(outcomeOf('a'), 'refused');
      await committed('b', b, file('p'));
      assert.deepEqual(sources(), ['p of b', 'pa of a', 'pb of b', 'pc of c']);
      await allPublished('a', 'b');
      await committed('a', a, file('p'));
      await committed('b', b, { 'p.gocd.yaml': undefined });
      await allPublished('a', 'b');
      assert.deepEqual(sources(), ['p of a', 'pa of a', 'pb of b', 'pc of c']);
    });

    test('two repos swap their variables of an environment', async () => {
      await open();
      const saying = (variable: string) => ({ 'e.gocd.yaml': `environments: {e: {environment_variables: {${variable}: "1"}}}\n` });
      const [a, b] = [await lab.add('a', saying('X')), await lab.add('b', saying('Y'))];
      for (const id of ['a', 'b']) await lab.rest(id);
      await committed('a', a, saying('Y'));
      assert.equal(outcomeOf('a'), 'refused');
      await committed('b', b, saying('X'));
      await allPublished('a', 'b');
    });

    test('two repos swap the names of SCMs that they declare', async () => {
      await open();
      const calling = (repo: string, scm: string) => ({
        [`p${repo}.gocd.yaml`]: yaml('g', { [`p${repo}`]: undefined }).replace(
          / {6}code:\n.*/,
          `      ${scm}: {plugin_configuration: {id: github.pr, version: "1"}, options: {url: "${repo}"}}`,
        ),
      });
      const [a, b] = [await lab.add('a', calling('a', 'x')), await lab.add('b', calling('b', 'y'))];
      for (const id of ['a', 'b']) await lab.rest(id);
      await committed('a', a, calling('a', 'y'));
      assert.equal(outcomeOf('a'), 'refused');
      await committed('b', b, calling('b', 'x'));
      await allPublished('a', 'b');
      assert.deepEqual(lab.lab.inForce('scms').toSorted(), ['x from b:pb.gocd.yaml', 'y from a:pa.gocd.yaml']);
    });

    test('two repos swap pipelines', async () => {
      const { a, b } = await openThree();
      await committed('a', a, { 'pa.gocd.yaml': undefined, ...file('pb') });
      await committed('b', b, { 'pb.gocd.yaml': undefined, ...file('pa') });
      assert.deepEqual(sources(), ['p of a', 'pa of b', 'pb of a', 'pc of c']);
      await allPublished('a', 'b');
    });

    describe('and together with the own configuration', () => {
      const main = (name: string, stage = 's') => {
        const { body } = pipeline(name, {
          stages: [{ name: stage, jobs: [{ name: 'j', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
        });
        return lab.lab.put('pipelines', body as JsonObject);
      };
      const needing = (stage: string) => ({ 'pc.gocd.yaml': file('pc', 'm')['pc.gocd.yaml']!.replace('stage: s', `stage: ${stage}`) });
      async function openWith(files: Readonly<Record<string, string>>): Promise<MemoryRepository> {
        await open();
        await lab.lab.put('pipelineGroups', { name: 'g' });
        await main('m');
        const repository = await lab.add('c', files);
        await lab.rest('c');
        return repository;
      }

      test('a stage is renamed in the own configuration', async () => {
        const c = await openWith(needing('s'));
        await assert.rejects(main('m', 't'), Refusal, 'nobody waits');
        await committed('c', c, needing('t'));
        assert.equal(outcomeOf('c'), 'refused');
        await assert.rejects(main('m', 'u'), Refusal, 'that would not fit either');
        await main('m', 't');
        await allPublished('c');
        assert.deepEqual(sources(), ['m of undefined', 'pc of c']);
        const { query } = lab.lab.configuration.database;
        const { reason } = await query
          .selectFrom('revisions')
          .select('reason')
          .where('reason', 'like', 'Together%')
          .executeTakeFirstOrThrow();
        assert.match(reason!, /^Together with the config repo c: .*c\.git at revision 2$/);
      });

      test('a large change takes along waiting repos, too', async () => {
        const c = await openWith(needing('s'));
        await committed('c', c, needing('t'));
        const document = (stage: string) => `<?xml version="1.0" encoding="utf-8"?>
<cruise schemaVersion="139"><pipelines group="g"><pipeline name="m"><materials><git url="u" /></materials>
<stage name="${stage}"><jobs><job name="j"><tasks><exec command="x" /></tasks></job></jobs></stage></pipeline></pipelines></cruise>`;
        await assert.rejects(lab.lab.configuration.save(document('u'), { mode: 'import' }), FileRefused);
        await lab.lab.configuration.save(document('t'), { mode: 'import' });
        await allPublished('c');
      });

      test('a pipeline that others need moves from the own configuration', async () => {
        await openWith(file('pc', 'm'));
        await lab.add('b', file('m'));
        await lab.rest('b');
        assert.equal(outcomeOf('b'), 'refused');
        await lab.lab.remove('pipelines', 'm');
        assert.deepEqual(sources(), ['m of b', 'pc of c']);
        await allPublished('b');
      });

      test('a dry run changes nothing, and definitions of a repo in force cannot be changed along', async () => {
        const c = await openWith(needing('s'));
        await committed('c', c, needing('t'));
        const { config, changes } = lab.lab.configuration;
        const { revision } = config;
        const { kind } = config.of('pipelines');
        const stages = [{ ...config.of('pipelines').find('m')!.value.stages![0]!, name: 't' }];
        const author = { actor: 'ada', token: null, address: null, reason: null };
        const rename = (draft: Draft) => draft.put(kind, 'm', { ...draft.find(kind, 'm')!.value, stages });
        await changes.apply(author, rename, { dryRun: true });
        const trying = async (draft: Draft) => {
          rename(draft);
          return draft;
        };
        const { edits } = await changes.applyLarge(author, trying, { dryRun: true });
        assert.deepEqual(
          edits.map(({ id }) => id),
          ['m', 'c', 'pc'],
        );
        const both = (draft: Draft) => {
          rename(draft);
          draft.remove(kind, 'pc');
        };
        await assert.rejects(changes.apply(author, both), /Can not operate on pipeline 'pc' as it is defined remotely/);
        await assert.rejects(
          changes.applyLarge(author, async (draft) => both(draft)),
          InvalidChange,
        );
        assert.equal(config.revision, revision);
        await changes.apply({ ...author, reason: 'a better name' }, rename);
        const { query } = lab.lab.configuration.database;
        const reasons = await query.selectFrom('revisions').select('reason').where('actor', '=', 'ada').execute();
        assert.match(reasons.at(-1)!.reason!, /^a better name \(Together with the config repo c: .*c\.git at revision 2\)$/);
      });
    });

    test('a repo that is broken for good is not tried along, nor keeps others from it', async (context) => {
      const { a, b, c } = await openThree();
      const together = context.mock.method(Publisher.prototype, 'publishTogether');
      await committed('b', b, { ...file('p'), ...file('pb', 'nowhere') });
      await lab.lab.put('pipelineGroups', { name: 'h' });
      await until('the next verdict', async () => !(await lab.cycles.isUpdating('b')));
      assert.equal(together.mock.callCount(), 0, 'nobody could help');
      await committed('c', c, file('pc', 'q'));
      await committed('a', a, { 'p.gocd.yaml': undefined, ...file('q') });
      await allPublished('a', 'c');
      assert.equal(outcomeOf('b'), 'refused');
      assert.ok(together.mock.callCount() <= 2, String(together.mock.callCount()));
    });
  });

  test('two repos that wait for each other come into force one after the other', async () => {
    await open();
    const one = await lab.add('one', { ...file('shared'), ...file('own') });
    await lab.rest('one');
    const two = await lab.add('two', { ...file('shared') });
    await lab.rest('two');
    assert.equal(outcomeOf('two'), 'refused');
    one.commit({ 'shared.gocd.yaml': undefined });
    await lab.update('one');
    await until('the move', async () => outcomeOf('two') === 'published');
    assert.equal(two.reads.length, 1);
    assert.deepEqual(pipelines(), ['own', 'shared']);
  });
});

test('a repo that was added while no server polled is polled when the server starts', async () => {
  const first = await CycleLab.open();
  await first.stop();
  await first.add('one', file('a'));
  lab = await CycleLab.open({}, first);
  await lab.start();
  await until('its pipeline', async () => pipelines().length === 1);
  await lab.rest('one');
  await first.lab.configuration.close();
});

test('a repo that was refused is tried again when the server starts, for its dependency may have come just before the stop', async () => {
  const first = await CycleLab.open();
  await first.add('c', file('pc', 'm'));
  await first.rest('c');
  await first.stop();
  await first.lab.put('pipelineGroups', { name: 'g' });
  await first.lab.put('pipelines', pipeline('m').body as JsonObject);
  lab = await CycleLab.open({}, first);
  await lab.start();
  assert.deepEqual([outcomeOf('c'), pipelines()], ['refused', ['m']]);
  await until('its pipeline', async () => outcomeOf('c') === 'published');
  await lab.rest('c');
  assert.deepEqual([pipelines(), lab.faults], [['m', 'pc'], []]);
  await first.lab.configuration.close();
});

test('the reason why a repo cannot be reached is noted once over restarts, and again on request', async () => {
  const first = await CycleLab.open();
  await first.addUnreachable('one', 'no route');
  await first.stop();
  lab = await CycleLab.open({}, first);
  await lab.start();
  await until('the poll', async () => lab.cycles.knownOf('one').pollFailure?.detail === 'no route');
  await lab.rest('one');
  assert.equal((await lab.parses('one')).length, 1);
  await lab.update('one');
  await until('the history', async () => (await lab.parses('one')).length === 2);
  await first.lab.configuration.close();
});
