// The other side of the pool: reads one file after the other, with the plugin that each is for.
import type { MessagePort } from 'node:worker_threads';
import type { ChosenFile, ConfigRepoPlugin } from '../../contracts/plugins/config-repo.ts';
import { type PackedFile, packed } from './packed.ts';

export interface ToParser {
  readonly plugin: string;
  readonly file: ChosenFile;
  readonly bytes: Uint8Array;
}

export type FromParser = { readonly packed: PackedFile } | { readonly failure: string };

type Parser = Pick<ConfigRepoPlugin, 'id' | 'parse'>;

export function serveParser(port: MessagePort, plugins: readonly Parser[]): void {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  port.on('message', (message: ToParser) => port.postMessage(answerTo(message, byId)));
}

function answerTo({ plugin: id, file, bytes }: ToParser, plugins: ReadonlyMap<string, Parser>): FromParser {
  try {
    return { packed: packed(plugins.get(id)!.parse(file, bytes)) };
  } catch (failure) {
    return { failure: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}
