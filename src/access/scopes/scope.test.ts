import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type NeededScope, parseScope, type ScopeAction } from './scope.ts';
import { TokenScopes } from './token-scopes.ts';

const need = (resource: string, action: ScopeAction, name: string): NeededScope => ({ resource, action, name });

describe('a scope', () => {
  test('is a resource, an action and a pattern, which may have colons', () => {
    assert.deepEqual(parseScope('elastic_profiles:view:docker:small'), {
      resource: 'elastic_profiles',
      action: 'view',
      pattern: 'docker:small',
    });
    for (const text of ['', 'pipelines', 'pipelines:view', 'pipelines:view:', ':view:*', 'pipelines:run:*', 'pipelines::*'])
      assert.equal(parseScope(text), undefined, text);
    assert.equal(parseScope(`pipelines:view:${'a'.repeat(300)}`), undefined);
  });

  test('covers names by pattern, in any letter case, and actions that its own includes', () => {
    const scopes = new TokenScopes(['pipelines:operate:build-*', 'agents:*:*']);
    assert.ok(scopes.covers(need('pipelines', 'view', 'Build-Linux')));
    assert.ok(scopes.covers(need('pipelines', 'operate', 'build-')));
    assert.ok(!scopes.covers(need('pipelines', 'administer', 'build-linux')));
    assert.ok(!scopes.covers(need('pipelines', 'view', 'deploy')));
    assert.ok(!scopes.covers(need('pipelines', 'view', '*')));
    assert.ok(scopes.covers(need('agents', 'administer', '*')));
    assert.ok(!scopes.covers(need('environments', 'view', 'build-linux')));
  });

  test('covers a name that is a lone star only if its pattern covers all names', () => {
    assert.ok(!new TokenScopes(['pipelines:view:?']).covers(need('pipelines', 'view', '*')));
    assert.ok(!new TokenScopes(['pipelines:view:?*']).covers(need('pipelines', 'view', '*')));
    assert.ok(new TokenScopes(['pipelines:view:**']).covers(need('pipelines', 'view', '*')));
  });

  test('a scope on all names of a resource does not cover all resources', () => {
    const one = new TokenScopes(['pipelines:administer:*', 'environments:administer:*']);
    assert.ok(!one.covers(need('*', 'view', '*')));
    assert.ok(!one.isEverything);
    assert.ok(new TokenScopes(['*:view:*']).covers(need('*', 'view', '*')));
    assert.ok(!new TokenScopes(['*:view:*']).isEverything);
    assert.ok(!new TokenScopes(['*:administer:a*']).isEverything);
    assert.ok(new TokenScopes(['*:*:*']).isEverything);
  });

  test('a scope on a pipeline group covers the pipelines of the group', () => {
    const scopes = new TokenScopes(['pipeline_groups:operate:linux']);
    assert.ok(scopes.coversPipeline('operate', 'any', 'Linux'));
    assert.ok(!scopes.coversPipeline('operate', 'linux', 'windows'));
    assert.ok(!scopes.covers(need('pipelines', 'view', 'any')));
    assert.ok(scopes.concern('pipeline_groups', 'view'));
    assert.ok(!scopes.concern('pipelines', 'view'));
  });

  test('a scope that cannot be parsed covers nothing', () => {
    const scopes = new TokenScopes(['nonsense']);
    assert.ok(!scopes.covers(need('pipelines', 'view', 'a')) && !scopes.isEverything);
  });
});
