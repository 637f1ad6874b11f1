// Parses a file with its plugin: in a thread of the server, and before that, where need be, by an external program.
import type { ChosenFile, ConfigRepoPlugin } from '../../contracts/plugins/config-repo.ts';
import type { PackedFile } from './packed.ts';
import { ParseFailure, type ParserPool } from './pool.ts';

export type Parse = (plugin: string, file: ChosenFile, bytes: Uint8Array, signal?: AbortSignal) => Promise<PackedFile>;

interface Plugins {
  configRepo(id: string): ConfigRepoPlugin | undefined;
}

/** `answers`: the name under which the threads know how to read translations. The signal ends translations; parsing ends soon anyway. */
export function parseWith(plugins: Plugins, pool: Pick<ParserPool, 'parse'>, answers: string): Parse {
  return async (id, file, bytes, signal) => {
    const plugin = plugins.configRepo(id);
    if (!plugin?.translate) return pool.parse(id, file, bytes);
    const answer = await plugin.translate(file, bytes, signal).catch((failure: unknown) => {
      signal?.throwIfAborted();
      throw new ParseFailure(failure instanceof Error ? failure.message : String(failure));
    });
    return pool.parse(answers, file, answer);
  };
}
