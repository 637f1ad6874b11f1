// The logic of the pages of operations: which entries are shown, and the texts about them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Backup, hasFolder, outcomeOf, percentOf, restoreCommand } from '../../../pages/backup/backup.ts';
import { aboutText, choicesWith, firstPage, type ServerEvent } from '../../../pages/events/event.ts';
import { matchesSearch, shellQuote, splitNames } from '../../../pages/kit/text/text.ts';
import { bodyOf as maintenanceBody, materialTitle } from '../../../pages/maintenance/maintenance.ts';
import { ANY_PIPELINE, ANY_STAGE, scopeText } from '../../../pages/notifications/notification.ts';
import { browserName } from '../../../pages/tokens/browser-name.ts';
import { filterOf, shownTokens, type Token } from '../../../pages/tokens/token.ts';
import { emptyFields, tokenRequest } from '../../../pages/tokens/token-request.ts';
import { countsText, shownUsers, type User } from '../../../pages/users/user.ts';
import { bodyOf, queueText, type Webhook, wantsText } from '../../../pages/webhooks/webhook.ts';

describe('texts', () => {
  it('are found by all words, in any letter case', () => {
    assert.ok(matchesSearch('Nightly build of Web', 'web night'));
    assert.ok(matchesSearch('anything', ' '));
    assert.ok(!matchesSearch('nightly build', 'nightly test'));
  });

  it('are quoted as one word for a shell', () => {
    assert.equal(shellQuote('/var/lib/backup_1'), '/var/lib/backup_1');
    assert.equal(shellQuote("it's $HOME"), "'it'\\''s $HOME'");
    assert.equal(shellQuote(''), "''");
  });

  it('are split into names at commas, each name once', () => assert.deepEqual(splitNames(' a, b,,a '), ['a', 'b']));
});

it('a new token is requested with the limits that were filled in, and no others', () => {
  assert.deepEqual(tokenRequest({ ...emptyFields(), description: 'plain' }, 0), { description: 'plain' });
  const fields = {
    description: 'tight',
    days: '7',
    scopes: ' agents:view:*\n\npipelines:view:a, pipelines:view:b',
    addresses: '10.0.0.0/8',
  };
  assert.deepEqual(tokenRequest(fields, Date.parse('2030-01-01T00:00:00Z')), {
    description: 'tight',
    expires_at: '2030-01-08T00:00:00.000Z',
    scopes: ['agents:view:*', 'pipelines:view:a', 'pipelines:view:b'],
    allowed_addresses: ['10.0.0.0/8'],
  });
});

describe('access tokens', () => {
  const token = (id: number, more: Partial<Token> = {}): Token => ({
    id,
    description: `token ${id}`,
    username: 'jez',
    revoked: false,
    revoke_cause: null,
    revoked_by: null,
    revoked_at: null,
    created_at: '2026-01-31T09:30:00Z',
    last_used_at: null,
    ...more,
  });
  const tokens = [token(1, { revoked: true, revoke_cause: 'leaked' }), token(2), token(3, { username: 'ada' })];
  const idsOf = (shown: readonly Token[]) => shown.map(({ id }) => id);

  it('are shown newest first, by state and by words', () => {
    assert.deepEqual(idsOf(shownTokens(tokens, 'active', '')), [3, 2]);
    assert.deepEqual(idsOf(shownTokens(tokens, 'revoked', '')), [1]);
    assert.deepEqual(idsOf(shownTokens(tokens, 'all', 'jez')), [2, 1]);
    assert.deepEqual(idsOf(shownTokens(tokens, 'all', 'LEAKED')), [1]);
    const limited = token(4, { scopes: ['agents:view:*'], expires_at: '2030-01-01T00:00:00Z' });
    assert.deepEqual(idsOf(shownTokens([limited], 'all', 'agents:view')), [4]);
    assert.deepEqual(idsOf(shownTokens([limited], 'active', '', Date.parse('2029-12-31T00:00:00Z'))), [4]);
    assert.deepEqual(idsOf(shownTokens([limited], 'active', '', Date.parse('2030-01-01T00:00:00Z'))), []);
    assert.equal(filterOf('nonsense'), 'active');
  });

  it('stand beside sessions, which name their browser in a few words', () => {
    const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    assert.equal(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox 140 on Linux');
    assert.equal(browserName(chrome), 'Chrome 140 on Windows');
    assert.equal(browserName(`${chrome} Edg/140.0`), 'Edge 140 on Windows');
    assert.equal(
      browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605 (KHTML) Version/18.5 Mobile/15E148 Safari/604.1'),
      'Safari 18 on iOS',
    );
    assert.equal(browserName('curl/8'), 'curl/8');
    assert.equal(browserName(''), 'an unknown browser');
  });
});

it('users are shown by state, words and roles', () => {
  const user = (login_name: string, more: Partial<User> = {}): User => ({
    login_name,
    display_name: login_name,
    enabled: true,
    email: '',
    email_me: false,
    checkin_aliases: [],
    is_admin: false,
    roles: [],
    ...more,
  });
  const users = [user('ada', { is_admin: true }), user('jez', { enabled: false }), user('kim', { roles: [{ name: 'ops', type: 'svc' }] })];
  const namesOf = (shown: readonly User[]) => shown.map(({ login_name }) => login_name);
  assert.deepEqual(namesOf(shownUsers(users, 'all', '')), ['ada', 'jez', 'kim']);
  assert.deepEqual(namesOf(shownUsers(users, 'admins', '')), ['ada']);
  assert.deepEqual(namesOf(shownUsers(users, 'disabled', '')), ['jez']);
  assert.deepEqual(namesOf(shownUsers(users, 'enabled', 'ops')), ['kim']);
  assert.equal(countsText(users), '3 users, 1 disabled');
});

describe('a backup', () => {
  const made: Backup = {
    id: 1,
    time: '2026-01-31T09:30:00Z',
    path: '/data/artifacts/serverBackups/backup_1',
    status: 'COMPLETED',
    message: 'Backup was generated successfully.',
    progress_status: 'POST_BACKUP_SCRIPT_COMPLETE',
    user: { _links: {}, login_name: 'admin' },
    initiated_via: 'USER',
    ended_at: '2026-01-31T09:30:02Z',
    bytes: 1000,
    verified: true,
    verification: null,
    phases: [],
    script: null,
    copy: null,
    removed_at: null,
  };

  it('has its outcome in a word', () => {
    assert.equal(outcomeOf(made).word, 'verified');
    assert.equal(outcomeOf({ ...made, verified: null }).word, 'not verified');
    assert.equal(outcomeOf({ ...made, removed_at: made.time }).word, 'removed');
    assert.equal(outcomeOf({ ...made, status: 'ERROR' }).word, 'failed');
    assert.equal(outcomeOf({ ...made, status: 'IN_PROGRESS' }).word, 'under way');
  });

  it('can be restored when its folder is there', () => {
    assert.ok(hasFolder(made));
    assert.ok(!hasFolder({ ...made, removed_at: made.time }));
    assert.ok(!hasFolder({ ...made, bytes: null }));
    assert.match(
      restoreCommand(made),
      /^npm run slipway -- restore \/data\/artifacts\/serverBackups\/backup_1 --data-dir \.\/data --plan$/m,
    );
    assert.match(restoreCommand({ path: '/my data/b' }), /restore '\/my data\/b' --data-dir/);
  });

  it('says its progress in percent, where it is known', () => {
    const phase = { name: 'database', seconds: 1, bytes: 50, total_bytes: 200 };
    assert.equal(percentOf(phase), 25);
    assert.equal(percentOf({ ...phase, total_bytes: 0 }), undefined);
    assert.equal(percentOf({ ...phase, bytes: 300 }), 100);
  });
});

it('maintenance mode is requested with the typed values, and nothing else', () => {
  assert.deepEqual(maintenanceBody({ reason: ' ', minutes: '', survivesRestart: false }), { survive_restart: false });
  assert.deepEqual(maintenanceBody({ reason: 'disk', minutes: '60', survivesRestart: true }), {
    reason: 'disk',
    minutes: 60,
    survive_restart: true,
  });
  assert.deepEqual(maintenanceBody({ reason: '', minutes: 'an hour', survivesRestart: false }), {
    minutes: 'an hour',
    survive_restart: false,
  });
  assert.equal(
    materialTitle({ type: 'git', attributes: { name: null, url: 'https://x/y.git' }, mdu_start_time: '' }),
    'git https://x/y.git',
  );
});

describe('events', () => {
  const event: ServerEvent = {
    number: 7,
    time: '2026-01-31T09:30:00Z',
    type: 'configuration.changed',
    actor: 'jez',
    about: [
      { resource: 'environments', id: 'staging', operation: 'update' },
      { resource: 'mailserver', id: '' },
    ],
    data: {},
    previous_hash: '',
    hash: 'abc',
  };

  it('name their subjects in a line', () => {
    assert.equal(aboutText(event), 'update environments staging, mailserver');
    assert.match(aboutText({ ...event, about: Array.from({ length: 9 }, () => ({ resource: 'users', id: 'a' })) }), /, 6 more$/);
  });

  it('are requested by the chosen filter', () => {
    assert.equal(firstPage({ type: '', actor: 'jez', resource: '', id: 'a b' }), '/api/admin/events?actor=jez&id=a+b&page_size=100');
    assert.equal(choicesWith('backup.ended')['backup.ended'], 'backup.ended');
    assert.ok(!('backup.ended' in choicesWith('backup.*')));
  });
});

describe('a webhook', () => {
  const hook: Webhook = {
    id: 'chat',
    url: 'https://chat.example.org/hook',
    encrypted_secret: 'AES:…',
    filter: { types: ['backup.*', 'login.failed'], actors: [], resources: [], ids: ['a'] },
    enabled: true,
  };
  const queue = { position: 1, behind: 0, uncounted: 0, failures: 0, failing_since: null, last_error: null, delivered_at: null };

  it('is sent without the members that only answers have', () => {
    const answer = { ...hook, _links: {} };
    assert.deepEqual(bodyOf(answer), hook);
  });

  it('shows its filter and the state of its queue', () => {
    assert.equal(wantsText(hook), 'types: backup.*, login.failed; ids: a');
    assert.equal(wantsText({ ...hook, filter: { types: [], actors: [], resources: [], ids: [] } }), 'all events');
    assert.equal(queueText(queue), 'all delivered');
    assert.equal(queueText({ ...queue, behind: 1, failures: 2 }), 'failing: 2 tries in a row, 1 event waiting');
    assert.equal(queueText({ ...queue, behind: 5, uncounted: 9 }), '5 events and up to 9 more waiting');
  });
});

it('a notification filter names its stages', () => {
  const filter = { pipeline: ANY_PIPELINE, stage: ANY_STAGE, event: 'Breaks', match_commits: true } as const;
  assert.equal(scopeText(filter), 'any stage of any pipeline');
  assert.equal(scopeText({ ...filter, pipeline: 'web' }), 'any stage of web');
  assert.equal(scopeText({ ...filter, pipeline: 'web', stage: 'test' }), 'stage test of web');
});
