// Saving the whole document and importing files over HTTP.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { referenceCipherText } from '../../support/configuration/reference-cipher-text.ts';
import { addUser, givePassword } from '../../support/requests/callers.ts';
import { ADMIN_PASSWORD, type Ask, basic, type Reply, TestServer } from '../../support/server/server.ts';

const SAVE = '/api/admin/config.xml';
const IMPORT = '/api/admin/config/import';
const MD5 = 'X-CRUISE-CONFIG-MD5';
const STALE = 'Configuration file has been modified by someone else.';
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'document', 'fixtures', name), 'utf8');

let server: TestServer;
before(async () => {
  server = await TestServer.start();
  givePassword(server, 'admin', { password: ADMIN_PASSWORD });
  await server.post('/api/admin/environments', { name: 'prod' });
});
after(() => server.stop());

interface Fetched {
  readonly xml: string;
  readonly md5: string;
}

async function fetched(): Promise<Fetched> {
  const { text, headers } = await server.get(SAVE);
  return { xml: text, md5: headers.get(MD5)! };
}

function save(xml: string, md5: string | undefined, query = '', ask: Ask = {}): Promise<Reply> {
  const headers = { 'Content-Type': 'text/xml', ...(md5 !== undefined && { [MD5]: md5 }), ...ask.headers };
  return server.ask('POST', SAVE + query, { ...ask, text: xml, headers });
}

const withEnvironment = (xml: string, name: string) =>
  xml.includes('</environments>')
    ? xml.replace('  </environments>', `    <environment name="${name}" />\n  </environments>`)
    : xml.replace('</cruise>', `  <environments>\n    <environment name="${name}" />\n  </environments>\n</cruise>`);
const pipelineOf = (name: string) =>
  `  <pipelines group="g">
    <pipeline name="${name}">
      <materials><git url="https://example.com/${name}.git" /></materials>
      <stage name="s"><jobs><job name="j"><tasks><exec command="make" /></tasks></job></jobs></stage>
    </pipeline>
  </pipelines>
`;
const environments = async () =>
  ((await server.get('/api/admin/environments')).json._embedded.environments as { name: string }[]).map(({ name }) => name);

describe('the whole document', { concurrency: false }, () => {
  afterEach(async () => {
    for (const name of await environments()) if (name !== 'prod') await server.delete(`/api/admin/environments/${name}`);
  });

  test('is saved from a body, with the MD5 that it is based on', async () => {
    const { xml, md5 } = await fetched();
    const saved = await save(withEnvironment(xml, 'one'), md5);
    assert.deepEqual([saved.status, saved.json], [200, { result: 'File changed successfully.' }], saved.text);
    assert.match(saved.headers.get('content-type')!, /^application\/json/);
    assert.ok(Number(saved.headers.get('x-svc-revision')) > 1);
    assert.deepEqual(await environments(), ['one', 'prod']);
    assert.equal((await fetched()).xml, withEnvironment(xml, 'one'));
    const ifMatch = await save(xml, undefined, '', { headers: { 'If-Match': `"${(await fetched()).md5}"` } });
    assert.equal(ifMatch.status, 200, ifMatch.text);
    assert.deepEqual(await environments(), ['prod']);
  });

  test('is saved from a form, which must be confirmed', async () => {
    const { xml, md5 } = await fetched();
    const multipart = new FormData();
    multipart.set('md5', md5);
    multipart.set('xmlFile', new File([withEnvironment(xml, 'two')], 'config.xml'));
    const encoded = new URLSearchParams({ xmlFile: withEnvironment(xml, 'two'), md5 });
    for (const body of [encoded, multipart]) {
      const post = (headers: Record<string, string>) =>
        fetch(server.url + SAVE, {
          method: 'POST',
          body,
          headers: { Authorization: basic('admin', ADMIN_PASSWORD), ...headers },
        });
      const unconfirmed = await post({});
      assert.equal(unconfirmed.status, 400);
      assert.equal(((await unconfirmed.json()) as { error: string }).error, 'Missing required header `X-Svc-Confirm`');
      assert.equal((await post({ 'X-Svc-Confirm': 'false' })).status, 400, 'whoever says no means no');
      const confirmed = await post({ 'X-Svc-Confirm': 'True' });
      assert.deepEqual([confirmed.status, await confirmed.json()], [200, { result: 'File changed successfully.' }]);
    }
    assert.deepEqual(await environments(), ['prod', 'two']);
  });

  test('a dry run answers with the plan, and changes nothing', async () => {
    const { xml, md5 } = await fetched();
    const plan = await save(withEnvironment(xml, 'dry'), md5, '?dry_run=true');
    assert.equal(plan.status, 200);
    assert.deepEqual(plan.json.created, [{ kind: 'environments', id: 'dry' }]);
    assert.deepEqual([plan.json.changed, plan.json.removed, plan.json.ignored, plan.json.schema_version], [[], [], [], 139]);
    assert.equal(plan.headers.get('x-svc-revision'), null);
    assert.equal((await fetched()).md5, md5);
    assert.equal((await save(xml, md5, '?dry_run=maybe')).status, 400);
  });

  test('changes of others since then stay; the same entity changed by both is a conflict that names user and time', async () => {
    const { xml, md5 } = await fetched();
    await server.post('/api/admin/environments', { name: 'theirs' });
    assert.equal((await save(withEnvironment(xml, 'ours'), md5)).status, 200);
    assert.deepEqual(await environments(), ['ours', 'prod', 'theirs']);
    const different = withEnvironment(xml, 'theirs').replace(
      '<environment name="theirs" />',
      '<environment name="theirs"><environmentvariables><variable name="A"><value>1</value></variable></environmentvariables></environment>',
    );
    const before = await fetched();
    const refused = await save(different, md5);
    assert.equal(refused.status, 409);
    assert.match(
      refused.json.result,
      /^Configuration file has been modified by someone else\.\nEnvironment 'theirs' was created by admin at 20\S+Z \(revision \d+\), and differently in this file\.$/,
    );
    assert.deepEqual(await fetched(), before);
    await server.delete('/api/admin/environments/theirs');
    const deleted = await save(
      before.xml.replace('<environment name="theirs" />', different.match(/<environment name="theirs">.*/)![0]),
      before.md5,
    );
    assert.equal(deleted.status, 409);
    assert.match(deleted.json.result, /\nEnvironment 'theirs' was deleted by admin at \S+ \(revision \d+\), and changed in this file\.$/);
  });

  test('a file that is wrong only together with changes of others is a conflict, too', async () => {
    const base = await fetched();
    const pipelines = (...names: string[]) =>
      base.xml.replace('  <environments>', `${names.map((name) => pipelineOf(name)).join('')}  <environments>`);
    assert.equal((await save(pipelines('first'), base.md5)).status, 200);
    const withFirst = await fetched();
    assert.equal((await save(base.xml, withFirst.md5)).status, 200);
    const dependent = withEnvironment(withFirst.xml, 'late').replace(
      '<environment name="late" />',
      '<environment name="late"><pipelines><pipeline name="first" /></pipelines></environment>',
    );
    const refused = await save(dependent, withFirst.md5);
    assert.equal(refused.status, 409, refused.text);
    const [stale, problem, ...others] = refused.json.result.split('\n');
    assert.equal(stale, STALE);
    assert.match(problem, /^line \d+: Environment 'late': .*unknown pipeline 'first'/);
    assert.match(others.join('\n'), /^Pipeline 'first' was deleted by admin at 20\S+Z \(revision \d+\)\.$/);
    const ownFault = await save(withFirst.xml.replace('<cruise ', '<cruise bad="x" '), withFirst.md5);
    assert.equal(ownFault.status, 404, 'the form of a file is nothing that others can change');
  });

  test('an entity that others use since then cannot be removed: the answer names user and time, and no line of the file', async () => {
    const base = await fetched();
    const pipelines = ['c', 'd', 'e'].map((name) => pipelineOf(name).replace('"g"', `"g-${name}"`)).join('');
    assert.equal((await save(base.xml.replace('  <environments>', `${pipelines}  <environments>`), base.md5)).status, 200);
    const started = await fetched();
    await server.post('/api/admin/environments', { name: 'uses', pipelines: [{ name: 'c' }] });
    const removing = await save(base.xml, started.md5);
    assert.equal(removing.status, 409);
    assert.match(
      removing.json.result,
      /^Configuration file has been modified by someone else\.\nEnvironment 'uses': Cannot delete pipeline 'c' .*\nEnvironment 'uses' was created by admin at 20\S+Z \(revision \d+\)\.$/,
    );
    assert.equal(removing.json.errors, undefined);
    const d = await server.get('/api/admin/pipelines/d');
    const onE = { ...d.json, materials: [{ type: 'dependency', attributes: { pipeline: 'e', stage: 's' } }] };
    const changed = await server.put('/api/admin/pipelines/d', onE, d.headers.get('etag')!);
    assert.equal(changed.status, 200, changed.text);
    const circle = started.xml.replace('<git url="https://example.com/e.git" />', '<pipeline pipelineName="d" stageName="s" />');
    const circular = await save(circle, started.md5);
    assert.equal(circular.status, 409);
    const line = circle.split('\n').findIndex((text) => text.includes('<pipeline name="e">')) + 1;
    assert.match(circular.json.result, /\nPipeline 'd' was changed by admin at 20\S+Z \(revision \d+\)\.$/);
    assert.deepEqual([circular.json.errors.length, circular.json.errors[0].line], [1, line]);
    await server.delete('/api/admin/environments/uses');
    assert.equal((await save(base.xml, (await fetched()).md5)).status, 200);
  });

  test('an unknown MD5 is a conflict, and a missing one is refused without If-Match: *', async () => {
    const { xml } = await fetched();
    const unknown = await save(withEnvironment(xml, 'x'), '0123456789abcdef0123456789abcdef');
    assert.equal(unknown.status, 409);
    assert.ok(unknown.json.result.startsWith(STALE));
    assert.equal((await save(xml, undefined)).status, 400);
    assert.equal((await save(withEnvironment(xml, 'x'), undefined, '', { headers: { 'If-Match': '*' } })).status, 200);
  });

  test('everything that is wrong is reported, with lines', async () => {
    const { xml, md5 } = await fetched();
    const wrong = withEnvironment(withEnvironment(xml, 'first'), 'second').replaceAll(
      /<environment name="(first|second)" \/>/g,
      '<environment name="$1"><pipelines><pipeline name="not-in-$1" /></pipelines></environment>',
    );
    const refused = await save(wrong, md5);
    assert.equal(refused.status, 404);
    const lineOf = (name: string) => wrong.split('\n').findIndex((line) => line.includes(`environment name="${name}"`)) + 1;
    const message = (name: string) => `Environment '${name}': Environment '${name}' refers to an unknown pipeline 'not-in-${name}'.`;
    assert.deepEqual(
      refused.json.errors,
      ['first', 'second'].map((name) => ({ line: lineOf(name), column: 1, message: message(name) })),
    );
    assert.equal(refused.json.result, ['first', 'second'].map((name) => `line ${lineOf(name)}: ${message(name)}`).join('\n'));
    assert.equal((await fetched()).md5, md5);
  });

  test('a refusal repeats no password that is in the file', async () => {
    const { xml, md5 } = await fetched();
    const secret = 'hunter2-in-clear';
    const mail = `<mailhost hostname="h" port="25" username="u" password="${secret}" from="a" admin="b@x" />`;
    const wrong = xml.replace('</security>', `</security>${mail}`);
    for (const [base, status] of [[md5, 404] as const, ['0'.repeat(32), 409] as const]) {
      const refused = await save(wrong, base);
      assert.deepEqual([refused.status, refused.json.originalContent, refused.text.includes(secret)], [status, undefined, false]);
    }
  });

  test('a document without administrators or auth configs is refused', async () => {
    const { xml, md5 } = await fetched();
    const withoutSecurity = await save(xml.replace(/ {4}<security>.*<\/security>\n/s, ''), md5);
    assert.equal(withoutSecurity.status, 404);
    assert.match(withoutSecurity.json.result, /There must be at least one admin user enabled!/);
    assert.match(withoutSecurity.json.result, /No user could log in any more/);
  });

  test('hostile, broken and odd bodies are refused', async () => {
    const { xml, md5 } = await fetched();
    const bodies: [string, number][] = [
      [xml.replace('<cruise ', '<!DOCTYPE cruise [<!ENTITY x SYSTEM "file:///etc/passwd">]><cruise ').replace('prod', '&x;'), 404],
      [xml.slice(0, -10), 404],
      ['', 404],
      ['x', 404],
      [xml.replace('utf-8', 'utf-16'), 404],
    ];
    for (const [body, status] of bodies) {
      const refused = await save(body, md5);
      assert.equal(refused.status, status, body.slice(0, 100));
      assert.doesNotMatch(refused.json.result, /root:/);
      assert.match(refused.json.result, /^Invalid Configuration - line \d+: /);
    }
    assert.equal((await server.ask('POST', SAVE, { text: xml, headers: { 'Content-Type': 'application/json', [MD5]: md5 } })).status, 415);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Svc-Confirm': 'true' };
    assert.equal((await server.ask('POST', SAVE, { text: 'md5=x', headers: form })).status, 400);
    assert.equal(
      (await server.ask('POST', SAVE, { text: 'x', headers: { ...form, 'Content-Type': 'multipart/form-data; boundary=y' } })).status,
      400,
    );
    assert.equal((await fetched()).md5, md5);
  });

  test('is saved from a compressed body or form', async () => {
    const { xml, md5 } = await fetched();
    const wanted = withEnvironment(xml, 'packed');
    const post = (text: string, headers: Record<string, string>) =>
      fetch(server.url + SAVE, {
        method: 'POST',
        body: gzipSync(text),
        headers: { Authorization: basic('admin', ADMIN_PASSWORD), 'Content-Encoding': 'gzip', 'X-Svc-Confirm': 'true', ...headers },
      });
    assert.equal((await post(wanted, { 'Content-Type': 'text/xml', [MD5]: md5 })).status, 200);
    const form = String(new URLSearchParams({ xmlFile: xml, md5: (await fetched()).md5 }));
    assert.equal((await post(form, { 'Content-Type': 'application/x-www-form-urlencoded' })).status, 200);
    assert.deepEqual(await environments(), ['prod']);
    const other = await post(wanted, { 'Content-Type': 'text/xml', 'Content-Encoding': 'br', [MD5]: md5 });
    assert.equal(other.status, 415);
    assert.match(((await other.json()) as { message: string }).message, /compressed with 'br'; only gzip is supported/);
    const endless = await post('x'.repeat(101 * 1024 * 1024), { 'Content-Type': 'text/xml', [MD5]: md5 });
    assert.equal(endless.status, 413);
  });

  test('is saved by administrators only', async () => {
    const { xml, md5 } = await fetched();
    const as = await addUser(server, 'somebody');
    const message = "User 'somebody' does not have permissions to administer";
    const refused = await save(xml, md5, '', { as });
    assert.deepEqual([refused.status, refused.json], [403, { message, error: message }]);
    assert.equal((await save(xml, md5, '', { as: '' })).status, 401);
    assert.equal((await save(xml, md5, '', { as: basic('admin', 'wrong') })).status, 401);
  });
});

const tagOf = ({ etag }: { etag: string | undefined }) => etag?.slice(1, -1);

describe('an import', { concurrency: false }, () => {
  const post = (text: string, headers: Record<string, string> = {}, query = '') =>
    server.ask('POST', IMPORT + query, { text, headers: { 'Content-Type': 'text/xml', ...headers } });
  const key = { 'X-Svc-Cipher-Key': fixture('cipher.aes') };

  test('is planned and done, and changes nothing the second time', async () => {
    const plan = await post(fixture('schema-139.xml'), key, '?dry_run=true');
    assert.equal(plan.status, 200, plan.text);
    assert.ok(plan.json.created.some(({ id }: { id: string }) => id === 'build'));
    assert.equal((await server.get('/api/admin/pipelines/build')).status, 404);
    const done = await post(fixture('schema-139.xml'), { ...key, 'X-Svc-Reason': 'moving' });
    assert.equal(done.status, 200);
    const { _plan, ...same } = plan.json;
    assert.deepEqual(done.json, same);
    const created = _plan.changes.find(({ id }: { id: string }) => id === 'build');
    assert.deepEqual(
      [created.resource, created.operation, created.etag],
      ['pipelines', 'create', tagOf(await server.get('/api/admin/pipelines/build'))],
    );
    assert.doesNotMatch(plan.text, /v1:|AES:/);
    assert.ok(Number(done.headers.get('x-svc-revision')) > 1);
    assert.equal((await server.get('/api/admin/pipelines/build')).status, 200);
    const again = await post(fixture('schema-139.xml'), key);
    assert.deepEqual([again.json.created, again.json.changed, again.headers.get('x-svc-revision')], [[], [], null]);
    const admins = await server.get('/api/admin/security/system_admins');
    assert.deepEqual(admins.json.users, ['admin', 'root']);
  });

  test('errors of a plugin about its settings are warnings, in the answer and in the health messages, and refuse nothing', async () => {
    const settings = '<property><key>Mood</key><value>good</value></property>';
    const store = `<artifactStore id="hub" pluginId="cd.go.artifact.docker.registry">${settings}</artifactStore>`;
    const saved = await post(`<cruise schemaVersion="139"><artifactStores>${store}</artifactStores></cruise>`);
    assert.equal(saved.status, 200, saved.text);
    assert.ok(
      saved.json.warnings.some(({ message }: { message: string }) => message.startsWith("Artifact store 'hub', property 'RegistryType': ")),
    );
    const messages = async () =>
      ((await server.get('/api/server_health_messages')).json as { message: string; detail: string }[]).filter(({ message }) =>
        message.includes("'hub' has settings that its plugin does not accept"),
      );
    assert.match((await messages())[0]!.detail, /^RegistryType: /m);
    await server.delete('/api/admin/artifact_stores/hub');
    assert.deepEqual(await messages(), []);
  });

  test('takes a form with the key in it', async () => {
    const form = new FormData();
    form.set('xmlFile', new File([fixture('schema-127.xml')], 'cruise-config.xml'));
    form.set('cipherKey', fixture('cipher.aes'));
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD), 'X-Svc-Confirm': 'true' };
    const done = await fetch(server.url + IMPORT, { method: 'POST', body: form, headers });
    const json = (await done.json()) as { schema_version: number; ignored: unknown[] };
    assert.deepEqual([done.status, json.schema_version, json.ignored.length], [200, 127, 7]);
  });

  test('reports secrets if the key is missing or wrong, and refuses an invalid key', async () => {
    const without = await post(fixture('schema-108.xml'));
    assert.equal(without.status, 422);
    assert.deepEqual(
      without.json.errors.map(({ line }: { line: number }) => line),
      [4, 26],
    );
    const other = await post(fixture('schema-108.xml'), { 'X-Svc-Cipher-Key': 'f'.repeat(16) });
    assert.equal(other.status, 422);
    assert.equal((await post(fixture('schema-108.xml'), { 'X-Svc-Cipher-Key': 'password' })).status, 400);
    assert.doesNotMatch(server.log, /f{16}|5f1b0e9c/);
  });

  test('a key that came with a file is kept: secrets of that server are understood from then on, wherever they are sent', async () => {
    const [first, second] = ['3c'.repeat(16), '7d'.repeat(16)];
    const variable = (name: string, key: string) => ({
      name,
      secure: true,
      encrypted_value: referenceCipherText(`the secret ${name}`, key),
    });
    const nothing = '<cruise schemaVersion="139" />';
    const create = (key: string) => server.post('/api/admin/environments', { name: 'keyed', environment_variables: [variable('A', key)] });
    const withKey = (key: string, text = nothing, query = '') => post(text, { 'X-Svc-Cipher-Key': key }, query);

    assert.equal((await withKey(first, nothing, '?dry_run=true')).status, 200);
    assert.equal((await withKey(first, '<cruise schemaVersion="139"><nonsense /></cruise>')).status, 422);
    const refused = await create(first);
    assert.equal(refused.status, 422, 'neither a plan nor a file that is refused brings a key');
    assert.match(
      refused.json.data.environment_variables[0].errors.encrypted_value[0],
      /^Encrypted value for variable named 'A' is invalid\./,
    );

    for (const key of [first, second]) assert.equal((await withKey(key)).status, 200);
    const created = await create(second);
    assert.equal(created.status, 200, created.text);
    const body = { name: 'keyed', environment_variables: [variable('A', second)] };
    const again = await server.put('/api/admin/environments/keyed', body, created.etag!);
    assert.deepEqual([again.status, again.etag, again.json.environment_variables], [200, created.etag, created.json.environment_variables]);
    assert.match(again.json.environment_variables[0].encrypted_value, /^v2:/);

    // A document that is saved, and a file that comes without a key.
    const { xml, md5 } = await fetched();
    const edited = xml.replace(
      /(?<=name="keyed">\s*<environmentvariables>\s*<variable name="A" secure="true">\s*<encryptedValue>)[^<]+/,
      variable('A', first).encrypted_value,
    );
    assert.match(edited, /AES:/);
    const saved = await save(edited, md5);
    assert.equal(saved.status, 200, saved.text);
    assert.equal((await server.get('/api/admin/environments/keyed')).etag, created.etag);
    const secret = `<variable name="B" secure="true"><encryptedValue>${variable('B', first).encrypted_value}</encryptedValue></variable>`;
    const environment = `<environment name="later"><environmentvariables>${secret}</environmentvariables></environment>`;
    const later = `<cruise schemaVersion="139"><environments>${environment}</environments></cruise>`;
    assert.equal((await post(later)).status, 200);
    const broken = await post(later.replace(/AES:[^<]+/, 'AES:AAAA:AAAA').replace('later', 'broken'));
    assert.match(broken.json.errors[0].message, /This secret was encrypted by another server\. Give the key file/);
    assert.doesNotMatch(server.log, /(3c){8}|(7d){8}/);
  });
});
