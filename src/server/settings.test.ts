import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { test } from 'node:test';
import { readSettings, SETTINGS, variableOf } from './settings.ts';

const settings = (args: string[], environment: Record<string, string> = {}) => {
  const result = readSettings(args, environment);
  assert.ok('settings' in result, JSON.stringify(result));
  return result.settings;
};
const problem = (args: string[], environment: Record<string, string> = {}) => {
  const result = readSettings(args, environment);
  assert.ok('problem' in result);
  return result.problem;
};

test('a flag wins over a variable, and a variable over the default', () => {
  assert.equal(settings([]).port, 8153);
  assert.equal(settings([], { SLIPWAY_PORT: '9000' }).port, 9000);
  assert.equal(settings(['--port', '9001'], { SLIPWAY_PORT: '9000' }).port, 9001);
  assert.equal(settings(['--port=9002']).port, 9002);
  assert.equal(settings(['--context-path', '/cd/']).contextPath, '/cd');
});

test('a flag that is true or false can stand alone', () => {
  assert.equal(settings([]).maintenance, false);
  assert.equal(settings(['--maintenance']).maintenance, true);
  assert.deepEqual([settings(['--maintenance', '--port', '1']).maintenance, settings(['--maintenance', '--port', '1']).port], [true, 1]);
  assert.equal(settings(['--maintenance', 'false'], { SLIPWAY_MAINTENANCE: 'true' }).maintenance, false);
  assert.equal(settings([], { SLIPWAY_ALLOW_PRIVATE_WEBHOOKS: 'true' }).allowPrivateWebhooks, true);
  assert.equal(settings(['--allow-private-repositories']).allowPrivateRepositories, true);
  assert.match(problem(['--maintenance', 'perhaps']), /--maintenance must be true or false/);
});

test('with a certificate plain HTTP is redirected, unless a setting says otherwise', () => {
  const tls = (...more: string[]) => settings(['--tls-cert', 'package.json', '--tls-key', 'package.json', ...more]).tls;
  assert.equal(settings([]).tls, undefined);
  assert.equal(tls()?.plain, 'redirect');
  assert.equal(tls('--tls-plain', 'open')?.plain, 'open');
  assert.equal(tls('--tls-plain=closed')?.plain, 'closed');
  assert.match(problem(['--tls-plain', 'no']), /--tls-plain must be redirect, closed or open, not 'no'\.$/);
  assert.match(problem(['--tls-plain', 'closed']), /^--tls-plain closed leaves nothing open/);
});

test('proxies are trusted by address and network, and by `true` only on this machine and private networks', () => {
  assert.deepEqual(settings([]).trustProxy, []);
  assert.deepEqual(settings(['--trust-proxy']).trustProxy, settings([], { SLIPWAY_TRUST_PROXY: 'true' }).trustProxy);
  assert.ok(settings(['--trust-proxy']).trustProxy.includes('10.0.0.0/8'));
  assert.deepEqual(settings(['--trust-proxy', '192.0.2.7, fd00::/8']).trustProxy, ['192.0.2.7', 'fd00::/8']);
});

test('browsers stay logged in for a working day, and for two weeks in all', () => {
  const HOUR = 60 * 60_000;
  assert.deepEqual(settings([]).sessions, { idleMs: 8 * HOUR, maxAgeMs: 14 * 24 * HOUR });
  assert.deepEqual(settings(['--session-idle-minutes', '5', '--session-days=1']).sessions, { idleMs: HOUR / 12, maxAgeMs: 24 * HOUR });
  assert.match(problem(['--session-idle-minutes', '0']), /^--session-idle-minutes must be a number from 1 to 99999, not '0'\.$/);
  assert.match(problem(['--session-days', 'x']), /--session-days must be a number/);
});

test('unless it is told otherwise, the server does not connect to its own machine for others', () => {
  const { allowLoopback, allowPrivateRepositories, allowPrivateWebhooks } = settings([]);
  assert.deepEqual([allowLoopback, allowPrivateRepositories, allowPrivateWebhooks], [false, true, false]);
  assert.equal(settings([], { SLIPWAY_ALLOW_LOOPBACK: 'true' }).allowLoopback, true);
  assert.equal(settings([], { SLIPWAY_ALLOW_PRIVATE_REPOSITORIES: 'false' }).allowPrivateRepositories, false);
});

test('folders of repositories are a list as in PATH, and there are none by themselves', () => {
  assert.deepEqual(settings([]).localRepositories, []);
  assert.deepEqual(settings([], { SLIPWAY_LOCAL_REPOSITORIES: `/srv/git/${delimiter}${delimiter}/srv/./hg` }).localRepositories, [
    '/srv/git',
    '/srv/hg',
  ]);
});

test('a mistake is reported in one sentence that names the setting', () => {
  assert.equal(problem(['--prot', '1']), 'Unknown option --prot. Did you mean --port? See --help.');
  assert.equal(problem(['--hots=x']), 'Unknown option --hots=x. Did you mean --host? See --help.');
  assert.match(problem(['stray']), /^Unknown option stray\./);
  assert.match(problem(['--port']), /^The option --port needs a value\.$/);
  assert.match(problem(['--port', '70000']), /--port must be a port number/);
  assert.match(problem([], { SLIPWAY_PORT: 'x' }), /--port must be a port number/);
  assert.equal(problem([], { SLIPWAY_PROT: '1' }), 'Unknown setting SLIPWAY_PROT. Did you mean SLIPWAY_PORT? See --help.');
  assert.match(problem(['--context-path', 'cd']), /--context-path must look like/);
  assert.match(problem(['--tls-cert', 'a.pem']), /both --tls-cert and --tls-key/);
  assert.match(problem(['--trust-proxy', 'yes']), /--trust-proxy must be true, false, or addresses .* not 'yes'\.$/);
  assert.match(problem(['--trust-proxy', '10.0.0.1,proxy.example.org']), /--trust-proxy must be .* not 'proxy\.example\.org'\.$/);
  assert.match(problem(['--mail-starttls', 'yes']), /--mail-starttls must be offered, always or never/);
  assert.match(problem(['--mail-ca', '/no/such/file']), /--mail-ca: there is no file/);
  assert.match(problem(['--material-ca', '/no/such/file']), /--material-ca: there is no file/);
  assert.match(
    problem(['--material-unchecked', 'a.org,https://b.org']),
    /--material-unchecked must name hosts .* not 'https:\/\/b\.org'\.$/,
  );
  assert.match(
    problem(['--local-repositories', `/srv/git${delimiter}here`]),
    /--local-repositories must name folders by their whole path, not 'here'\.$/,
  );
  assert.match(problem(['--disk-full-mb', '1.5']), /--disk-full-mb must be a number of megabytes/);
  assert.match(problem([], { SLIPWAY_DISK_FULL_MB: '2000' }), /--disk-full-mb must not be greater/);
  assert.match(problem(['--database-url', 'postgres://x']), /--database-url: The address of the database must end with its name/);
  assert.match(problem(['--database-url', 'mysql://x/y']), /must look like postgres:/);
});

test('there is one local agent, but none beside a shared database, unless a setting says otherwise', () => {
  const shared = ['--database-url', 'postgres://slipway@127.0.0.1/slipway'];
  assert.deepEqual(settings([]).localAgents, { count: 1, user: 'nobody' });
  assert.equal(settings(shared).localAgents.count, 0);
  assert.equal(settings([...shared, '--local-agents', '2']).localAgents.count, 2);
  assert.deepEqual(settings(['--local-agent-user', 'builder'], { SLIPWAY_LOCAL_AGENTS: '0' }).localAgents, { count: 0, user: 'builder' });
  for (const wrong of ['-1', 'many', '101', '1.5'])
    assert.equal(problem([`--local-agents=${wrong}`]), `--local-agents must be a number from 0 to 100, not '${wrong}'.`);
});

test('a job of an agent can start a server: the variable that marks its processes is no setting', () => {
  assert.equal(settings([], { SLIPWAY_JOB: 'agent-1' }).port, 8153);
});

test('help lists every setting under both names', () => {
  const result = readSettings(['--help'], {});
  assert.ok('help' in result);
  for (const { flag } of SETTINGS) assert.ok(result.help.includes(`--${flag}`) && result.help.includes(variableOf(flag)));
});

test('artifacts lie in a folder, or in a bucket with an account', () => {
  const account = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'geheim' };
  const bucket = (args: string[], more: Record<string, string> = {}) =>
    settings(['--artifacts-bucket', 's3://ci-artifacts/slipway/', ...args], { ...account, ...more }).artifactBucket!;
  assert.equal(settings([], account).artifactBucket, undefined);
  assert.deepEqual(bucket([]), {
    address: {
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      name: 'ci-artifacts',
      prefix: 'slipway',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'geheim',
    },
    linkedFrom: undefined,
  });
  assert.equal(bucket([], { AWS_REGION: 'eu-central-1' }).address.endpoint, 'https://s3.eu-central-1.amazonaws.com');
  assert.equal(bucket(['--artifacts-region', 'x-1'], { AWS_REGION: 'eu-central-1' }).address.region, 'x-1');
  assert.equal(bucket([], { AWS_ENDPOINT_URL: 'http://minio:9000/' }).address.endpoint, 'http://minio:9000');
  assert.equal(
    bucket(['--artifacts-endpoint', 'https://s3.example.com'], { AWS_ENDPOINT_URL: 'http://minio' }).address.endpoint,
    'https://s3.example.com',
  );
  assert.equal(bucket([], { AWS_SESSION_TOKEN: 'lent' }).address.sessionToken, 'lent');
  assert.equal(bucket(['--artifacts-presigned']).linkedFrom, 16 * 1024 * 1024);
});

test('a wrong bucket is reported in a sentence without secrets', () => {
  const account = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'geheim' };
  const wrong = (args: string[]) => problem(args, account);
  assert.match(problem(['--artifacts-bucket', 's3://artifacts']), /needs an account: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
  assert.match(wrong(['--artifacts-bucket', 'https://s3.example.com/b']), /must look like s3:\/\/bucket/);
  assert.match(wrong(['--artifacts-bucket', 's3://artifacts/a/../b']), /prefix of up to 100/);
  assert.match(wrong(['--artifacts-bucket', 's3://artifacts/a b']), /prefix of up to 100/);
  assert.match(wrong(['--artifacts-bucket', 's3://artifacts', '--artifacts-region', 'eu/1']), /region such as/);
  const secret = wrong(['--artifacts-bucket', 's3://artifacts', '--artifacts-endpoint', 'https://me:geheim@s3.example.com']);
  assert.match(secret, /endpoint that looks like/);
  assert.doesNotMatch(secret, /geheim/);
  assert.match(wrong(['--artifacts-endpoint', 'https://s3.example.com']), /--artifacts-endpoint is about a bucket/);
  assert.match(wrong(['--artifacts-presigned']), /--artifacts-presigned is about a bucket/);
});
