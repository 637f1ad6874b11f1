// Tests that nothing of a file is lost while it is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ParsedFile } from '../../contracts/plugins/config-repo.ts';
import { fromOutline, packed, sizeProblem, unpacked } from './packed.ts';

const PLACE = { file: 'a.yaml', line: 3, column: 5, positions: Uint32Array.of(3, 5, 4, 7) };
const FILE: ParsedFile = {
  path: 'a.yaml',
  version: 10,
  pipelines: [{ ...PLACE, name: 'p', group: 'g', body: { name: 'p' }, displayOrder: 2, hasIdleJobs: true }],
  environments: [{ ...PLACE, name: 'e', body: { name: 'e' }, agents: ['u'] }],
  problems: [],
  warnings: [{ file: 'a.yaml', line: 1, column: 1, entity: undefined, location: 'a.yaml', message: 'hm', hint: undefined }],
};

test('a packed file is unpacked unchanged', () => {
  assert.deepEqual(unpacked('a.yaml', packed(FILE)), FILE);
});

test('definitions that aliases make too long are refused, with or without other problems', () => {
  const group = 'x'.repeat(1_000_000);
  const [pipeline] = FILE.pipelines;
  const pipelines = Array.from({ length: 60 }, (_, index) => ({ ...pipeline!, name: `p${index}`, group }));
  for (const problems of [[], FILE.warnings]) {
    const { outline, rest } = packed({ ...FILE, pipelines, problems });
    assert.match(outline.problems[0]!.message, /^The definitions of the file are more than 50 million characters long/);
    assert.deepEqual([outline.pipelines, rest], [[], '']);
  }
});

test('an outline gives everything but the bodies', () => {
  const [pipeline] = fromOutline('a.yaml', packed(FILE).outline).pipelines;
  assert.deepEqual(pipeline, { ...FILE.pipelines[0], body: {}, positions: new Uint32Array() });
});

test('the size of definitions is known before they are unpacked, and their total is limited, too', () => {
  const { size = 0 } = packed(FILE).outline;
  assert.ok(size > 0);
  assert.equal(sizeProblem([size, 40_000_000, 40_000_000]), undefined);
  assert.match(sizeProblem([40_000_000, 40_000_000, 40_000_000])!.message, /more than 100 million characters/);
});
