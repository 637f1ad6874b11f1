// Settings and tools that tests give to package plugins.
import type { PackageSettings } from '../../src/contracts/plugins/package-repository.ts';
import type { PollTools } from '../../src/contracts/plugins/poll-tools.ts';
import { TRUSTED } from '../../src/kit/network/reach.ts';

export function pollTools({
  timeoutMs = 20_000,
  maxBytes = 100_000_000,
  signal = new AbortController().signal,
  networkPolicy = TRUSTED,
} = {}): PollTools {
  return { signal, onActivity: () => {}, networkPolicy, limits: { timeoutMs, maxBytes } };
}

export function settings(repository: Readonly<Record<string, string>>, one: Readonly<Record<string, string>> = {}): PackageSettings {
  return { repository: new Map(Object.entries(repository)), package: new Map(Object.entries(one)) };
}
