// Tests how lines of a console are read, in pieces of any size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleLines, printedLine } from './console-lines.ts';

const LINES = [
  { line: 0, time: '09:30:00.123', tag: '##', text: 'grün' },
  { line: 1, time: null, tag: null, text: 'data: {"line": 7}' },
];
const EVENTS = `retry: 2000\n\n: still here\n\n${LINES.map((line) => `id: ${line.line}\ndata: ${JSON.stringify(line)}\n\n`).join('')}: the end\n\n`;
const JSON_LINES = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');

async function read(text: string, size: number, isCut = false) {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else if (isCut) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return (await Array.fromAsync(consoleLines(body))).flat();
}

for (const size of [1, 7, 1000]) {
  test(`events and JSON lines in pieces of ${size} bytes`, async () => {
    assert.deepEqual(await read(EVENTS, size), LINES);
    assert.deepEqual(await read(JSON_LINES, size), LINES);
  });
}

test('whole lines of an answer that is cut off are read', async () => {
  assert.deepEqual(await read(JSON_LINES.slice(0, -5), 10, true), LINES.slice(0, 1));
  assert.deepEqual(await Array.fromAsync(consoleLines(null)), []);
});

test('a line is printed as text, or as it stands in the file', () => {
  const [first, second] = LINES;
  assert.deepEqual([printedLine(first!, false), printedLine(first!, true)], ['grün', '##|09:30:00.123 grün']);
  assert.equal(printedLine(second!, true), second!.text);
});
