import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedPath } from './logged-path.ts';

for (const [path, logged] of [
  ['/api/version', '/api/version'],
  ['/%zz/artifact_view', '/%zz/artifact_view'],
  ['/artifact_view/TOKEN/reports/index.html', '/artifact_view/…'],
  ['/cd/artifact_view/TOKEN', '/cd/artifact_view/…'],
  ['/artifact_view//TOKEN/x', '/artifact_view/…'],
  ['/%61rtifact%5Fview/TOKEN/x', '/%61rtifact%5Fview/…'],
] as const) {
  test(`the path ${path} is logged without its token`, () => assert.equal(loggedPath(path), logged));
}
