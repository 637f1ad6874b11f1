import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateText } from './date-text.ts';
import { type MaterialChange, type StageRunFacts, stageMail } from './stage-mail.ts';
import { stageMails } from './stage-mails.ts';

const AT = '2015-07-01T05:20:05.000Z';
const GIT: MaterialChange = {
  kind: 'scm',
  type: 'git',
  location: 'https://bob:******@x.com/a.git',
  revision: 'deadbeef',
  userName: 'Bob <bob@x.com>',
  at: AT,
  comment: 'Fix <it>\n\nfor good',
  files: [
    { action: 'modified', name: 'src/a.c' },
    { action: 'added', name: 'src/b.c' },
  ],
};
const RUN: StageRunFacts = {
  pipeline: 'app',
  pipelineCounter: 7,
  stage: 'build',
  stageCounter: 2,
  event: 'Breaks',
  cancelledBy: null,
  changes: [GIT, { kind: 'dependency', pipeline: 'lib', stage: 'test', revision: 'lib/3/test/1', at: AT }],
};
const FACTS = { siteUrl: 'https://cd.example.org/cd', loginName: 'ann', timeZone: 'UTC' };

test('the mail has the subject and the body of GoCD', () => {
  const { subject, text, html } = stageMail(RUN, FACTS);
  assert.equal(subject, 'Stage [app/7/build/2] is broken');
  assert.equal(
    text,
    `See details: https://cd.example.org/cd/pipelines/app/7/build/2

-- CHANGES --

Git: https://bob:******@x.com/a.git
revision: deadbeef, modified by Bob <bob@x.com> on Wed Jul 01 05:20:05 UTC 2015
Fix <it>

for good
modified src/a.c
added src/b.c

Dependency: lib/test
revision: lib/3/test/1, completed on Wed Jul 01 05:20:05 UTC 2015

Sent by Slipway on behalf of ann
`,
  );
  assert.ok(html.includes('Fix &lt;it&gt;') && !html.includes('<it>'));
  assert.ok(html.includes('href="https://cd.example.org/cd/pipelines/app/7/build/2"'));
});

test('the words of each event, and the user who cancelled it', () => {
  const subject = (event: StageRunFacts['event']) => stageMail({ ...RUN, event }, FACTS).subject.split('] ')[1];
  assert.deepEqual((['Fails', 'Passes', 'Breaks', 'Fixed', 'Cancelled'] as const).map(subject), [
    'failed',
    'passed',
    'is broken',
    'is fixed',
    'is cancelled',
  ]);
  const cancelled = stageMail({ ...RUN, event: 'Cancelled', cancelledBy: 'eve' }, FACTS).text;
  assert.ok(cancelled.startsWith('The stage was cancelled by eve.\nSee details: '));
  assert.ok(stageMail({ ...RUN, event: 'Fails', cancelledBy: 'eve' }, FACTS).text.startsWith('See details: '));
});

test('the mail lists changes of packages, plugins and other repositories', () => {
  const scm = (type: 'svn' | 'hg' | 'p4' | 'tfs'): MaterialChange => ({ ...GIT, type, comment: null, files: [], userName: null });
  const changes: MaterialChange[] = [
    { kind: 'package', name: 'repo:apt', revision: 'apt-1.2', at: AT },
    { kind: 'plugin', pluginName: 'GitHub', name: 'pr', revision: 'r1', at: AT, comment: 'PR 5' },
    ...(['svn', 'hg', 'p4', 'tfs'] as const).map(scm),
  ];
  const blocks = stageMail({ ...RUN, changes }, FACTS)
    .text.split('\n\n')
    .slice(2, -1);
  const date = 'Wed Jul 01 05:20:05 UTC 2015';
  assert.equal(blocks[0], `Package : repo:apt\nrevision: apt-1.2, completed on ${date}`);
  assert.equal(blocks[1], `GitHub : pr\nrevision: r1, completed on ${date}\nPR 5`);
  assert.deepEqual(
    blocks.slice(2).map((block) => block.split(':')[0]),
    ['Subversion', 'Mercurial', 'Perforce', 'Tfs'],
  );
});

test('thousands of changes are cut short', () => {
  const changes = Array.from({ length: 5_000 }, () => GIT);
  const { text } = stageMail({ ...RUN, changes }, FACTS);
  assert.ok(text.length < 120_000);
  assert.match(text, /… and \d+ more\n\nSent by/);
  const one = stageMail({ ...RUN, changes: [{ ...GIT, comment: 'x'.repeat(1_000_000) }] }, FACTS);
  assert.ok(one.text.length < 12_000 && one.text.includes('xxx…\n\nSent by'));
});

test('a mail for each recipient', () => {
  const filters = [{ pipeline: 'app', stage: 'build', event: 'Breaks' as const, matchCommits: true }];
  const user = (loginName: string, checkinAliases: string[]) => ({
    loginName,
    enabled: true,
    email: ` ${loginName}@x.com`,
    emailMe: true,
    checkinAliases,
    filters,
  });
  const mails = stageMails(RUN, { users: [user('bob', ['bob']), user('ann', ['ann'])], mayView: () => true, siteUrl: 'http://cd' });
  assert.deepEqual(
    mails.map(({ to }) => to),
    ['bob@x.com'],
  );
  assert.match(mails[0]!.text, /on behalf of bob\n$/);
});

test('dates are written in the given time zone', () => {
  assert.equal(dateText('2026-01-15T23:00:00Z', 'America/New_York'), 'Thu Jan 15 18:00:00 EST 2026');
  assert.equal(dateText('2026-01-15T00:00:00Z', 'UTC'), 'Thu Jan 15 00:00:00 UTC 2026');
});
