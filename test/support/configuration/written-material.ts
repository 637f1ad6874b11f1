// Materials as the configuration has them, for tests that have no configuration.
import type { WrittenMaterial, WrittenRepository } from '../../../src/materials/catalogue/configured-types.ts';
import type { Secret } from '../../../src/shape/secrets/secret.ts';

/** As a config repo has it. */
export function writtenGit(url: string, password: Secret | null = null): WrittenRepository {
  return { type: 'git', attributes: { name: null, autoUpdate: true, url, username: null, password, branch: 'main' } };
}

/** As a config repo has it. */
export function writtenHg(url: string): WrittenRepository {
  return { type: 'hg', attributes: { name: null, autoUpdate: true, url, username: null, password: null, branch: null } };
}

export function writtenPlugin(ref: string): WrittenMaterial {
  return { type: 'plugin', attributes: { ref, filter: [], destination: null, invertFilter: false } };
}
