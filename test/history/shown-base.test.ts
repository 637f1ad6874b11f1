// The version that a client started from, where its ETag covers the parts of an environment that config repos define.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Draft } from '../../src/config/draft.ts';
import { presentedEtag } from '../../src/config/presentation.ts';
import { explain } from '../../src/history/conflict/explain.ts';
import { findShownBase } from '../../src/history/conflict/shown-base.ts';
import { RevisionLog } from '../../src/store/revisions/revision-log.ts';
import { environment, RepoLab } from '../config-repos/support.ts';

let lab: RepoLab;
beforeEach(async () => {
  lab = await RepoLab.open();
  await lab.addRepo('ra');
  await lab.put('environments', { name: 'qa', environment_variables: variables({ OWN: '1' }) });
});
afterEach(() => lab.configuration.close());

const variables = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value, secure: false }));
const publish = (revision: string, values: Readonly<Record<string, string>> | undefined) =>
  lab.publish('ra', { revision, environments: values ? [environment('qa', { environment_variables: variables(values) })] : [] });
const kind = () => lab.configuration.config.kind('environments');

function tagNow(): string {
  const { config } = lab.configuration;
  return presentedEtag(kind(), config.of('environments').find('qa')!, new Draft(config).ruleView);
}

function find(etag: string) {
  const { config, database } = lab.configuration;
  return findShownBase(new RevisionLog(database.query), config, kind(), 'qa', (one) => one === etag);
}

test('a base is found by its ETag, and later publications are shown as changes', async () => {
  const { config } = lab.configuration;
  await publish('1', { THEIRS: 'old' });
  const [tag, then] = [tagNow(), config.revision];
  await lab.put('environments', { name: 'other' });
  await publish('2', { THEIRS: 'new' });
  const published = config.revision;
  const base = await find(tag);
  assert.equal(base.revision, then);
  assert.deepEqual(
    base.since.map(({ revision, operation }) => [revision, operation]),
    [[published, 'update']],
  );
  const now = config.of('environments').find('qa')!.value;
  const { theirs, yours, can_be_merged } = await explain({ kind: kind(), base, yours: now, now, ruleView: new Draft(config).ruleView });
  assert.deepEqual(
    (theirs as { words: string }[]).map(({ words }) => words),
    ["environment variable 'THEIRS', value changed from 'old' to 'new'"],
  );
  assert.deepEqual([yours, can_be_merged], [[], true]);
});

test('a base is found from before a part came, after it went, and after a change of the environment', async () => {
  const { config } = lab.configuration;
  const [before, created] = [tagNow(), config.revision];
  await publish('1', { THEIRS: 'old' });
  const [united, published] = [tagNow(), config.revision];
  await lab.put('environments', { name: 'qa', environment_variables: variables({ OWN: '2' }) });
  await publish('2', undefined);
  assert.equal((await find(united)).revision, published);
  const { revision, since, value } = await find(before);
  assert.deepEqual([revision, since.length], [created, 3]);
  assert.deepEqual(
    value?.environmentVariables,
    variables({ OWN: '1' }).map(({ name, value: text }) => ({ name, value: text })),
  );
});

test('an unknown base is not found, and only the last change is shown', async () => {
  await publish('1', { THEIRS: 'old' });
  assert.deepEqual(
    { ...(await find('made-up')), since: (await find('made-up')).since.map(({ revision }) => revision) },
    { value: undefined, revision: undefined, since: [lab.configuration.config.revision] },
  );
});
