// Applies a JSON Patch (RFC 6902), strictly: a missing value cannot be removed, replaced or moved.
import assert from 'node:assert/strict';
import type { PatchOperation } from '../../src/history/difference/patch.ts';
import type { Json } from '../../src/shape/json/json.ts';

// biome-ignore lint/suspicious/noExplicitAny: it walks through JSON of any form
type Any = any;

export function applyPatch(document: Json, patch: readonly PatchOperation[]): Json {
  const root: Any = { '': structuredClone(document) };
  for (const operation of patch) {
    if (operation.op === 'move') add(root, operation.path, remove(root, operation.from));
    else {
      if (operation.op !== 'add') remove(root, operation.path);
      if (operation.op !== 'remove') add(root, operation.path, operation.value);
    }
  }
  return root[''];
}

function holderOf(root: Any, path: string): [Any, string] {
  const steps = ['', ...stepsOf(path)];
  const last = steps.pop()!;
  return [steps.reduce((holder, step) => holder[step], root), last];
}

function add(root: Any, path: string, value: Any): void {
  const [holder, last] = holderOf(root, path);
  if (Array.isArray(holder)) {
    assert.ok(Number(last) <= holder.length, `nothing can be added at ${path}`);
    holder.splice(Number(last), 0, structuredClone(value));
  } else {
    holder[last] = structuredClone(value);
  }
}

function remove(root: Any, path: string): Any {
  const [holder, last] = holderOf(root, path);
  assert.ok(last in holder, `there is nothing at ${path}`);
  if (Array.isArray(holder)) return holder.splice(Number(last), 1)[0];
  const value = holder[last];
  delete holder[last];
  return value;
}

/** The steps of a JSON pointer. */
function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'));
}
