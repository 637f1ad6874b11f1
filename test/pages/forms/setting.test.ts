// Lists of settings for plugins.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { indexOfKey, withSetting } from '../../../pages/forms/edit/setting.ts';

const settings = [
  { key: 'Source', value: 'a' },
  { key: 'Token', encrypted_value: 'AES:1' },
];

it('a setting is found in any letter case, changed in its place, and left out when it is empty', () => {
  assert.equal(indexOfKey(settings, 'TOKEN'), 1);
  assert.equal(indexOfKey(settings, 'none'), -1);
  assert.deepEqual(withSetting(settings, { key: 'source', value: 'b' }), [{ key: 'Source', value: 'b' }, settings[1]]);
  assert.deepEqual(withSetting(settings, { key: 'Source', value: '' }), [settings[1]]);
  assert.deepEqual(withSetting(settings, { key: 'New', value: 'c' }), [...settings, { key: 'New', value: 'c' }]);
  assert.equal(withSetting(settings, { key: 'New', value: '' }), settings);
});
