// Tests which secrets of a job are masked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from './secrets.ts';

const setting = (value: string, is_secret = true) => ({ key: 'k', value, is_secret });
const external = (name: string) => ({
  plugin: 'p',
  store: [setting(`${name}-store`), setting(`${name}-open`, false)],
  configuration: [setting(`${name}-own`)],
});
const from = { pipeline: 'p', pipeline_counter: 1, stage: 's', stage_counter: 1, job: 'j' };

test('settings of external artifacts that are published, fetched, or fetched on cancel are masked', () => {
  const fetch = (name: string) => ({ type: 'fetch_external', id: 0, from, artifact: 'a', ...external(name) }) as const;
  const build = { type: 'build', source: 'dist', destination: null } as const;
  const secrets = secretsOf({
    environment: [],
    materials: [],
    tasks: [
      { ...fetch('fetched'), run_if: [], on_cancel: fetch('cancelled') },
      { ...fetch('last'), run_if: [], on_cancel: { type: 'none' } },
    ],
    artifacts: [build, { type: 'external', id: 'a', ...external('published') }],
  });
  for (const name of ['fetched', 'cancelled', 'last', 'published']) {
    assert.ok(secrets.includes(`${name}-store`) && secrets.includes(`${name}-own`), name);
    assert.ok(!secrets.includes(`${name}-open`), name);
  }
});

test('a secret within the value of a variable is masked, and so is the value', () => {
  const variable = { name: 'DB_URL', value: 'postgres://app:hush-4711@db/app', is_secret: true };
  const secrets = secretsOf({ environment: [variable], materials: [], tasks: [], artifacts: [], secrets: ['hush-4711'] });
  assert.ok(secrets.includes(variable.value) && secrets.includes('hush-4711'));
});

test('secrets in the address of a material are masked, but a short user name is not', () => {
  const common = { type: 'svn', fingerprint: 'f', destination: null, revision: '1', description: '', check_externals: false } as const;
  const of = (url: string, username: string | null = null, password: string | null = null) =>
    secretsOf({ environment: [], materials: [{ ...common, url, username, password }], tasks: [], artifacts: [] });
  const inAddress = of('https://deployer:p%40ss-word@svn.example.org/trunk');
  for (const one of ['p%40ss-word', 'p@ss-word', Buffer.from('deployer:p@ss-word').toString('base64')])
    assert.ok(inAddress.includes(one), one);
  assert.ok(!inAddress.includes('deployer'));
  const token = 'token-of-forty-characters-or-so';
  for (const url of [`https://${token}@git.example.org/a`, `https://${token}:x-oauth-basic@git.example.org/a`])
    assert.ok(of(url).includes(token), url);
  assert.deepEqual(of('https://git@git.example.org/a'), []);
  assert.deepEqual(of('svn+ssh://deployer@svn.example.org/trunk'), []);
});
