// Tests the keys of views of live notices: clients with the same key are sent the same bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenScopes } from '../../../access/scopes/token-scopes.ts';
import { viewKey } from './view.ts';

test('a login name cannot be chosen so that it stands for another user, or for administrators', () => {
  const scopes = new TokenScopes(['pipelines:view:*']);
  const viewers = [undefined, { loginName: 'bob' }, { loginName: 'bob', scopes }, { loginName: `bob${scopes.key}` }, { loginName: 'null' }];
  const keys = viewers.map((viewer) => viewKey(viewer, [null, null]));
  assert.equal(new Set(keys).size, viewers.length, keys.join('\n'));
});
