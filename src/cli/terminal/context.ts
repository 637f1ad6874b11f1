// The context of a command: the environment, the folder it was called in, and the terminal.
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

export interface Context {
  readonly environment: Environment;
  /** Where relative paths begin. */
  readonly directory: string;
  readonly input: Input;
  readonly out: Output;
  readonly err: Output;
}

export type Colour = 'green' | 'yellow' | 'red' | 'bold';
/** Colours a text, where the reader can see colours. */
export type Paint = (colour: Colour, text: string) => string;

/** For output to `stream`: no colours into files and pipes, and none where the user has set NO_COLOR. */
export function painter({ environment }: Pick<Context, 'environment'>, stream: Output): Paint {
  return (colour, text) => (environment.NO_COLOR ? text : styleText(colour, text, { stream }));
}

export function pathIn({ directory }: Context, path: string): string {
  return resolve(directory, path);
}
