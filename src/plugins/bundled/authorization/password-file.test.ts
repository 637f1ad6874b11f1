// Checks the password file plugin on files in a folder of its own.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { passwordFile } from './password-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-password-file-'));
const host = { directory };
const settingsFor = (path: string): ReadonlyMap<string, string> => new Map([['PasswordFilePath', path]]);
const settings = settingsFor('users');

const BCRYPT = '$2y$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2';
const SHA1 = '{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=';
const PASSWORD = 'correct horse';

writeFileSync(
  join(directory, 'users'),
  `# people\n\nAlice:${BCRYPT}\r\nbob:${SHA1}\n  #carol:${SHA1}\nno colon here\n:${SHA1}\nbroken:$2y$99$x\nempty:\nZoë:${BCRYPT}\n`,
);
writeFileSync(join(directory, 'twice'), `ann:{SHA}wrong\nANN:${SHA1}\n`);
writeFileSync(join(directory, 'huge'), 'x'.repeat(6 * 1024 * 1024));
mkdirSync(join(directory, 'folder'));

after(() => rmSync(directory, { recursive: true }));

describe('authenticate', () => {
  test('finds users in any letter case, and names them as the file does', async () => {
    const alice = { loginName: 'Alice', displayName: 'Alice', email: undefined };
    assert.deepEqual(await passwordFile.authenticate('Alice', PASSWORD, settings, host), alice);
    assert.deepEqual(await passwordFile.authenticate('aLICE', PASSWORD, settings, host), alice);
    assert.equal((await passwordFile.authenticate('zoË', PASSWORD, settings, host))?.loginName, 'Zoë');
    assert.equal((await passwordFile.authenticate('zoe\u0308', PASSWORD, settings, host))?.loginName, 'Zoë');
    assert.equal((await passwordFile.authenticate('bob', PASSWORD, settings, host))?.loginName, 'bob');
  });

  for (const login of ['nobody', 'carol', '#carol', 'broken', 'empty', '', 'no colon here', 'alice ']) {
    test(`does not let in ${JSON.stringify(login)}`, async () => {
      assert.equal(await passwordFile.authenticate(login, PASSWORD, settings, host), undefined);
      assert.equal(await passwordFile.authenticate(login, '', settings, host), undefined);
    });
  }

  test('a wrong password is refused', async () => {
    assert.equal(await passwordFile.authenticate('alice', 'wrong', settings, host), undefined);
    assert.equal(await passwordFile.authenticate('bob', '', settings, host), undefined);
  });

  test('the last line of a user counts', async () => {
    assert.equal((await passwordFile.authenticate('ann', PASSWORD, settingsFor('twice'), host))?.loginName, 'ANN');
  });

  // The cost 12 line takes far longer than the limit on any machine; the weak lines alone take next to nothing.
  for (const login of ['stranger', 'slow', 'weak', 'sha', 'broken', 'derived']) {
    test(`a failed login of ${login} takes as long as the most expensive hash`, async () => {
      writeFileSync(
        join(directory, 'mixed'),
        [
          'slow:$2b$12$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2',
          `weak:${BCRYPT}`,
          `sha:${SHA1}`,
          'broken:$2y$99$x',
          'derived:$PBKDF2WithHmacSHA1$10$160$somesalt$4543ddcac5ce30174fa7916b18cbc4573b5f4bb7',
        ].join('\n'),
      );
      const start = performance.now();
      await passwordFile.authenticate(login, 'wrong', settingsFor('mixed'), host);
      assert.ok(performance.now() - start > 50, 'the answer came at once');
    });
  }

  test('a failed login takes its time also where the file has no slow hash, or no line at all', async () => {
    writeFileSync(join(directory, 'quick'), `sha:${SHA1}\n`);
    writeFileSync(join(directory, 'nobody'), '');
    for (const [file, login] of [
      ['quick', 'sha'],
      ['quick', 'stranger'],
      ['nobody', 'stranger'],
    ] as const) {
      const start = performance.now();
      await passwordFile.authenticate(login, 'wrong', settingsFor(file), host);
      assert.ok(performance.now() - start > 15, `the answer about ${login} in ${file} came at once`);
    }
  });

  test('reads the file anew each time, by an absolute path too', async () => {
    const path = join(directory, 'changing');
    writeFileSync(path, `dan:${SHA1}\n`);
    assert.ok(await passwordFile.authenticate('dan', PASSWORD, settingsFor(path), host));
    writeFileSync(path, '');
    assert.equal(await passwordFile.authenticate('dan', PASSWORD, settingsFor(path), host), undefined);
  });

  test('a file that cannot be used is reported', async () => {
    const attempt = (path: string): Promise<unknown> => passwordFile.authenticate('alice', PASSWORD, settingsFor(path), host);
    await assert.rejects(attempt('missing'), { message: 'No password file at path `missing`.' });
    await assert.rejects(attempt('users/below'), { message: 'No password file at path `users/below`.' });
    await assert.rejects(attempt('folder'), { message: 'Password file path `folder` is not a normal file.' });
    await assert.rejects(attempt('huge'), /larger than 5242880 bytes/);
  });
});

test('isUser knows the users of the file', async () => {
  assert.equal(await passwordFile.isUser('ALICE', settings, host), true);
  assert.equal(await passwordFile.isUser('nobody', settings, host), false);
});

test('search finds parts of names', async () => {
  const names = (await passwordFile.search('O', settings, host)).map((user) => user.loginName);
  assert.deepEqual(names, ['bob', 'broken', 'Zoë']);
});

test('verifyConnection looks at the file', async () => {
  assert.deepEqual(await passwordFile.verifyConnection(settings, host), { ok: true });
  const result = await passwordFile.verifyConnection(settingsFor('missing'), host);
  assert.deepEqual(result, { ok: false, reason: 'No password file at path `missing`.' });
  assert.deepEqual(await passwordFile.verifyConnection(settingsFor('folder'), host), {
    ok: false,
    reason: 'Password file path `folder` is not a normal file.',
  });
});

describe('warnings', () => {
  const lines = (...logins: readonly string[]) => logins.map((login) => `${login}:${SHA1}`).join('\n');

  test('name the users with a weak hash, and say how to make a better one', async () => {
    const strong = '$2y$10$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2';
    writeFileSync(join(directory, 'weak'), `sha:${SHA1}\nstrong:${strong}\nlow:${BCRYPT}\nbroken:$2y$99$x\n`);
    assert.deepEqual(await passwordFile.warnings?.(settingsFor('weak'), host), [
      {
        message: 'Password file `weak` has weak hashes',
        detail:
          'An attacker who gets hold of the file can guess the passwords of: sha, low. Set each of them again with: htpasswd -B -C 10 weak LOGIN',
      },
    ]);
    writeFileSync(join(directory, 'weak'), `strong:${strong}\n`);
    assert.deepEqual(await passwordFile.warnings?.(settingsFor('weak'), host), []);
  });

  test('name the lines whose login names are not allowed; no user can log in with them', async () => {
    writeFileSync(
      join(directory, 'odd'),
      `# first\nbob\u200b:${SHA1}\nbob:$2y$10$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2\n${'x'.repeat(256)}:${SHA1}\n`,
    );
    assert.deepEqual(await passwordFile.warnings?.(settingsFor('odd'), host), [
      {
        message: 'Password file `odd` has lines that are ignored',
        detail: 'Their login names are too long, or hold control characters or invisible ones. Correct the lines: 2, 4.',
      },
    ]);
    assert.equal(await passwordFile.authenticate('bob\u200b', PASSWORD, settingsFor('odd'), host), undefined);
  });

  test('name so many, and count the rest', async () => {
    writeFileSync(join(directory, 'many'), lines(...Array.from({ length: 25 }, (_, index) => `user${index}`)));
    const [warning] = (await passwordFile.warnings?.(settingsFor('many'), host)) ?? [];
    assert.match(warning?.detail ?? '', /user19 and 5 more\./);
  });
});

test('freshness changes with the file, soon after it', async () => {
  const path = join(directory, 'fresh');
  const values = [passwordFile.freshness?.(settingsFor('fresh'), host)];
  for (const content of ['one', 'two', 'three']) {
    writeFileSync(path, content);
    await sleep(60);
    values.push(passwordFile.freshness?.(settingsFor('fresh'), host));
  }
  assert.equal(new Set(values).size, 4);
  assert.equal(passwordFile.freshness?.(settingsFor('fresh'), host), values[3]);
});
