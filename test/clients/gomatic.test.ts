// Speaks as gomatic does, a client in Python: reads the whole file, changes it, and sends it back as a form.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accepted } from '../support/requests/callers.ts';
import { TestServer } from '../support/server/server.ts';

const accept = 'application/vnd.go.cd.v1+json';
const FILE = '/api/admin/config.xml';
const PIPELINE = `<pipelines group="P.Group"><pipeline name="more-options"><materials><git url="https://scm.example.org/a.git" /></materials>
<stage name="earlyStage"><jobs><job name="earlyWorm"><tasks><exec command="ls"><runif status="passed" /></exec></tasks></job></jobs></stage>
</pipeline></pipelines>`;

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());

const read = async () => {
  const { text, headers } = accepted(await server.get(FILE, { accept }));
  return { xml: text, md5: headers.get('x-cruise-config-md5')! };
};
const save = (xml: string, md5: string) =>
  server.ask('POST', FILE, {
    accept: '*/*',
    text: new URLSearchParams({ xmlFile: xml, md5 }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Confirm: 'true' },
  });

test('the client adds a pipeline to the file and finds it there', async () => {
  assert.equal(accepted(await server.get('/api/version', { accept })).json.version, '23.2.0');
  const { xml, md5 } = await read();
  const added = xml.replace('</cruise>', `${PIPELINE}</cruise>`);
  accepted(await save(added, md5));
  const after = await read();
  assert.notEqual(after.md5, md5);
  assert.match(after.xml, /<pipeline name="more-options">/);
});

test('a refusal has its message in the member that the client reads', async () => {
  const { xml, md5 } = await read();
  const refused = await save(xml.replace('name="earlyStage"', 'name="early stage"'), md5);
  assert.notEqual(refused.status, 200);
  assert.match(refused.json.result, /early stage/);
});
