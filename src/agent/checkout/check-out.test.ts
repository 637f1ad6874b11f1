import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WorkMaterial } from '../../contracts/agent-protocol/work.ts';
import { checkOut } from './check-out.ts';

test('a material of a type that only newer agents know is refused, so that no job passes without its files', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-checkout-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const login = { username: null, password: null };
  // As JSON, because the types of this agent have no such material.
  const material: WorkMaterial = JSON.parse(
    JSON.stringify({ type: 'bazaar', fingerprint: 'f', destination: null, revision: '7', description: 'URL: bzr://host/x', ...login }),
  );
  const { signal } = new AbortController();
  const where = { pipelineFolder: folder, cacheFolder: join(folder, 'cache'), signal, out: () => {}, err: () => {} };
  await assert.rejects(checkOut(material, where), {
    message:
      'This agent does not know materials of the type bazaar, such as URL: bzr://host/x: update the agent to the version of its server.',
  });
});
