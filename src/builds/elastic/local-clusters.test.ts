import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenProblem } from './local-clusters.ts';

const settings = (docker_uri: string, key = '') => new Map(Object.entries({ docker_uri, key }));
const SECRET = '{{SECRET:[vault][docker]}}';

test('a secret gives no way to the machine of the server, or to its account', () => {
  const problem = (written: string, resolved: string) => hiddenProblem(settings(written), settings(resolved), () => undefined);
  assert.match(problem(SECRET, 'unix:///run/docker.sock')!, /^docker_uri comes from a secret/);
  assert.match(problem(`tcp://${SECRET}:2375`, 'tcp://127.1:2375')!, /^docker_uri comes from a secret/);
  assert.equal(problem(SECRET, 'tcp://docker.example.org:2375'), undefined);
  assert.equal(problem('unix:///run/docker.sock', 'unix:///run/docker.sock'), undefined, 'it was judged when it was saved');
  const missing = (written: string, resolved: string) =>
    hiddenProblem(settings('', written), settings('', resolved), (cluster) => (cluster.get('key') === '' ? 'key' : undefined));
  assert.equal(missing(SECRET, ''), 'key comes from a secret, which is empty.');
  assert.equal(missing(SECRET, 'x'), undefined);
  assert.equal(missing('', ''), undefined, 'it was judged when it was saved');
});
