// Tests the rules all plugins share.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServerFacts, SettingsBlock } from '../contracts/plugins/plugin.ts';
import { checkSettings } from './check-settings.ts';
import { bareServer, testSettings } from './test-support.ts';

const fields = [{ key: 'Name', required: true }, { key: 'Url', required: true, label: 'Server URL' }, { key: 'Note' }];
const flawless = { Name: 'a', Url: 'b' };

describe('required settings', () => {
  testSettings({ fields }, flawless, [
    [
      'blank, named by key or label',
      { Name: '', Url: ' \t' },
      ['Name', 'Name must not be blank.'],
      ['Url', 'Server URL must not be blank.'],
    ],
    ['an optional setting may be blank', { Note: '' }],
  ]);

  test('absent is blank', () => {
    assert.deepEqual(checkSettings({ fields }, new Map(), bareServer), [
      { key: 'Name', message: 'Name must not be blank.' },
      { key: 'Url', message: 'Server URL must not be blank.' },
    ]);
  });
});

describe('unknown keys', () => {
  testSettings({ fields, unknownKey: 'Is an unknown property' }, flawless, [
    ['each is reported', { Extra: '1', name: '2' }, ['Extra', 'Is an unknown property'], ['name', 'Is an unknown property']],
  ]);
});

describe('unknown keys of a block that does not mind them', () => {
  testSettings({ fields }, flawless, [['are ignored', { Extra: '1' }]]);
});

describe('the own check of a block', () => {
  const block: SettingsBlock = {
    fields,
    unknownKey: 'Unknown',
    check: (values) => [
      ...(values.get('Url') === '' ? [{ key: 'Url', message: 'Server URL must not be blank.' }] : []),
      { key: 'Note', message: 'Is dull.' },
      { key: 'Note', message: 'Is dull.' },
      { key: 'Note', message: 'Is short.' },
      { key: 'Name', message: 'Is dull.' },
    ],
  };
  const ownProblems = [
    { key: 'Note', message: 'Is dull.' },
    { key: 'Note', message: 'Is short.' },
    { key: 'Name', message: 'Is dull.' },
  ];

  test('comes last, and nothing is said twice', () => {
    assert.deepEqual(checkSettings(block, new Map(Object.entries({ Name: 'a', Url: '', Extra: '' })), bareServer), [
      { key: 'Url', message: 'Server URL must not be blank.' },
      { key: 'Extra', message: 'Unknown' },
      ...ownProblems,
    ]);
  });

  test('is handed the facts of the server', () => {
    const server: ServerFacts = { contextPath: '/ci', secureSiteUrl: 'https://cd.example.com' };
    const echo: SettingsBlock = { fields: [], check: (_, facts) => [{ key: 'facts', message: JSON.stringify(facts) }] };
    assert.deepEqual(checkSettings(echo, new Map(), server), [{ key: 'facts', message: JSON.stringify(server) }]);
  });
});
