// Tests how the parts of a form are separated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundaryIn, type FormPart, formParts } from './multipart.ts';

function partsOf(body: string | Buffer, boundary: string): { parts: unknown[]; isWhole: boolean } {
  const parts: unknown[] = [];
  const reading = formParts(Buffer.from(body), boundary);
  for (let next = reading.next(); ; next = reading.next()) {
    if (next.done) return { parts, isWhole: next.value };
    parts.push([next.value.name, next.value.filename, next.value.bytes.toString('utf8')]);
  }
}

test('files come with their names, fields without', async () => {
  const form = new FormData();
  form.append('files[]', new File(['a: 1\r\n'], 'ci/über "x".yaml'));
  form.append('files[]', new File([''], 'b.yaml'));
  form.append('note', 'hello');
  const request = new Request('http://x', { method: 'POST', body: form });
  const boundary = boundaryIn(request.headers.get('content-type')!)!;
  const body = Buffer.from(await request.arrayBuffer());
  assert.deepEqual(partsOf(body, boundary), {
    parts: [
      ['files[]', 'ci/über "x".yaml', 'a: 1\r\n'],
      ['files[]', 'b.yaml', ''],
      ['note', undefined, 'hello'],
    ],
    isWhole: true,
  });
  assert.equal(partsOf(body.subarray(0, body.length - 10), boundary).isWhole, false);
});

test('names with escapes, without quotation marks, or missing are read', () => {
  const body = [
    'Content-Disposition: form-data; name="files[]"; filename="a\\"b\\\\c.yaml"',
    'Content-Disposition: form-data; filename=a.yaml; name=files[]',
    'Content-Disposition: form-data; name="x"; filename=""',
    'Content-Disposition: attachment; name="x"',
    'X: y',
  ].map((head) => `--b\r\n${head}\r\n\r\n.\r\n`);
  assert.deepEqual(partsOf(`${body.join('')}--b--\r\n`, 'b').parts, [
    ['files[]', 'a"b\\c.yaml', '.'],
    ['files[]', 'a.yaml', '.'],
    ['x', '', '.'],
    [undefined, undefined, '.'],
    [undefined, undefined, '.'],
  ]);
});

test('names in the form with an encoding are read', () => {
  const namesIn = (more: string) => {
    const head = `Content-Disposition: form-data; name="files[]"; ${more}`;
    const { value } = formParts(Buffer.from(`--b\r\n${head}\r\n\r\n.\r\n--b--\r\n`), 'b').next();
    const { filename, unreadableName } = value as FormPart;
    return [filename, unreadableName];
  };
  assert.deepEqual(namesIn("filename*=UTF-8''ci%2F%C3%BC%20x.yaml"), ['ci/ü x.yaml', undefined]);
  assert.deepEqual(namesIn("filename*=utf-8'de'a.yaml; filename=b.yaml"), ['a.yaml', undefined]);
  assert.deepEqual(namesIn('filename="b.yaml"; filename*="UTF-8\'\'a.yaml"'), ['a.yaml', undefined]);
  for (const unreadable of ["UTF-8''%C3.yaml", "UTF-8''%zz", "ISO-8859-1''%FC.yaml", 'a.yaml', ''])
    assert.deepEqual(namesIn(`filename=b.yaml; filename*=${unreadable}`), [undefined, unreadable], unreadable);
});

test('a body or a content type of another form is not taken for multipart', () => {
  for (const body of ['', '{}', '--c\r\n\r\n', '--b\r\nX: y', `--b\r\nX: ${'y'.repeat(20_000)}\r\n\r\n\r\n--b--`])
    assert.equal(partsOf(body, 'b').isWhole, false, body);
  assert.equal(boundaryIn('multipart/form-data'), undefined);
  assert.equal(boundaryIn(`multipart/form-data; boundary=${'x'.repeat(300)}`)?.length, 200);
});
