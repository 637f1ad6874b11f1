import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KindName } from '../../shape/configuration.ts';
import type { Entity } from '../../shape/resource.ts';
import { planOf } from './plan.ts';

const entry = (value: Entity) => ({ key: '', value, etag: '', revision: 1, created: 1 });
const edit = (kind: KindName, before: Entity | undefined, after: Entity | undefined) => ({
  kind: { name: kind },
  before: before && entry(before),
  after: after && entry(after),
});
const part = (environment: string, file: string, ...pipelines: string[]) => ({
  environment,
  origin: { repo: 'one', file },
  pipelines,
  agents: [],
  environmentVariables: [],
});
const asIs = (name: string) => name;
const NOTHING = { created: [], changed: [], deleted: [] };

test('an environment is unchanged when its members only move between files', () => {
  const parts = [
    edit('environmentParts', part('qa', 'a.yaml', 'x', 'y'), part('qa', 'a.yaml', 'y')),
    edit('environmentParts', undefined, part('QA', 'b.yaml', 'x')),
    edit('environmentParts', part('prod', 'a.yaml', 'z'), undefined),
    edit('environmentParts', undefined, part('prod', 'c.yaml', 'z')),
  ];
  assert.deepEqual(planOf(parts, asIs).environments, NOTHING);
  assert.deepEqual(planOf(parts.slice(0, 3), asIs).environments, { ...NOTHING, changed: ['prod'] });
});

test('an environment that is created for its parts is listed once', () => {
  const parts = [edit('environments', undefined, { name: 'qa' }), edit('environmentParts', undefined, part('QA', 'a.yaml', 'x'))];
  assert.deepEqual(planOf(parts, asIs).environments, { ...NOTHING, created: ['qa'] });
});

test('an SCM is known by its name: neither its id nor its owner counts', () => {
  const scm = (name: string, url: string, id = url, repo = 'one') => ({ id, name, url, origin: { repo, file: 'a.yaml' } });
  const edits = [
    edit('scms', scm('code', 'x'), undefined),
    edit('scms', undefined, scm('Code', 'y')),
    edit('scms', scm('left', 'z'), scm('left', 'z', 'z', 'two')),
    edit('scms', scm('old', 'v'), scm('new', 'v')),
  ];
  assert.deepEqual(planOf(edits, asIs).scms, { created: ['new'], changed: ['Code'], deleted: ['old'] });
});

test('a group that is created for its pipelines is listed, and an environment under its present name', () => {
  const edits = [edit('pipelineGroups', undefined, { name: 'New' }), edit('environmentParts', undefined, part('QA', 'a.yaml', 'x'))];
  const { pipeline_groups: groups, environments } = planOf(edits, (name) => (name === 'qa' ? 'qA' : name));
  assert.deepEqual(
    [groups, environments],
    [
      { ...NOTHING, created: ['New'] },
      { ...NOTHING, changed: ['qA'] },
    ],
  );
});
