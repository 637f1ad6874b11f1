// The facts for a trigger decision, read from stubs of the tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenGit } from '../../../test/support/configuration/written-material.ts';
import type { FoundMaterial } from '../../materials/catalogue/material.ts';
import type { RunRevision } from '../../store/builds/runs.ts';
import type { StoredMaterial } from '../../store/materials/materials.ts';
import type { Modification } from '../../store/materials/modifications.ts';
import type { ConfiguredMaterial, PipelineDefinition } from '../configured.ts';
import type { MaterialFacts } from './decide-trigger.ts';
import { RevisionFacts } from './revision-facts.ts';

const MATERIALS = 1000;
const STORED: StoredMaterial = {
  fingerprint: 'm',
  type: 'git',
  description: 'm',
  id: 1,
  directory: 'm',
  data: undefined,
  lastRevision: undefined,
  modificationCount: 3,
  pollCount: 1,
  polledAt: undefined,
  failures: 0,
  failedAt: undefined,
  failedBeforeAt: undefined,
  failure: undefined,
};

function material(fingerprint: string): ConfiguredMaterial {
  const toPoll = () => ({ type: 'git', fingerprint });
  const found: FoundMaterial = {
    fingerprint,
    type: 'git',
    autoUpdate: true,
    written: writtenGit(fingerprint),
    definition: undefined,
    toPoll,
  };
  const filtered = { filter: [], isFilterInverted: false, isIgnoredForScheduling: false };
  return { found, fingerprint, type: 'git', name: null, folder: null, description: fingerprint, ...filtered, upstream: undefined };
}

const materials = Array.from({ length: MATERIALS }, (_, index) => material(`m${index}`));
const pipeline: PipelineDefinition = {
  key: 'p',
  name: 'p',
  group: 'g',
  labelTemplate: '',
  lockBehavior: 'none',
  timer: null,
  parameters: [],
  variables: [],
  materials,
  stages: [],
  definedBy: undefined,
};

test('a pipeline of very many materials sends one query at a time, and looks for each earlier revision once', async () => {
  let [running, mostRunning, reads] = [0, 0, 0];
  const query = async <T>(answer: T) => {
    mostRunning = Math.max(mostRunning, ++running);
    await new Promise(setImmediate);
    running--;
    return answer;
  };
  const revision = (position: number): RunRevision => ({
    run_id: 1,
    position,
    pipeline_key: 'p',
    get fingerprint() {
      reads++;
      return `m${position}`;
    },
    type: 'git',
    name: null,
    folder: null,
    description: '',
    is_changed: 1,
    first: position,
    last: position,
  });
  const last = { id: 1, pipeline_key: 'p', pipeline: 'p', counter: 1, label: '1', trigger: 'manual', message: '', approver: '' };
  const facts = new RevisionFacts({
    runs: {
      last: () => query({ ...last, comment: null, scheduled_at: 0, variables: '[]', configuration: 1 }),
      revisionsOf: () => query(materials.map((_, position) => revision(position))),
      hasRunWith: () => query(false),
      newestRunWith: () => query(7),
    },
    materials: { find: () => query(undefined) },
    modifications: {
      newest: () => query(new Map()),
      after: () => query([]),
      find: () => query(undefined),
      byIds: () => query([]),
      filesOf: () => query([]),
    },
  });
  const { materials: found } = await facts.of(pipeline);
  assert.deepEqual(
    found.map(({ previous, newestEver }) => [previous, newestEver]),
    materials.map((_, position) => [position, 7]),
  );
  assert.equal(mostRunning, 1);
  assert.ok(reads <= 4 * MATERIALS, `${reads} reads of fingerprints`);
});

test('with an older choice of a modification, only the files up to it count for the filter', async () => {
  const files = new Map([
    [2, 'docs/a.md'],
    [3, 'src/a.ts'],
  ]);
  const modification = (id: number): Modification => ({
    id,
    ordinal: id,
    revision: `r${id}`,
    userName: null,
    email: null,
    comment: null,
    modifiedTime: new Date(id),
  });
  const reader = new RevisionFacts({
    runs: {
      last: async () => undefined,
      revisionsOf: async () => [],
      hasRunWith: async () => false,
      newestRunWith: async () => 1,
    },
    materials: { find: async () => STORED },
    modifications: {
      newest: async () => new Map(),
      after: async (_, ordinal) => [1, 2, 3].filter((id) => id > ordinal).map(modification),
      find: async () => undefined,
      byIds: async (ids) => ids.map(modification),
      filesOf: async (id) => [{ name: files.get(id)!, action: 'modified' }],
    },
  });
  const filtered = { ...material('m'), filter: ['docs/**/*'] };
  const known = { fingerprint: 'm', latest: 3, previous: 1, newestEver: 1, hasRunWithLatest: false };
  const facts: MaterialFacts = { ...known, isIgnored: false, isUnseenIgnored: false, isIgnoredForScheduling: false };
  const isIgnoredAt = async (id: number) => (await reader.withLatest('p', filtered, facts, id)).isIgnored;
  assert.deepEqual([await isIgnoredAt(1), await isIgnoredAt(2), await isIgnoredAt(3)], [false, true, false]);
});
