// A program that keeps the disk busy: it writes a file and synchronises it, again and again.
import { fsyncSync, openSync, writeSync } from 'node:fs';

const BLOCK = Buffer.alloc(4 * 1024 * 1024, 'x');
const BLOCKS = 16;

const file = openSync(process.argv[2]!, 'w', 0o600);
process.stdout.write('ready at the-disk\n');
process.once('SIGTERM', () => process.exit());
(function write(block: number): void {
  writeSync(file, BLOCK, 0, BLOCK.length, block * BLOCK.length);
  fsyncSync(file);
  setImmediate(write, (block + 1) % BLOCKS);
})(0);
