// The materials of a real configuration: following it change by change gives the same as a search from scratch, and is done in slices.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { MaterialCatalogue } from '../../src/materials/catalogue/catalogue.ts';
import type { FoundMaterial, Material } from '../../src/materials/catalogue/material.ts';
import { MaterialIndex } from '../../src/materials/catalogue/material-index.ts';
import { materialTools } from '../../src/server/open/material-tools.ts';
import type { JsonObject } from '../../src/shape/json/json.ts';
import { TestConfiguration } from '../support/configuration/configuration.ts';
import { writtenPlugin } from '../support/configuration/written-material.ts';
import { assertInPieces, assertLinear } from '../support/patience.ts';
import { changeIn, type JsonEdit, pipelineOf } from './support/configured.ts';

let world: TestConfiguration;
let catalogue: MaterialCatalogue;
before(async () => {
  world = await TestConfiguration.open();
  world.changes.listen(({ edits }) => catalogue.note(edits));
});
after(() => world.close());
beforeEach(() => {
  catalogue = fresh();
});

const fresh = () => new MaterialCatalogue(world.config, materialTools(world.cipher, world.plugins));
const change = (edits: readonly JsonEdit[]) => changeIn(world, edits);

const gitAt = (url: string, more: JsonObject = {}) => ({ type: 'git', attributes: { url, branch: 'main', ...more } });
const scm = (id: string, url: string): JsonObject => ({
  id,
  name: id,
  plugin_metadata: { id: 'github.pr', version: '1' },
  configuration: [{ key: 'url', value: url }],
});
const repository = (url: string): JsonObject => ({
  repo_id: 'repo',
  name: 'repo',
  plugin_metadata: { id: 'some.packages', version: '1' },
  configuration: [{ key: 'REPO_URL', value: url }],
});
const onePackage = (id: string): JsonObject => ({
  id,
  name: id,
  package_repo: { id: 'repo' },
  configuration: [{ key: 'PACKAGE_NAME', value: id }],
});

function summary(materials: ReadonlyMap<string, Material>): object[] {
  return [...materials.values()]
    .map(({ fingerprint, type, autoUpdate, written, uses, configRepos }) => ({
      fingerprint,
      type,
      autoUpdate,
      written,
      uses: uses.map(({ group, pipeline: name, order }) => [group, name, ...order]),
      configRepos: configRepos.toSorted(),
    }))
    .toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
}

const nextOf = (random: { seed: number }, max: number) => {
  random.seed = (random.seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((random.seed / 2 ** 31) * max);
};

describe('a catalogue that was followed change by change equals one built from scratch', () => {
  test('through hundreds of changes of every kind', async () => {
    const groups = ['g0', 'g1', 'g2'];
    await change([
      ...groups.map((name) => ['pipelineGroups', name, { name }] as const),
      ['scms', 'scm', scm('scm', 'https://git.example.com/0')],
      ['packageRepositories', 'repo', repository('https://packages.example.com')],
      ['packages', 'one', onePackage('one')],
      ['packages', 'two', onePackage('two')],
    ]);
    const random = { seed: 7 };
    const pick = <T>(list: readonly T[]): T => list[nextOf(random, list.length)]!;
    const there = new Set<string>();
    const repos = new Set<string>();
    const anyMaterials = (): JsonObject[] => {
      const all: readonly JsonObject[] = [
        gitAt(`https://git.example.com/${nextOf(random, 4)}`, { destination: 'a' }),
        gitAt(`https://bob:pass@git.example.com/${nextOf(random, 4)}`, { destination: 'b' }),
        { type: 'plugin', attributes: { ref: 'scm', destination: 'c' } },
        { type: 'package', attributes: { ref: pick(['one', 'two']) } },
      ];
      const some = all.filter(() => nextOf(random, 2) === 0);
      return some.length > 0 ? some : [all[0]!];
    };
    const steps: readonly (() => Promise<void>)[] = [
      () => {
        const name = `p${nextOf(random, 12)}`;
        there.add(name);
        return change([['pipelines', name, pipelineOf(name, pick(groups), anyMaterials())]]);
      },
      async () => {
        const name = pick([...there]);
        if (name === undefined) return;
        there.delete(name);
        await change([['pipelines', name, null]]);
      },
      () => change([['scms', 'scm', scm('scm', `https://git.example.com/${nextOf(random, 3)}`)]]),
      () => change([['packageRepositories', 'repo', repository(`https://packages.example.com/${nextOf(random, 3)}`)]]),
      () => {
        const id = `c${nextOf(random, 3)}`;
        repos.add(id);
        const material = gitAt(`https://git.example.com/config/${id}/${nextOf(random, 2)}`);
        return change([['configRepos', id, { id, plugin_id: 'yaml.config.plugin', material, configuration: [], rules: [] }]]);
      },
      async () => {
        const id = pick([...repos]);
        if (id === undefined) return;
        repos.delete(id);
        await change([['configRepos', id, null]]);
      },
    ];
    let before = new Map<string, object>();
    for (let turn = 0; turn < 300; turn++) {
      await pick(steps)();
      const followed = await catalogue.current();
      assert.deepEqual(summary(followed), summary(await fresh().current()), `turn ${turn}`);
      const changed = catalogue.takeChanged();
      const now = new Map((summary(followed) as { fingerprint: string }[]).map((one) => [one.fingerprint, one]));
      for (const fingerprint of new Set([...before.keys(), ...now.keys()])) {
        if (changed.has(fingerprint)) continue;
        assert.deepEqual(now.get(fingerprint), before.get(fingerprint), 'only what is named has changed');
      }
      before = now;
    }
    assert.equal(catalogue.hasChanged, false);
    await change([
      ...[...there].map((name) => ['pipelines', name, null] as const),
      ...[...repos].map((id) => ['configRepos', id, null] as const),
    ]);
    assert.equal((await catalogue.current()).size, 0);
  });

  test('the first pipeline in the order of the groups speaks for all', async () => {
    const shared = (name: string) => gitAt('https://git.example.com/shared', { name });
    await change([
      ['pipelines', 'late', pipelineOf('late', 'g2', [shared('in-g2')])],
      ['pipelines', 'early', pipelineOf('early', 'g0', [shared('in-g0')])],
      ['pipelines', 'middle', pipelineOf('middle', 'g1', [shared('in-g1')])],
    ]);
    const only = async () => [...(await catalogue.current()).values()][0]!;
    const nameOf = ({ written }: Material) => (written.attributes as { name: string }).name;
    assert.equal(nameOf(await only()), 'in-g0');
    assert.deepEqual(
      (await only()).uses.map(({ pipeline: name }) => name),
      ['early', 'middle', 'late'],
    );
    await change([['pipelines', 'early', pipelineOf('early', 'g2', [shared('moved')])]]);
    assert.equal(nameOf(await only()), 'in-g1');
    const last = await only();
    await change(['late', 'early', 'middle'].map((name) => ['pipelines', name, null] as const));
    assert.equal((await catalogue.current()).size, 0);
    assert.equal(last.type, 'git', 'who still looks at it sees what it was');
  });

  test('the material of a config repo is found by the id of the repo', async () => {
    const material = gitAt('https://git.example.com/config');
    await change([['configRepos', 'Repo', { id: 'Repo', plugin_id: 'yaml.config.plugin', material, configuration: [], rules: [] }]]);
    assert.deepEqual((await catalogue.ofConfigRepo('Repo'))?.configRepos, ['Repo']);
    assert.equal(await catalogue.ofConfigRepo('other'), undefined);
    await change([['configRepos', 'Repo', null]]);
    assert.equal(await catalogue.ofConfigRepo('Repo'), undefined);
  });
});

test('ten thousand pipelines are gone through in slices, and one change later costs next to nothing', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `many-${index}`);
  const materialsOf = (name: string) => [
    gitAt(`https://bob:pass@git.example.com/${name}`, { destination: 'a' }),
    gitAt('https://git.example.com/everybody', { destination: 'b' }),
  ];
  for (let at = 0; at < names.length; at += 500) {
    await change(names.slice(at, at + 500).map((name) => ['pipelines', name, pipelineOf(name, 'g0', materialsOf(name))]));
  }
  await assertInPieces('the first look', async () => {
    catalogue = fresh();
    assert.equal((await catalogue.current()).size, 10_001);
  });
  catalogue.takeChanged();
  await change([['pipelines', 'many-7', pipelineOf('many-7', 'g1', materialsOf('other'))]]);
  await catalogue.current();
  assert.equal(catalogue.takeChanged().size, 3);
  assert.equal([...(await catalogue.current()).values()].find(({ uses }) => uses.length > 1)?.uses.length, 10_000);
});

test('of two SCMs that lead to the same, the one that is polled speaks for both', async () => {
  const found = (name: string, autoUpdate: boolean): FoundMaterial => {
    const definition = { scm: { name, autoUpdate, pluginMetadata: { id: 'git-path' }, configuration: [] } };
    const written = writtenPlugin(name);
    return { fingerprint: 'f', type: 'plugin', autoUpdate, written, definition, toPoll: () => ({ type: 'plugin', fingerprint: 'f' }) };
  };
  const index = new MaterialIndex();
  const put = (order: number, name: string, autoUpdate: boolean) =>
    index.set(name, { order: [order], pipeline: { name, group: 'g' }, found: [found(name, autoUpdate)] });
  const spoken = () => [...index.materials.values()].map(({ autoUpdate, written }) => [autoUpdate, written.attributes]);
  put(1, 'told', false);
  assert.deepEqual(spoken(), [[false, writtenPlugin('told').attributes]]);
  put(3, 'polled-too', true);
  put(2, 'polled', true);
  assert.deepEqual(spoken(), [[true, writtenPlugin('polled').attributes]]);
  index.set('polled', undefined);
  index.set('polled-too', undefined);
  assert.deepEqual(spoken(), [[false, writtenPlugin('told').attributes]]);
});

test('a pipeline of very many materials does not take long', async () => {
  const found = (fingerprint: string): FoundMaterial => {
    const written = writtenPlugin(fingerprint);
    return {
      fingerprint,
      type: 'plugin',
      autoUpdate: true,
      written,
      definition: undefined,
      toPoll: () => ({ type: 'plugin', fingerprint }),
    };
  };
  await assertLinear(
    'materials that are replaced by others',
    (size) => {
      const index = new MaterialIndex();
      for (const word of ['a', 'b']) {
        const all = Array.from({ length: size }, (_, number) => found(`${word}${number}`));
        index.set('p', { order: [1], pipeline: { name: 'p', group: 'g' }, found: all });
        for (const { uses, autoUpdate } of index.materials.values()) assert.deepEqual([uses.length, autoUpdate], [1, true]);
      }
    },
    8000,
  );
});
