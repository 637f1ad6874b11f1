import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { describeAddress, readAddress, userOf } from './address.ts';

const folder = mkdtempSync(join(tmpdir(), 'slipway-address-'));
after(() => rmSync(folder, { recursive: true }));

function good(url: string, environment: Readonly<Record<string, string>> = {}) {
  const address = readAddress(url, environment);
  if ('problem' in address) assert.fail(address.problem);
  return address;
}

function problemWith(url: string, environment: Readonly<Record<string, string>> = {}): string {
  const address = readAddress(url, environment);
  assert.ok('problem' in address, `${url} is taken`);
  assert.match(address.problem, /^[\w].*[\w.'>]$/s);
  return address.problem;
}

test('the address gives the place of the database, and the user', () => {
  for (const [url, text, user] of [
    ['postgres://ada@db.example.org/slipway', 'slipway on db.example.org:5432', 'ada'],
    ['postgresql://db.example.org:6543/slipway', 'slipway on db.example.org:6543', undefined],
    ['postgres://ada:geheim@[::1]:99/slip%20way', 'slip way on [::1]:99', 'ada'],
    ['postgres:///slipway?host=/var/run/postgresql', 'slipway on /var/run/postgresql', undefined],
    ['postgres://ada@/slipway?host=/var/run/postgresql', 'slipway on /var/run/postgresql', 'ada'],
    ['postgres://ada:geheim@/slipway?host=/var/run/postgresql&port=5433', 'slipway on /var/run/postgresql', 'ada'],
    ['postgres://%2Fvar%2Frun%2Fpostgresql/slipway', 'slipway on /var/run/postgresql', undefined],
    ['postgres://ignored/slipway?host=db.example.org&port=7&user=ada', 'slipway on db.example.org:7', 'ada'],
  ] as const) {
    const address = good(url);
    assert.deepEqual([describeAddress(address), userOf(address.url)], [text, user], url);
    assert.doesNotMatch(`${describeAddress(address)} ${address.url}`, /geheim/);
  }
});

test('the password comes from the environment, a file, the address, or where PostgreSQL looks for it: the first that is there', () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'in file\nsecond line\n');
  const all = { SLIPWAY_DATABASE_PASSWORD: 'in variable', SLIPWAY_DATABASE_PASSWORD_FILE: file, PGPASSWORD: 'of PostgreSQL' };
  const { SLIPWAY_DATABASE_PASSWORD: _, ...inFile } = all;
  const { PGPASSWORD } = all;
  const withPassword = 'postgres://ada:p%40%25@h/d';
  assert.equal(good(withPassword, all).password, 'in variable');
  assert.equal(good(withPassword, inFile).password, 'in file');
  assert.equal(good(withPassword, { PGPASSWORD }).password, 'p@%');
  assert.equal(good('postgres://ada@h/d?password=asked', { PGPASSWORD }).password, 'asked');
  assert.equal(good('postgres://ada@h/d', { PGPASSWORD }).password, 'of PostgreSQL');
  assert.equal(good('postgres://ada@h/d').password, undefined);
  assert.match(problemWith(withPassword, { SLIPWAY_DATABASE_PASSWORD_FILE: join(folder, 'none') }), /PASSWORD_FILE: .*none cannot be read/);
});

test('the modes of TLS mean the same as for every program of PostgreSQL', () => {
  for (const mode of ['disable', 'prefer', 'require', 'verify-full']) {
    assert.match(good(`postgres://h/d?sslmode=${mode}`).url, new RegExp(`sslmode=${mode}&uselibpqcompat=true$`));
    assert.equal(good('postgres://h/d', { PGSSLMODE: mode }).url, good(`postgres://h/d?sslmode=${mode}`).url);
  }
  const authority = join(folder, 'ca.pem');
  writeFileSync(authority, '');
  assert.match(good(`postgres://h/d?sslmode=verify-ca&sslrootcert=${authority}`).url, /sslmode=verify-ca/);
  assert.match(problemWith('postgres://h/d?sslmode=verify-ca'), /needs the file of the certificate authority/);
  assert.match(problemWith('postgres://h/d?sslmode=require&sslrootcert=/none.pem'), /sslrootcert: there is no file \/none\.pem/);
  assert.match(problemWith('postgres://h/d?sslmode=allow'), /must be one of disable, prefer, require, verify-ca, verify-full, not 'allow'/);
  assert.doesNotMatch(good('postgres:///d?host=/run&sslmode=require').url, /sslmode/);
});

test('a text that is no address is refused without showing it', () => {
  for (const [url, message] of [
    ['', /must look like postgres:\/\//],
    ['mysql://ada:geheim@h/d', /must look like/],
    ['postgres://ada:ge#heim@h/d', /special characters percent-encoded/],
    ['postgres://ada:ge%heim@h/d', /write it as %25/],
    ['postgres://ada:geheim@h', /must end with its name/],
    ['postgres://ada:geheim@h/', /must end with its name/],
    ['postgres:///slipway', /must name its host/],
    ['postgres://one,two/slipway', /must name one host/],
    ['postgres://one:1,two:2/slipway', /must look like/],
    [
      'postgres://ada:geheim@h/d?sslmode=require&channel_binding=geheim',
      /not known here, 'channel_binding'\. Leave it out\. Known are host,/,
    ],
  ] as const) {
    const problem = problemWith(url);
    assert.match(problem, message, url);
    assert.doesNotMatch(problem, /heim/);
  }
});
