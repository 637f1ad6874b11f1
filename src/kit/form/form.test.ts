// Tests how forms are read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../concurrency/time-slices.ts';
import { firstFormValue, isForm, readForm } from './form.ts';

const URL_ENCODED = 'application/x-www-form-urlencoded';

async function fieldsOf(body: string | Buffer, type: string): Promise<[string, string][] | undefined> {
  const fields = await readForm(Buffer.from(body), type, pause);
  return fields && [...fields].map(([name, value]) => [name, value.toString('utf8')]);
}

test('url-encoded forms are read as URLSearchParams reads them', async () => {
  for (const body of ['', 'a=1&b=2', 'a=1+2%203&=x', 'x=%C3%BC%F0%9F%9A%80&y=%zz%4&z', '&&a==b&', 'k%3D=%26%3d', '%', 'a=%4']) {
    assert.deepEqual(await fieldsOf(body, URL_ENCODED), [...new URLSearchParams(body)], body);
  }
  assert.deepEqual(await fieldsOf('a=1&a=2', `${URL_ENCODED}; charset=utf-8`), [['a', '1']]);
});

test('multipart forms are read as browsers and curl send them', async () => {
  const form = new FormData();
  form.set('md5', 'abc');
  form.set('xmlFile', new File(['<a>\r\n--x\r\n</a>\n'], 'config.xml', { type: 'text/xml' }));
  form.set('empty', '');
  const request = new Request('http://x', { method: 'POST', body: form });
  const type = request.headers.get('content-type')!;
  const body = Buffer.from(await request.arrayBuffer());
  assert.deepEqual(await fieldsOf(body, type), [
    ['md5', 'abc'],
    ['xmlFile', '<a>\r\n--x\r\n</a>\n'],
    ['empty', ''],
  ]);
  for (let end = 0; end < body.length - 6; end++) assert.equal(await fieldsOf(body.subarray(0, end), type), undefined, `cut off at ${end}`);
});

test('multipart forms with odd spellings are read', async () => {
  const body =
    'preamble\r\n--b b\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; filename="name=x"; name=a\r\n\r\n1\r\n--b b\r\nX: y\r\n\r\nz\r\n--b b--\r\nend';
  assert.deepEqual(await fieldsOf(body, 'Multipart/Form-Data; charset=x; boundary="b b"'), [['a', '1']]);
  assert.equal(await fieldsOf(body, 'multipart/form-data'), undefined);
  assert.equal(await fieldsOf('', 'multipart/form-data; boundary=b'), undefined);
});

test('forms are recognized by their content type', () => {
  for (const type of [URL_ENCODED, `${URL_ENCODED.toUpperCase()} ;charset=utf-8`, 'multipart/form-data; boundary=x'])
    assert.ok(isForm(type), type);
  for (const type of ['', 'text/xml', 'application/json', 'multipart/mixed', `${URL_ENCODED}2`]) assert.ok(!isForm(type), type);
});

test('the first value of a form, however many fields there are', async () => {
  const rest = Array.from({ length: 1_000_000 }, (_, index) => index.toString(36)).join('&');
  assert.equal((await firstFormValue(Buffer.from(`&payload=%7B%22a%22%3A+1%7D&${rest}`), pause)).toString(), '{"a": 1}');
  assert.equal((await firstFormValue(Buffer.from('name'), pause)).length, 0);
  assert.equal((await firstFormValue(Buffer.alloc(0), pause)).length, 0);
});

test('the number of kept fields is limited', async () => {
  const body = Buffer.from(Array.from({ length: 1000 }, (_, index) => `f${index}=1`).join('&'));
  assert.equal((await readForm(body, 'application/x-www-form-urlencoded', pause))!.size, 100);
});
