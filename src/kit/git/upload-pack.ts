// Lets git answer one request of a client that clones or fetches, by a process that ends with its answer, or with the client.
import { Readable } from 'node:stream';
import type { GitProcess, GitProgram } from './git-program.ts';

export interface UploadPackRequest {
  readonly repository: string;
  /** The version of the protocol the client asks for, in git's own words. */
  readonly protocol: string | undefined;
  /** The body of the request; undefined: the client asks for the list of refs. */
  readonly input: Readable | undefined;
}

export interface UploadPackRun {
  /** Resolves when git has begun its answer, so that earlier failures can still be reported. Destroying the stream ends the process. */
  readonly output: Promise<Readable>;
  /** Whether git failed; being stopped is no failure. */
  readonly ended: Promise<boolean>;
  stop(): void;
}

/** Git could not read the request of the client; the message is git's. */
export class UnreadableRequest extends Error {}

/** Of a client that does not read the answer. */
const MAX_SILENCE_SECONDS = 120;
const MAX_RUN_MS = 15 * 60_000;
const KILL_AFTER_MS = 2_000;
const MAX_COMPLAINT = 2_000;

export function uploadPack(git: GitProgram, { repository, protocol, input }: UploadPackRequest): UploadPackRun {
  const args = ['upload-pack', '--stateless-rpc', '--strict', `--timeout=${MAX_SILENCE_SECONDS}`];
  const child = git.start(
    [...args, ...(input ? [] : ['--advertise-refs']), repository],
    protocol === undefined ? {} : { GIT_PROTOCOL: protocol },
  );
  const stop = () => end(child);
  const timer = setTimeout(stop, MAX_RUN_MS).unref();
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (code) => resolve(code !== null && code !== 0)).once('error', () => resolve(true));
  });
  void ended.then(() => clearTimeout(timer));
  child.stdout.once('close', stop);
  return { output: outputOf(child, input), ended, stop };
}

function outputOf(child: GitProcess, input: Readable | undefined): Promise<Readable> {
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < MAX_COMPLAINT) complaint += text;
    });
    if (input) feed(child, input, reject);
    else child.stdin.end();
    child.once('error', reject);
    child.stdout.once('readable', () => {
      if (child.stdout.readableLength > 0) resolve(child.stdout);
      else child.stdout.resume();
    });
    child.once('close', (code) => {
      if (code === 0) resolve(Readable.from([]));
      else reject(input ? new UnreadableRequest(complaint.trim()) : new Error(`git upload-pack ended with ${code}: ${complaint.trim()}`));
    });
  });
}

function feed(child: GitProcess, input: Readable, onFailure: (failure: Error) => void): void {
  input.once('error', (failure) => {
    onFailure(failure);
    child.stdout.destroy();
  });
  // Git may have heard enough before the input ends.
  child.stdin.once('error', () => {});
  child.once('exit', () => input.destroy());
  input.pipe(child.stdin);
}

function end(child: GitProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
  child.once('exit', () => clearTimeout(timer));
}
