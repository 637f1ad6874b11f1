// A file for an editor, in a folder of its own that only the user can read. It stays when the edited text could not be saved.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context, Environment } from '../../../terminal/context.ts';
import { CommandFailed } from '../../../terminal/failures.ts';

const DEFAULT_EDITOR = process.platform === 'win32' ? 'notepad' : 'vi';

export class EditedFile {
  readonly path: string;
  readonly #context: Context;
  #isTouched = false;

  constructor(name: string, context: Context) {
    this.#context = context;
    this.path = join(mkdtempSync(join(tmpdir(), 'slipway-edit-')), `${name.replaceAll(/[^\w.-]+/g, '-')}.yaml`);
  }

  /** Whether the user has changed the text. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** Returns the edited text. */
  async edit(text: string): Promise<string> {
    writeFileSync(this.path, text, { mode: 0o600 });
    try {
      await runEditor(editorIn(this.#context.environment), this.path, this.#context);
    } finally {
      // Also one that fails in the end may have saved what was typed.
      this.#isTouched ||= ![text, ''].includes(this.#content());
    }
    return this.#content();
  }

  /** Deleting the file is as good as emptying it. */
  #content(): string {
    return existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
  }

  remove(): void {
    rmSync(dirname(this.path), { recursive: true, force: true });
  }
}

/** A program, maybe with options: `code --wait`. */
function editorIn({ VISUAL, EDITOR }: Environment): readonly string[] {
  return (VISUAL?.trim() || EDITOR?.trim() || DEFAULT_EDITOR).split(/\s+/);
}

async function runEditor([program = DEFAULT_EDITOR, ...options]: readonly string[], path: string, context: Context): Promise<void> {
  // Ctrl+C goes to this process, too. Without it, the editor would go on alone, and nobody would read what it saves.
  process.on('SIGINT', leaveToEditor);
  const editor = spawn(program, [...options, path], {
    stdio: 'inherit',
    cwd: context.directory,
    env: { ...process.env, ...context.environment },
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    editor.once('error', (failure) =>
      reject(new CommandFailed(`The editor ${program} cannot be started: ${failure.message}. Name another one with EDITOR.`)),
    );
    editor.once('close', resolve);
  }).finally(() => process.off('SIGINT', leaveToEditor));
  if (status !== 0) throw new CommandFailed(`The editor ${program} ended with ${status ?? 'a signal'}. Nothing was changed.`);
}

function leaveToEditor(): void {
  // The editor does with it what it likes.
}
