// How a journal is reached: its last line is its newest revision.
import { readFile } from 'node:fs/promises';
import { MaterialProblem } from '../../../../src/materials/clients/client.ts';
import type { RepositoryAccess } from '../../../../src/materials/types/repository-definition.ts';

export const journalAccess: RepositoryAccess = {
  client: {
    poll: async function* ({ url }, known) {
      const revision = (await readFile(String(url), 'utf8')).trimEnd().split('\n').at(-1)!;
      if (revision === known?.revision) return;
      yield [{ revision, userName: 'a writer', email: null, comment: 'a line', modifiedTime: new Date(), files: [] }];
    },
    checkConnection: async ({ url }) => void (await readFile(String(url))),
  },
  openFiles: async () => {
    throw new MaterialProblem('A journal has no files.');
  },
};
