// The clients of all types of repositories. Each is loaded when it is asked for the first time.
import { type MaterialClient, MaterialProblem, type PolledMaterial } from '../clients/client.ts';
import { ofEachType, type RepositoryType } from './list.ts';
import type { RepositoryDefinition } from './repository-definition.ts';

export function repositoryClients(): Readonly<Record<RepositoryType, MaterialClient<PolledMaterial>>> {
  return ofEachType(clientOf);
}

function clientOf({ load, external }: RepositoryDefinition): MaterialClient<PolledMaterial> {
  const client = async () => (await load()).client;
  return {
    poll: async function* (material, known, context) {
      yield* (await client()).poll(material, known, context);
    },
    checkConnection: async (material, context) => (await client()).checkConnection(material, context),
    checkOut: async (material, revision, into, context) => {
      const { checkOut } = await client();
      if (!checkOut) throw new MaterialProblem(`Materials of the type ${material.type} cannot be checked out.`);
      return checkOut(material, revision, into, context);
    },
    ...(external && {
      external,
      findExternals: async (material, context) => (await client()).findExternals!(material, context),
    }),
  };
}
