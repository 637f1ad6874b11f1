// The other side of the pool: reads one file after the other, with the plugin that each is for.
import type { MessagePort } from 'node:worker_threads';
import type { ChosenFile, FileParser } from '../../contracts/plugins/config-repo.ts';
import { type PackedFile, packed } from './packed.ts';

export interface ToParser {
  readonly plugin: string;
  readonly file: ChosenFile;
  readonly bytes: Uint8Array;
}

export type FromParser = { readonly packed: PackedFile } | { readonly failure: string };

export function serveParsers(port: MessagePort, parsers: readonly FileParser[]): void {
  const byId = new Map(parsers.map((parser) => [parser.id, parser]));
  port.on('message', (message: ToParser) => port.postMessage(answerTo(message, byId)));
}

function answerTo({ plugin, file, bytes }: ToParser, parsers: ReadonlyMap<string, FileParser>): FromParser {
  try {
    return { packed: packed(parsers.get(plugin)!.parse(file, bytes)) };
  } catch (failure) {
    return { failure: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) };
  }
}
