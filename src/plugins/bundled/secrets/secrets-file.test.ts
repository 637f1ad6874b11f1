// Tests the plugin that looks secrets up in a file.
import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { testSettings } from '../../test-support.ts';
import { fileSecretsPlugin } from './secrets-file.ts';

describe('secret config', () => {
  testSettings(fileSecretsPlugin.blocks.secret_config!, { SecretsFilePath: '/var/lib/secrets.json' }, [
    ['without a file', { SecretsFilePath: ' ' }, ['SecretsFilePath', 'SecretsFilePath must not be blank.']],
    ['unknown keys are ignored', { Extra: '1' }],
  ]);
});

describe('looking up', () => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-secrets-'));
  after(() => rmSync(directory, { recursive: true }));
  const key = Buffer.alloc(16, 1);
  const OTHER_KEY = Buffer.alloc(16, 2);
  const encrypted = (plain: string) => {
    const iv = Buffer.alloc(16, 3);
    const cipher = createCipheriv('aes-128-cbc', key, iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `AES:${iv.toString('base64')}:${body.toString('base64')}`;
  };
  const write = (name: string, content: unknown) =>
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  const lookUp = (path: string, ...keys: readonly string[]) =>
    fileSecretsPlugin.lookUp(keys, new Map([['SecretsFilePath', path]]), { directory });

  test('finds secrets wherever the file is, and reads it anew each time', async () => {
    write('secrets.json', { secret_key: key.toString('base64'), secrets: { one: encrypted('hünter2 🚀'), empty: encrypted('') } });
    for (const path of ['secrets.json', join(directory, 'secrets.json')]) {
      assert.deepEqual(
        [...(await lookUp(path, 'one', 'empty', 'none', 'toString'))],
        [
          ['one', 'hünter2 🚀'],
          ['empty', ''],
        ],
      );
    }
    write('secrets.json', { secret_key: key.toString('base64'), secrets: { one: encrypted('changed') } });
    assert.equal((await lookUp('secrets.json', 'one')).get('one'), 'changed');
  });

  test('a file that is not there, is none, or does not fit is reported, without its content', async () => {
    mkdirSync(join(directory, 'folder'));
    write('text.json', 'hunter2');
    write('no-key.json', { secrets: { one: encrypted('x') } });
    write('other.json', { secret_key: OTHER_KEY.toString('base64'), secrets: { one: encrypted('x'), clear: 'hunter2' } });
    const problems: readonly (readonly [string, RegExp, string?])[] = [
      ['nowhere.json', /The file `nowhere\.json` cannot be read \(ENOENT\)/],
      ['folder', /cannot be read \(EISDIR\)/],
      ['text.json', /does not hold secrets and their key/],
      ['no-key.json', /does not hold secrets and their key/],
      ['other.json', /The secret 'one' in the file `other\.json` cannot be opened/],
      ['other.json', /The secret 'clear' .* cannot be opened/, 'clear'],
    ];
    for (const [path, message, name = 'one'] of problems) {
      await assert.rejects(lookUp(path, name), (failure: Error) => {
        assert.match(failure.message, message);
        return !failure.message.includes('hunter2');
      });
    }
  });
});
