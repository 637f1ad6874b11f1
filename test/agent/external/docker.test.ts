// Images in a registry, with a program in the place of docker that writes down how it was called: no Docker engine is needed.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { ExternalLab, settings } from '../../support/builds/external-artifacts.ts';

const PLUGIN = 'cd.go.artifact.docker.registry';
const FILE = `pluggable-artifact-metadata/${PLUGIN}.json`;
const PASSWORD = 'tr0ub4dor & 3';
const BASIC = Buffer.from(`ada:${PASSWORD}`).toString('base64');
const DIGEST = `sha256:${'a'.repeat(64)}`;
const IMAGE = 'registry.example.com:5000/shop/web';

/** Records its arguments and input, and keeps the login where docker does. */
const STAND_IN = `#!/bin/sh
{ printf 'call'; for word in "$@"; do printf ' [%s]' "$word"; done; echo; } >> "$RECORD"
case "$1" in
  login)
    read -r password
    printf 'input [%s]\\n' "$password" >> "$RECORD"
    printf 'config [%s]\\n' "$DOCKER_CONFIG" >> "$RECORD"
    echo "$password" > "$DOCKER_CONFIG/config.json"
    if [ "$FAIL" = login ]; then echo "denied: $password is wrong" >&2; exit 1; fi;;
  push|pull)
    echo "$1 of $2 with $(cat "$DOCKER_CONFIG/config.json")"
    if [ "$FAIL" = "$1" ]; then echo "no such image" >&2; exit 2; fi
    if [ "$FAIL" = wait ]; then sleep 60; fi;;
  image)
    echo '["other/web@sha256:${'b'.repeat(64)}", "${IMAGE}@${DIGEST}"]';;
esac
`;

function labWith(context: TestContext, fail = '') {
  const lab = new ExternalLab(context);
  const programs = join(lab.folder, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'docker'), STAND_IN);
  chmodSync(join(programs, 'docker'), 0o755);
  const record = join(lab.folder, 'record');
  lab.environment = { ...lab.environment, PATH: `${programs}:${process.env.PATH}`, RECORD: record, FAIL: fail };
  const calls = () => (existsSync(record) ? readFileSync(record, 'utf8').trimEnd().split('\n') : []);
  return { lab, calls };
}

const other = { RegistryType: 'other', RegistryURL: 'registry.example.com:5000', Username: 'ada', Password: PASSWORD };
const store = (values: Readonly<Record<string, string>> = other, secret: readonly string[] = ['Password']) => settings(values, secret);
const artifact = (configuration: Readonly<Record<string, string>>, own = store()) =>
  ({ type: 'external', id: 'web', plugin: PLUGIN, store: own, configuration: settings(configuration) }) as const;
const fetching = (configuration: Readonly<Record<string, string>>) => ({ ...artifact(configuration), artifact: 'web' });

const outputOf = (lab: ExternalLab) => [...lab.output, ...lab.complaints, ...lab.metadata.values()].join('\n');
function mustHideLogin(lab: ExternalLab, calls: readonly string[]): void {
  const printed = `${outputOf(lab)}\n${calls.filter((line) => line.startsWith('call')).join('\n')}`;
  for (const secret of [PASSWORD, BASIC]) assert.ok(!printed.includes(secret), printed);
  assert.deepEqual(readdirSync(lab.privateFolder), [], 'the folder of the login is gone');
}

describe('pushing', () => {
  test('an image is pushed with its tag, after a login by standard input in a temporary folder', async (context) => {
    const { lab, calls } = labWith(context);
    assert.deepEqual(await lab.publish(artifact({ Image: IMAGE, Tag: `v\${GO_PIPELINE_LABEL}` })), [], outputOf(lab));
    const config = calls().find((line) => line.startsWith('config'))!;
    assert.deepEqual(calls(), [
      'call [login] [--username] [ada] [--password-stdin] [registry.example.com:5000]',
      `input [${PASSWORD}]`,
      config,
      `call [push] [${IMAGE}:v1.7]`,
      `call [image] [inspect] [--format] [{{json .RepoDigests}}] [${IMAGE}:v1.7]`,
    ]);
    assert.ok(config.startsWith(`config [${lab.privateFolder}/docker-`));
    assert.deepEqual(JSON.parse(lab.metadata.get(FILE)!), { web: { image: `${IMAGE}:v1.7`, digest: DIGEST } });
    assert.ok(lab.output.includes(`push of ${IMAGE}:v1.7 with ******`), outputOf(lab));
    mustHideLogin(lab, calls());
  });

  test('an image that a file names is pushed, as latest if no tag is given', async (context) => {
    const { lab, calls } = labWith(context);
    lab.write('out/image.json', JSON.stringify({ image: IMAGE, tag: '7' }));
    lab.write('bare.json', JSON.stringify({ image: IMAGE }));
    await lab.publish(artifact({ BuildFile: 'out/image.json' }), artifact({ BuildFile: 'bare.json' }), artifact({ Image: IMAGE }));
    const pushed = calls().filter((line) => line.startsWith('call [push]'));
    assert.deepEqual(pushed, [`call [push] [${IMAGE}:7]`, `call [push] [${IMAGE}:latest]`, `call [push] [${IMAGE}:latest]`]);
  });

  test('settings and files that name no image are never passed to the program', async (context) => {
    const { lab, calls } = labWith(context);
    lab.write('text.json', 'web');
    lab.write('odd.json', JSON.stringify({ image: 7, tag: 'a' }));
    lab.write('large.json', JSON.stringify({ image: IMAGE, more: 'x'.repeat(70_000) }));
    writeFileSync(join(lab.folder, 'outside.json'), JSON.stringify({ image: IMAGE }));
    symlinkSync(join(lab.folder, 'outside.json'), join(lab.pipelineFolder, 'link.json'));
    const cases: readonly [Readonly<Record<string, string>>, RegExp][] = [
      [{ Image: '--config=/tmp' }, /The settings must name an image and its tag/],
      [{ Image: 'web', Tag: '-x' }, /The settings must name an image and its tag/],
      [{ Image: 'web', Tag: 'a b' }, /The settings must name an image and its tag/],
      [{ Image: 'web', Tag: `\${TOKEN}` }, /uses the secret variable "TOKEN"/],
      [{ BuildFile: 'none.json' }, /The build file "none.json" cannot be read: ENOENT/],
      [{ BuildFile: 'text.json' }, /is no JSON object/],
      [{ BuildFile: 'large.json' }, /is no JSON object/],
      [{ BuildFile: 'odd.json' }, /The build file "odd.json" must name an image/],
      [{ BuildFile: '../outside.json' }, /is outside of the folder of the pipeline/],
      [{ BuildFile: 'link.json' }, /leads outside of the folder of the pipeline/],
    ];
    for (const [configuration, expected] of cases) {
      lab.complaints.length = 0;
      assert.deepEqual(await lab.publish(artifact(configuration)), ['web']);
      assert.match(lab.complaints.join(), expected);
    }
    assert.deepEqual(calls(), []);
  });

  test('a store with settings that would be options or secrets on the command line is refused', async (context) => {
    const { lab, calls } = labWith(context);
    const secretName = artifact({ Image: IMAGE }, store(other, ['Username', 'Password']));
    await lab.publish(artifact({ Image: IMAGE }, store({ ...other, RegistryURL: '--help' })), secretName);
    assert.match(lab.complaints[0]!, /The setting "RegistryURL" of the artifact store cannot be "--help"/);
    assert.match(lab.complaints[1]!, /The setting "Username" is a secret/);
    assert.deepEqual(calls(), []);
  });

  test('failures are reported without the password', async (context) => {
    const login = labWith(context, 'login');
    assert.deepEqual(await login.lab.publish(artifact({ Image: IMAGE })), ['web']);
    assert.match(login.lab.complaints.join(), /docker login failed with exit code 1\. denied: \*+ is wrong/);
    mustHideLogin(login.lab, login.calls());
    const push = labWith(context, 'push');
    assert.deepEqual(await push.lab.publish(artifact({ Image: IMAGE })), ['web']);
    assert.deepEqual(push.lab.complaints, [
      'no such image',
      'The external artifact "web" was not published: docker push failed with exit code 2.',
    ]);
    assert.equal(push.lab.metadata.size, 0);
    mustHideLogin(push.lab, push.calls());
  });

  test('a missing program is reported', async (context) => {
    const lab = new ExternalLab(context);
    lab.environment = { PATH: lab.folder };
    await lab.publish(artifact({ Image: IMAGE }));
    assert.match(lab.complaints.join(), /Program "docker" was not found\. Install it on the agent/);
    assert.deepEqual(readdirSync(lab.privateFolder), []);
  });

  test('a push ends when its job is aborted', async (context) => {
    const { lab, calls } = labWith(context, 'wait');
    const publishing = lab.publish(artifact({ Image: IMAGE }));
    while (!calls().some((line) => line.startsWith('call [push]'))) await new Promise((resolve) => setTimeout(resolve, 20));
    const began = performance.now();
    lab.abort.abort();
    await assert.rejects(publishing, { name: 'AbortError' });
    assert.ok(performance.now() - began < 30_000);
    assert.deepEqual(readdirSync(lab.privateFolder), []);
  });
});

describe('pulling', () => {
  test('the pushed image is pulled, and later tasks learn its name', async (context) => {
    const { lab, calls } = labWith(context);
    lab.metadata.set(FILE, JSON.stringify({ web: { image: `${IMAGE}:7`, digest: DIGEST } }));
    await lab.fetch(fetching({ EnvironmentVariablePrefix: 'SHOP' }));
    assert.deepEqual(
      calls().filter((line) => line.startsWith('call [pull]')),
      [`call [pull] [${IMAGE}:7]`],
    );
    await lab.fetch(fetching({}));
    const image = `${IMAGE}:7`;
    assert.deepEqual(
      [...lab.variables],
      [
        ['SHOP_ARTIFACT_IMAGE', image],
        ['ARTIFACT_IMAGE', image],
      ],
    );
    mustHideLogin(lab, calls());
  });

  test('with SkipImagePulling tasks learn the name of the image without the program', async (context) => {
    const { lab, calls } = labWith(context);
    lab.metadata.set(FILE, JSON.stringify({ web: { image: `${IMAGE}:7` } }));
    await lab.fetch(fetching({ EnvironmentVariablePrefix: 'SHOP', SkipImagePulling: 'True' }));
    assert.deepEqual([calls(), [...lab.variables]], [[], [['SHOP_ARTIFACT_IMAGE', `${IMAGE}:7`]]]);
  });

  test('an image that cannot be pulled, or has an invalid name, fails the fetch', async (context) => {
    const { lab, calls } = labWith(context, 'pull');
    for (const image of ['--all-tags', 7, undefined, 'a b']) {
      lab.metadata.set(FILE, JSON.stringify({ web: { image } }));
      await assert.rejects(lab.fetch(fetching({})), /names no docker image/);
    }
    assert.deepEqual(calls(), []);
    lab.metadata.set(FILE, JSON.stringify({ web: { image: `${IMAGE}:7` } }));
    await assert.rejects(lab.fetch(fetching({})), { message: 'docker pull failed with exit code 2.' });
    await assert.rejects(lab.fetch(fetching({ SkipImagePulling: 'true', EnvironmentVariablePrefix: '1=' })), /cannot begin the name/);
    assert.equal(lab.variables.size, 0);
  });
});

describe('Amazon ECR', () => {
  const ecr = { RegistryType: 'ecr', RegistryID: '4711', AWSRegion: 'eu-west-1', AWSAccessKeyId: 'AKID', AWSSecretAccessKey: 'aws-secret' };
  const own = store(ecr, ['AWSAccessKeyId', 'AWSSecretAccessKey']);

  async function service(context: TestContext, status: number, body: object) {
    const asked: { target: unknown; authorization: unknown; body: string }[] = [];
    const server: Server = createServer(async (request, response) => {
      const { 'x-amz-target': target, authorization } = request.headers;
      asked.push({ target, authorization, body: await text(request) });
      response.writeHead(status).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => server.close());
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  }

  test('the registry gives a login in answer to a signed request', async (context) => {
    const { lab, calls } = labWith(context);
    const authorizationToken = Buffer.from(`AWS:${PASSWORD}`).toString('base64');
    const registry = 'https://4711.dkr.ecr.eu-west-1.amazonaws.com';
    const { asked, url } = await service(context, 200, { authorizationData: [{ authorizationToken, proxyEndpoint: registry }] });
    lab.environment.AWS_ENDPOINT_URL_ECR = url;
    assert.deepEqual(await lab.publish(artifact({ Image: IMAGE }, own)), [], outputOf(lab));
    assert.equal(asked[0]?.target, 'AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken');
    assert.equal(asked[0]?.body, '{"registryIds":["4711"]}');
    assert.match(String(asked[0]?.authorization), /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/ecr\/aws4_request/);
    assert.deepEqual(calls().slice(0, 2), [`call [login] [--username] [AWS] [--password-stdin] [${registry}]`, `input [${PASSWORD}]`]);
    mustHideLogin(lab, calls());
    assert.ok(!outputOf(lab).includes(authorizationToken));
  });

  test('a registry that gives no login fails with a sentence', async (context) => {
    const { lab, calls } = labWith(context);
    const cases: readonly [number, object, RegExp][] = [
      [
        400,
        { __type: 'UnrecognizedClientException', message: 'aws-secret' },
        /gave no login\. It answered 400 UnrecognizedClientException\.$/,
      ],
      [200, {}, /Amazon ECR gave no login\.$/],
      [200, { authorizationData: [{ authorizationToken: 'AAAA', proxyEndpoint: 'https://x' }] }, /Amazon ECR gave no login\.$/],
      [200, { authorizationData: [{ authorizationToken: Buffer.from('AWS:p').toString('base64'), proxyEndpoint: '--x' }] }, /no login\.$/],
    ];
    for (const [status, body, expected] of cases) {
      lab.environment.AWS_ENDPOINT_URL_ECR = (await service(context, status, body)).url;
      lab.complaints.length = 0;
      await lab.publish(artifact({ Image: IMAGE }, own));
      assert.match(lab.complaints.join(), expected);
      assert.ok(!outputOf(lab).includes('aws-secret'));
    }
    lab.environment.AWS_ENDPOINT_URL_ECR = 'http://127.0.0.1:1/';
    await lab.publish(artifact({ Image: IMAGE }, own));
    assert.match(lab.complaints.at(-1)!, /http:\/\/127\.0\.0\.1:1 cannot be reached/);
    assert.deepEqual(calls(), []);
  });
});
