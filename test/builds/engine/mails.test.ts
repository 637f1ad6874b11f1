// Mails about stages: to which users, about which results, one for each user and run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, addUser } from '../../support/requests/callers.ts';
import { headerOf, SmtpTestServer } from '../../support/services/smtp.ts';
import { until } from '../../support/until.ts';
import { BuildLab, git, stage } from './lab.ts';

const PATH = '/api/notification_filters';

test('each event is mailed to its subscribers, once, and only to committers where that is wanted', async (context) => {
  const smtp = await SmtpTestServer.start();
  context.after(() => smtp.stop());
  const lab = await BuildLab.forTest(context);
  const { server } = lab;
  const mailServer = { hostname: '127.0.0.1', port: smtp.port, sender_email: 'cd@example.org', admin_email: 'ops@example.org' };
  accepted(await server.put('/api/config/mailserver', mailServer, '*'));
  const wants = async (login: string, events: readonly string[], more: object = {}, aliases: readonly string[] = []) => {
    const as = await addUser(server, login);
    accepted(await server.patch(`/api/users/${login}`, { email: `${login}@example.org`, email_me: true, checkin_aliases: aliases }));
    for (const event of events)
      accepted(await server.post(PATH, { pipeline: 'mailed', stage: 'build', event, match_commits: false, ...more }, { as }));
  };
  const agent = await lab.agent();
  const origin = await lab.origin('mailed');
  await lab.pipeline('mailed', { materials: [git(origin)], stages: [stage()] });
  await wants('all', ['All']);
  await wants('two', ['Fails', 'Breaks']);
  await wants('fixed', ['Fixed']);
  await wants('passes', ['Passes']);
  await wants('cancelled', ['Cancelled']);
  await wants('author', ['All'], { match_commits: true }, ['Ann Other']);
  await wants('stranger', ['All'], { match_commits: true }, ['Bob']);
  await wants('elsewhere', ['All'], { pipeline: '[Any Pipeline]', stage: 'deploy' });
  await wants('blind', ['All']);
  const users = ['all', 'two', 'fixed', 'passes', 'cancelled', 'author', 'stranger', 'elsewhere'];
  const group = await server.get('/api/admin/pipeline_groups/builds');
  const authorization = { view: { users, roles: [] } };
  accepted(await server.put('/api/admin/pipeline_groups/builds', { name: 'builds', authorization }, group.etag));
  /** The users who get a mail about the next run. */
  const mailedUsers = async (counter: number, result: 'Passed' | 'Failed' | 'Cancelled') => {
    const before = smtp.received.length;
    if (counter > 1) await origin.commit(`change ${counter}`);
    await lab.poll('mailed');
    await lab.run('mailed', counter);
    if (result === 'Cancelled') await lab.engine.stages.cancelStage(await lab.stage('mailed', counter, 'build'), 'bob');
    else await agent.finishNext(result);
    await lab.result('mailed', counter, 'build');
    await until(
      'the mails',
      async () =>
        smtp.received.length > before &&
        (await lab.parts.database.query.selectFrom('outbox').selectAll().where('ended_at', 'is', null).execute()).length === 0,
    );
    return smtp.received
      .slice(before)
      .flatMap(({ to }) => to.map((address) => address.split('@')[0]))
      .toSorted();
  };
  assert.deepEqual(await mailedUsers(1, 'Passed'), ['all', 'author', 'passes']);
  const text = smtp.received[0]!.raw.replaceAll('=\r\n', ''); // lines that were too long
  assert.ok(text.includes(`\r\nGit: ${origin.path}\r\nrevision: ${await origin.tip()}, modified by Ann Other `), 'the change');
  assert.deepEqual(await mailedUsers(2, 'Failed'), ['all', 'author', 'two'], 'breaks');
  assert.deepEqual(await mailedUsers(3, 'Failed'), ['all', 'author', 'two'], 'fails');
  assert.deepEqual(await mailedUsers(4, 'Passed'), ['all', 'author', 'fixed'], 'fixed');
  assert.deepEqual(await mailedUsers(5, 'Cancelled'), ['all', 'author', 'cancelled']);
  assert.match(headerOf(smtp.received.at(-1)!.raw, 'Subject') ?? '', /mailed\/5\/build\/1/);
});
