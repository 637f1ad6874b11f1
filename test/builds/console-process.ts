// Writes a console until it is killed, and prints each acknowledgement: for tests that kill it.
import { Consoles } from '../../src/builds/console/consoles.ts';
import { JOB } from './console-lab.ts';

export const lineOf = (index: number) => `line ${index} ${'x'.repeat(index % 50)}\n`;

/** The bytes of the agent before this line. */
export function offsetOf(index: number): number {
  let offset = 0;
  for (let at = 0; at < index; at++) offset += lineOf(at).length;
  return offset;
}

if (import.meta.main) {
  const [root = '', first = '0'] = process.argv.slice(2);
  const consoles = new Consoles({ root: () => root, log: { error: () => process.exit(1) } });
  let offset = offsetOf(Number(first));
  process.stdout.write('ready\n');
  for (let index = Number(first); ; index++) {
    const line = lineOf(index);
    const appended = await consoles.append(JOB, 1, offset, Buffer.from(line));
    if (!('length' in appended) || appended.length < offset + line.length) throw new Error(`${index}: ${JSON.stringify(appended)}`);
    offset += line.length;
    process.stdout.write(`${index}\n`);
    if (index % 3 === 0) {
      await consoles.note(JOB, `note ${index}`);
      process.stdout.write(`note ${index}\n`);
    }
  }
}
