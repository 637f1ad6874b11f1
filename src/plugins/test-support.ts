// Runs a table of settings and the problems they must cause against one block of a plugin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerFacts, SettingsBlock } from '../contracts/plugins/plugin.ts';
import { checkSettings } from './check-settings.ts';

export type Settings = Readonly<Record<string, string>>;
export type ExpectedProblem = readonly [key: string, message: string];
export type SettingsCase = readonly [title: string, settings: Settings, ...problems: readonly ExpectedProblem[]];

export const bareServer: ServerFacts = { contextPath: '', secureSiteUrl: undefined };

/** Each case changes the settings in `base`, which must be flawless by themselves. */
export function testSettings(block: SettingsBlock, base: Settings, cases: readonly SettingsCase[], server: ServerFacts = bareServer): void {
  for (const [title, settings, ...problems] of [['flawless settings', {}] as const, ...cases]) {
    test(title, () => {
      const found = checkSettings(block, new Map(Object.entries({ ...base, ...settings })), server);
      assert.deepEqual(
        found.map(({ key, message }) => [key, message]),
        problems,
      );
    });
  }
}

export function keysOf(
  block: SettingsBlock,
  isWanted: (field: SettingsBlock['fields'][number]) => boolean | undefined = () => true,
): string[] {
  return block.fields.filter(isWanted).map((field) => field.key);
}
