// A thread whose plugins do what hostile files could make a plugin do.
import { parentPort } from 'node:worker_threads';
import { serveParsers } from '../../../src/config-repos/parsing/thread.ts';
import type { ParsedFile } from '../../../src/contracts/plugins/config-repo.ts';

const hoard: unknown[] = [];

serveParsers(parentPort!, [
  {
    id: 'plain',
    parse: ({ path }, bytes): ParsedFile => {
      const name = Buffer.from(bytes).toString();
      const positions = new Uint32Array([3, 1, 4, 1]);
      const pipeline = { name, group: 'g', file: path, line: 3, column: 1, body: { name }, positions, displayOrder: 2 };
      return { path, version: 10, pipelines: [pipeline], environments: [], problems: [], warnings: [] };
    },
  },
  {
    id: 'endless',
    parse: () => {
      for (;;) hoard.length = 0;
    },
  },
  {
    id: 'greedy',
    parse: () => {
      // In small pieces: a large one that cannot be had would end the whole process.
      for (let chain: object = {}; ; ) chain = { chain };
    },
  },
  { id: 'ending', parse: () => process.exit(3) },
  {
    id: 'failing',
    parse: () => {
      throw new Error('on purpose');
    },
  },
]);
