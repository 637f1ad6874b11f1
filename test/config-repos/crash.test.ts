// The process may end at any moment of the cycle: the next one goes on from the state on disk, with the same result.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { yaml } from './support/config-repo-server.ts';
import { CycleLab } from './support/cycle-lab.ts';

type Push = Readonly<Record<string, string | undefined>>;

/** A file without a version, which takes that of others; only in old versions a job without tasks is given one. */
const UNVERSIONED = [
  'pipelines:',
  '  b: {group: g, materials: {me: {type: configrepo}}, stages: [{s: {jobs: {j: {tasks: []}}}}]}',
  '',
].join('\n');
const FIRST: Record<string, string> = {
  'a.gocd.yaml': yaml('g', { a: undefined }),
  'b.gocd.yaml': UNVERSIONED,
  'c.gocd.yaml': yaml('g', { c: 'b' }),
};
const OF_FIRST = ['a in g', 'b in g on main with 1', 'c in g'];
const SECOND: Push = {
  'a.gocd.yaml': yaml('g', { a: undefined, d: 'a' }),
  'b.gocd.yaml': UNVERSIONED.replace('group: g', 'group: h'),
  'c.gocd.yaml': undefined,
};
const NEWER = Object.fromEntries(['a.gocd.yaml', 'c.gocd.yaml'].map((path) => [path, FIRST[path]!.replace('10', '11')]));
const BROKEN: Push = { 'a.gocd.yaml': 'pipelines: [' };

interface Story {
  /** The work that the process was doing when it ended. */
  readonly before: (lab: CycleLab) => unknown;
  /** Changes until the next process begins to work. */
  readonly meanwhile?: (lab: CycleLab) => unknown;
  readonly expected: readonly string[];
  readonly isBroken?: boolean;
}

const push = (files: Push) => (lab: CycleLab) => lab.repositories.get('one')!.commit(files);
const branch = (name: string) => (lab: CycleLab) => lab.lab.addRepo('one', undefined, name);

const STORIES: Readonly<Record<string, Story>> = {
  'a push': { before: push(SECOND), expected: ['a in g', 'b in h on main with 1', 'd in g'] },
  'a push that is taken back meanwhile': { before: push(SECOND), meanwhile: push(FIRST), expected: OF_FIRST },
  'a push that changes what an untouched file means': { before: push(NEWER), expected: ['a in g', 'b in g on main with 0', 'c in g'] },
  'such a push that is taken back meanwhile': { before: push(NEWER), meanwhile: push(FIRST), expected: OF_FIRST },
  'a broken push': { before: push(BROKEN), expected: OF_FIRST, isBroken: true },
  'a broken push that is repaired meanwhile': {
    before: push(BROKEN),
    meanwhile: push({ 'a.gocd.yaml': yaml('k', { a: undefined }) }),
    expected: ['a in k', ...OF_FIRST.slice(1)],
  },
  'a change of the repo itself': { before: branch('other'), expected: ['a in g', 'b in g on other with 1', 'c in g'] },
  'a change of the repo that is taken back meanwhile': { before: branch('other'), meanwhile: branch('main'), expected: OF_FIRST },
};
/** More than a run makes. */
const MAX_WRITES = 6;

interface Defined {
  readonly name: string;
  readonly group: string;
  readonly materials: readonly { readonly attributes: { readonly branch?: string } }[];
  readonly stages: readonly { readonly jobs: readonly { readonly tasks: readonly unknown[] }[] }[];
}

function inForce({ lab }: CycleLab): string[] {
  const pipelines = [...lab.configuration.config.of('pipelines').all()].map(({ value }) => value as unknown as Defined);
  const about = ({ name, group, materials: [material], stages: [stage] }: Defined) =>
    name === 'b' ? `b in ${group} on ${material!.attributes.branch} with ${stage!.jobs[0]!.tasks.length}` : `${name} in ${group}`;
  return pipelines.map(about).toSorted();
}

/** Whether the process ended before all was done. */
async function runUntil(write: number, { before }: Story): Promise<{ first: CycleLab; hasEnded: boolean }> {
  const first = await CycleLab.open();
  await first.add('one', FIRST);
  await first.rest('one');
  assert.deepEqual(inForce(first), OF_FIRST);
  await before(first);
  first.endAtWrite(write);
  await first.update('one');
  await first.rest('one');
  const hasEnded = first.faults.length > 0;
  await first.stop();
  return { first, hasEnded };
}

for (const [name, story] of Object.entries(STORIES)) {
  test(`the process ends during ${name}, at each of its writes`, async () => {
    let ends = 0;
    for (let write = 1; write <= MAX_WRITES; write++) {
      const { first, hasEnded } = await runUntil(write, story);
      if (hasEnded) ends++;
      const second = await CycleLab.open({}, first);
      await story.meanwhile?.(second);
      await second.start();
      await second.rest('one');
      assert.deepEqual(inForce(second), story.expected, `write ${write}`);
      assert.equal(second.cycles.knownOf('one').known?.outcome, story.isBroken ? 'unparsed' : 'published');

      // The stored state of the files matches their contents, so a push that touches one file reads one file, with the right result.
      const repository = second.repositories.get('one')!;
      const reads = repository.reads.length;
      const version = repository.revisions.at(-1)!['c.gocd.yaml']?.includes('11') ? '11' : '10';
      repository.commit({ 'a.gocd.yaml': yaml('z', { a: undefined }).replace('10', version) });
      await second.update('one');
      assert.deepEqual(repository.reads.slice(reads), ['a.gocd.yaml']);
      assert.ok(inForce(second).includes('a in z'));
      assert.deepEqual(second.faults, []);
      await second.stop();
      await second.lab.configuration.close();
      await first.lab.configuration.close();
    }
    assert.ok(ends >= 2 && ends < MAX_WRITES, `${ends} ends`);
  });
}

describe('a restart', () => {
  test('reads, parses and publishes nothing again when nothing has changed', async () => {
    const first = await CycleLab.open();
    const repository = await first.add('one', FIRST);
    await first.rest('one');
    await first.stop();
    const { revision } = first.lab.configuration.config;
    const reads = repository.reads.length;
    const second = await CycleLab.open({}, first);
    assert.deepEqual(inForce(second), OF_FIRST, 'before anything is begun');
    await second.start();
    await second.rest('one');
    await second.update('one');
    assert.equal(repository.reads.length, reads);
    assert.equal(second.lab.configuration.config.revision, revision);
    assert.equal((await second.parses('one')).length, 1);
    await second.stop();
    for (const { lab } of [second, first]) await lab.configuration.close();
  });

  test('shows the same health messages again', async () => {
    const first = await CycleLab.open();
    await first.add('one', BROKEN as Record<string, string>);
    await first.rest('one');
    const reported = first.health.all().map(({ message, detail }) => ({ message, detail }));
    await first.stop();
    const second = await CycleLab.open({}, first);
    await second.cycles.start();
    assert.deepEqual(
      second.health.all().map(({ message, detail }) => ({ message, detail })),
      reported,
    );
    assert.equal(second.health.all().length, 1);
    await second.stop();
    for (const { lab } of [second, first]) await lab.configuration.close();
  });

  test('removes the data of a deleted repo', async () => {
    const first = await CycleLab.open();
    await first.add('one', FIRST);
    await first.rest('one');
    // The deletion itself is on disk, the removal of its data is not.
    first.endAtWrite(2);
    await first.lab.remove('configRepos', 'one');
    await first.stop();
    assert.equal((await first.onDisk('one')).files.length, 3);
    const second = await CycleLab.open({}, first);
    await second.start();
    assert.deepEqual(await second.onDisk('one'), { files: [], state: undefined });
    assert.deepEqual(await second.parses('one'), []);
    await second.stop();
    for (const { lab } of [second, first]) await lab.configuration.close();
  });
});
