// The Helm chart. Where `helm` is installed it is rendered, and where TEST_KUBERNETES_SCHEMA names the OpenAPI document of Kubernetes
// (api/openapi-spec/swagger.json of its sources), each object is checked against it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS, variableOf } from '../../src/server/settings.ts';
import { ROOT } from './package-lab.ts';

const CHART = join(ROOT, 'deploy', 'helm', 'slipway');
const { TEST_HELM: HELM = 'helm', TEST_KUBERNETES_SCHEMA: KUBERNETES } = process.env;
const hasHelm = spawnSync(HELM, ['version']).status === 0;
const skip = hasHelm ? false : 'helm is not installed';
const folder = mkdtempSync(join(tmpdir(), 'slipway-chart-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

const read = (name: string) => readFileSync(join(CHART, name), 'utf8');
const SEVERAL = {
  server: {
    replicas: 3,
    trustProxy: '10.42.0.0/24',
    contextPath: '/cd',
    settings: { SLIPWAY_LOG_LEVEL: 'debug' },
    tolerations: [{ key: 'ci', operator: 'Exists' }],
  },
  database: { url: 'postgres://slipway@postgres:5432/slipway' },
  artifacts: { existingClaim: 'slipway-artifacts' },
  secrets: { existing: 'slipway-secrets', hasAdminPassword: true },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'cd-tls', host: 'cd.example.org' },
  agents: { replicas: 2, resourceNames: ['linux', 'docker'] },
  networkPolicy: { enabled: true, allowFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
};

function helm(values: object) {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  return spawnSync(HELM, ['template', 'demo', CHART, '--kube-version', '1.30.0', '--values', file], { encoding: 'utf8' });
}

function rendered(values: object): readonly KubernetesObject[] {
  const { status, stdout, stderr } = helm(values);
  assert.equal(status, 0, stderr);
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}

test('the chart has the version of the server, and its values fit their schema', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const chart = parse(read('Chart.yaml')) as { version: string; appVersion: string };
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  const fits = new Ajv({ allErrors: true }).compile(JSON.parse(read('values.schema.json')) as object);
  assert.ok(fits(parse(read('values.yaml'))), JSON.stringify(fits.errors));
  assert.ok(fits(SEVERAL), JSON.stringify(fits.errors));
  assert.ok(!fits({ server: { replica: 2 } }));
  assert.ok(!fits({ server: { settings: { SLIPWAY_ADMIN_PASSWORD: 'secret' } } }), 'a password belongs into a secret');
  assert.ok(!fits({ database: { url: 'postgres://slipway:password@postgres/slipway' } }), 'a password belongs into a secret');
});

test('the chart trusts no proxy by default', () => {
  const { server } = parse(read('values.yaml')) as { server: { trustProxy: string } };
  assert.equal(server.trustProxy, '');
  assert.match(read('templates/_server-pod.tpl'), /trustProxy \| default "false"/);
});

test('the chart names only existing settings', () => {
  const known = new Set([...SETTINGS.map(({ flag }) => variableOf(flag)), 'SLIPWAY_SERVER', 'SLIPWAY_AGENT_KEY']);
  const named = ['_server-pod.tpl', 'agents.yaml'].flatMap((name) => read(join('templates', name)).match(/SLIPWAY_[A-Z_]+/g) ?? []);
  assert.ok(named.length >= 8);
  assert.deepEqual(
    named.filter((name) => !known.has(name)),
    [],
  );
});

test('the chart gives a single server a volume of its own', { skip }, () => {
  const objects = rendered({});
  assert.deepEqual(objects.map(({ kind }) => kind).toSorted(), ['Service', 'ServiceAccount', 'StatefulSet']);
  mustFitKubernetes(objects);
});

test('the chart lets several servers share a database, with all optional objects', { skip }, () => {
  const objects = rendered(SEVERAL);
  const kinds = ['Deployment', 'Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'];
  assert.deepEqual(objects.map(({ kind }) => kind).toSorted(), kinds);
  mustFitKubernetes(objects);
  const text = JSON.stringify(objects);
  for (const word of [
    '"value":"10.42.0.0/24"',
    '"readOnlyRootFilesystem":true',
    '"runAsNonRoot":true',
    '/cd/api/v1/ready',
    '--resources=linux,docker',
  ])
    assert.ok(text.includes(word), word);
});

test('the chart lets a single server keep its own key, also with a secret for its agents', { skip }, () => {
  const withAgents = { secrets: { existing: 'slipway-secrets' }, agents: { replicas: 1 } };
  const objects = rendered(withAgents);
  mustFitKubernetes(objects);
  assert.doesNotMatch(JSON.stringify(objects), /cipher-key/);
  const withKey = rendered({ ...withAgents, secrets: { existing: 'slipway-secrets', hasCipherKey: true } });
  mustFitKubernetes(withKey);
  const text = JSON.stringify(withKey);
  assert.match(text, /"SLIPWAY_CIPHER_KEY_FILE","value":"\/run\/secrets\/slipway\/cipher-key"/);
  assert.match(text, /"items":\[\{"key":"cipher-key","path":"cipher-key"\}\]/);
});

test('the key and its volume are mounted by the same rule', () => {
  const pod = read('templates/_server-pod.tpl');
  assert.equal(pod.match(/if include "slipway\.keyInSecret" \. /g)?.length, 3);
  assert.doesNotMatch(pod, /(?:if|with) \.Values\.secrets\.existing /);
});

test('the first password is looked for in the logs: only one of several servers has it', () => {
  assert.match(read('templates/NOTES.txt'), /logs --selector .+component=server --tail=-1 \| grep password/);
});

test('values that do not fit together are refused with a sentence', { skip }, () => {
  for (const [values, sentence] of [
    [{ server: { replicas: 2 } }, /server\.replicas: more than one server needs database\.url/],
    [{ ...SEVERAL, secrets: {} }, /secrets\.existing/],
    [{ ...SEVERAL, artifacts: {} }, /artifacts\.existingClaim/],
    [{ secrets: { hasCipherKey: true } }, /secrets\.existing: name the secret that has cipher-key/],
    [{ agents: { replicas: 1 } }, /secrets\.existing: for agents/],
    [{ ingress: { enabled: true } }, /server\.trustProxy: with ingress\.enabled, name the addresses/],
  ] as const) {
    const { status, stderr } = helm(values);
    assert.equal(status, 1);
    assert.match(stderr, sentence);
  }
});

test('helm lint finds nothing', { skip }, () => {
  assert.match(execFileSync(HELM, ['lint', CHART], { encoding: 'utf8' }), /0 chart\(s\) failed/);
});

interface KubernetesDefinition {
  readonly properties?: object;
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
}

/** Fields that Kubernetes does not know are mistakes, too. */
function mustFitKubernetes(objects: readonly KubernetesObject[]): void {
  if (!KUBERNETES) return;
  const document = JSON.parse(readFileSync(KUBERNETES, 'utf8'), withNumbers) as { definitions: Record<string, KubernetesDefinition> };
  const { definitions } = document;
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, one]) => [name, one.properties ? { ...one, additionalProperties: false } : one]),
  );
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'kubernetes', definitions: { ...strict, ...QUANTITIES } });
  for (const object of objects) {
    const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
    const [name] = Object.entries(definitions).find(([, one]) =>
      one['x-kubernetes-group-version-kind']?.some((of) => of.group === group && of.version === version && of.kind === object.kind),
    ) ?? [undefined];
    assert.ok(name, `Kubernetes does not know ${object.apiVersion} ${object.kind}`);
    const fits = ajv.getSchema(`kubernetes#/definitions/${name}`)!;
    assert.ok(fits(object), `${object.kind} ${object.metadata.name}: ${JSON.stringify(fits.errors)}`);
  }
}

/** The document says that they are texts, and the one that clients are generated from that they are objects; Kubernetes takes numbers, too. */
function withNumbers(_name: string, value: unknown): unknown {
  const isTextOrNumber = typeof value === 'object' && value !== null && 'format' in value && value.format === 'int-or-string';
  return isTextOrNumber ? { type: ['string', 'integer'] } : value;
}

const QUANTITIES = { 'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] } };
