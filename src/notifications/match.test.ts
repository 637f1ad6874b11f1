import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANY_PIPELINE, ANY_STAGE, EVENTS, type FilterContent } from './filters.ts';
import { type CompletedRun, eventOf, type FinishedStage, isBy, type MailRecipient, previousResult, recipientsOf } from './match.ts';

const RUN: FinishedStage = {
  pipeline: 'app',
  stage: 'build',
  event: 'Fails',
  commits: [{ userName: 'Bob <bob@x.com>', comment: 'Fix it' }],
};
const FILTER: FilterContent = { pipeline: 'app', stage: 'build', event: 'All', matchCommits: false };
const ANN: MailRecipient = { loginName: 'ann', enabled: true, email: 'ann@x.com', emailMe: true, checkinAliases: [], filters: [FILTER] };
const gets = (user: Partial<MailRecipient>, run: Partial<FinishedStage> = {}, mayView = true) =>
  recipientsOf({ ...RUN, ...run }, [{ ...ANN, ...user }], () => mayView).length === 1;
const filtered = (filter: Partial<FilterContent>, run: Partial<FinishedStage> = {}) => gets({ filters: [{ ...FILTER, ...filter }] }, run);

test('every pair of results has its one event', () => {
  const results = ['Passed', 'Failed', 'Cancelled'] as const;
  const table = results.map((current) => [...results, undefined].map((previous) => eventOf(current, previous)));
  assert.deepEqual(table, [
    ['Passes', 'Fixed', 'Passes', 'Passes'],
    ['Breaks', 'Fails', 'Fails', 'Fails'],
    ['Cancelled', 'Cancelled', 'Cancelled', 'Cancelled'],
  ]);
});

test('a filter fires on its own event only, or on all', () => {
  const events = ['Fails', 'Passes', 'Breaks', 'Fixed', 'Cancelled'] as const;
  for (const wanted of EVENTS) {
    for (const event of events)
      assert.equal(filtered({ event: wanted }, { event }), wanted === 'All' || wanted === event, `${wanted} ${event}`);
  }
});

test('pipeline and stage: as they are, letter case included, or any', () => {
  assert.ok(filtered({ pipeline: 'app', stage: 'build' }));
  assert.ok(!filtered({ pipeline: 'App' }));
  assert.ok(!filtered({ stage: 'Build' }));
  assert.ok(filtered({ pipeline: ANY_PIPELINE }));
  assert.ok(filtered({ stage: ANY_STAGE }));
  assert.ok(filtered({ pipeline: ANY_PIPELINE, stage: ANY_STAGE }, { pipeline: 'x', stage: 'y' }));
  assert.ok(!filtered({ pipeline: '[any pipeline]' }));
  assert.ok(!filtered({ pipeline: ANY_PIPELINE, stage: 'deploy' }));
});

test('a user who is disabled, wants no mail, has no address, no filter or no view right gets none', () => {
  assert.ok(gets({}));
  assert.ok(!gets({ enabled: false }));
  assert.ok(!gets({ emailMe: false }));
  assert.ok(!gets({ email: ' ' }));
  assert.ok(!gets({ filters: [] }));
  assert.ok(!gets({}, {}, false));
});

test('one mail for each user, however many filters match', () => {
  const two = { ...ANN, filters: [FILTER, { ...FILTER, pipeline: ANY_PIPELINE }] };
  const others = [
    { ...ANN, loginName: 'eve' },
    { ...ANN, loginName: 'mallory' },
  ];
  const found = recipientsOf(RUN, [two, ...others], (login) => login !== 'mallory');
  assert.deepEqual(
    found.map(({ loginName }) => loginName),
    ['ann', 'eve'],
  );
});

test('own commits only: some alias in the author or the comment of some change', () => {
  const mine = (checkinAliases: string[], commits = RUN.commits) =>
    gets({ checkinAliases, filters: [{ ...FILTER, matchCommits: true }] }, { commits });
  assert.ok(mine(['bob']));
  assert.ok(mine(['alice', 'bob@x.com']));
  assert.ok(!mine([]));
  assert.ok(!mine(['ann']), 'neither the login name nor the address counts by itself');
  assert.ok(!mine(['bob'], []));
  assert.ok(
    mine(
      ['bob'],
      [
        { userName: null, comment: null },
        { userName: 'eve', comment: 'pairing with bob' },
      ],
    ),
  );
  assert.ok(gets({ filters: [{ ...FILTER, matchCommits: true }, FILTER] }), 'another filter may want all');
});

test('an alias matches a whole word of the author, case included', () => {
  const found = (alias: string, userName: string) => isBy({ userName, comment: null }, [alias]);
  assert.ok(found('bob', 'Bob <bob@x.com>'));
  assert.ok(found('bob', 'xbobx'));
  assert.ok(!found('bob', 'bobby'));
  assert.ok(!found('bob', 'BOB'));
  assert.ok(found('a.b+c', 'a.b+c'));
  assert.ok(!found('a.b', 'axb'));
  assert.ok(!found(' ', 'a b'));
  assert.ok(found('<bob@x.com>', 'Bob <bob@x.com>'));
});

test('the previous result is that of the run completed before, and never that of the run itself', () => {
  const at = (id: number, minute: number, result: CompletedRun['result']) => ({
    id,
    completedAt: `2026-01-01T00:0${minute}:00.000Z`,
    result,
  });
  const runs = [at(1, 5, 'Failed'), at(2, 1, 'Passed'), at(3, 3, 'Cancelled'), at(4, 7, 'Passed')];
  assert.equal(previousResult(runs, at(4, 7, 'Passed')), 'Failed');
  assert.equal(previousResult(runs, at(9, 4, 'Passed')), 'Cancelled');
  assert.equal(previousResult(runs, at(2, 1, 'Passed')), undefined);
  assert.equal(previousResult([at(1, 1, 'Failed'), at(2, 1, 'Passed')], at(3, 1, 'Passed')), 'Passed');
});
