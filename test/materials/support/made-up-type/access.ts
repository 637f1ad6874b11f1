// How a journal is reached: its last line is its newest revision.
import { readFile } from 'node:fs/promises';
import { allowedPath } from '../../../../src/materials/addresses/forbidden-paths.ts';
import { MaterialProblem, type PollContext, type PolledMaterial } from '../../../../src/materials/clients/client.ts';
import { type RepositoryAccess, textOf } from '../../../../src/materials/types/repository-definition.ts';

export const journalAccess: RepositoryAccess = {
  client: {
    poll: async function* (material, known, context) {
      const revision = (await textIn(material, context)).trimEnd().split('\n').at(-1)!;
      if (revision === known?.revision) return;
      // The names of the files that changed would stand in `files`: filters of pipelines go by them.
      yield [{ revision, userName: 'a writer', email: null, comment: 'a line', modifiedTime: new Date(), files: [] }];
    },
    checkConnection: async (material, context) => void (await textIn(material, context)),
  },
  openFiles: async () => {
    throw new MaterialProblem('A journal has no files.');
  },
};

/** Opens only the path that was judged: the data directory of the server is closed to users who may name a repository. */
async function textIn({ url }: PolledMaterial, context: PollContext): Promise<string> {
  const path = allowedPath(textOf(url), context);
  if (path === undefined) throw new MaterialProblem('A journal is a file of the machine of the server.');
  return readFile(path, 'utf8');
}
