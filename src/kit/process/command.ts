// Runs programs: no shell, nothing inherited, and never longer or louder than allowed.

import { RecordSplitter } from './command-records.ts';
import { Command, type CommandOptions } from './launched-command.ts';

export { CommandFailure, CommandStopped, ProgramMissing } from './command-failure.ts';
export type { CommandOptions } from './launched-command.ts';

export interface CommandResult {
  /** Bytes that are not UTF-8 have become replacement characters. */
  readonly stdout: string;
  readonly stderr: string;
}

/** The default; callers that expect more output use `streamCommand`. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export async function runCommand(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  const command = new Command(program, args, { ...options, maxOutputBytes: options.maxOutputBytes ?? MAX_OUTPUT_BYTES });
  const chunks: Buffer[] = [];
  for (let chunk = await command.next(); chunk; chunk = await command.next()) chunks.push(chunk);
  const stderr = await command.ended();
  return { stdout: Buffer.concat(chunks).toString('utf8'), stderr };
}

/** The output as it comes. A consumer that stops early ends the program. */
export async function* streamCommand(program: string, args: readonly string[], options: CommandOptions): AsyncGenerator<Buffer, void> {
  const command = new Command(program, args, options);
  try {
    for (let chunk = await command.next(); chunk; chunk = await command.next()) yield chunk;
    await command.ended();
  } finally {
    command.stop('aborted');
    await command.ended().catch(() => {}); // reported already, or wanted
  }
}

export interface RecordOptions extends CommandOptions {
  /** Ends each record; it is not part of it. */
  readonly separator: string;
  /** Longer ones are cut. */
  readonly maxRecordBytes: number;
}

/** The output record by record, as many at a time as have come. */
export async function* streamRecords(
  program: string,
  args: readonly string[],
  { separator, maxRecordBytes, ...options }: RecordOptions,
): AsyncGenerator<readonly string[], void> {
  const splitter = new RecordSplitter(separator, maxRecordBytes);
  for await (const chunk of streamCommand(program, args, options)) {
    const records = splitter.take(chunk);
    if (records.length > 0) yield records;
  }
  const rest = splitter.rest();
  if (rest !== undefined) yield [rest];
}
