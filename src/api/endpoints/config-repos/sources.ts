// Where in the files of a config repo its definitions stand.
import type { Config } from '../../../config/current.ts';
import type { DefinitionLocations } from '../../../config-repos/publish/definition-locations.ts';
import type { JsonOut, JsonSchema } from '../../../shape/json/json.ts';
import { described, MAYBE_TEXT, objectSchema, TEXT } from '../../../shape/json/schemas.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { configRepoRoute } from './config-repo-route.ts';

const SOURCE = objectSchema(
  {
    name: described(TEXT, 'Its name.'),
    file: described(TEXT, 'The file, from the root of the repository.'),
    line: { type: ['integer', 'null'], description: 'Where it begins; null: the file has changed since, and that is not in force.' },
  },
  { title: 'Source of a definition' },
);
const list = (description: string): JsonSchema => ({ type: 'array', items: SOURCE, description });
const SCHEMA = objectSchema(
  {
    revision: { ...MAYBE_TEXT, description: 'The revision that is in force, to which the lines belong; null: none.' },
    pipelines: list('Its pipelines.'),
    environments: list('Its parts of environments; several files can say something of the same one.'),
  },
  { title: 'Sources' },
);
const EXAMPLE: DefinitionLocations = {
  revision: '3f2a9c0e6d5b4a3f2e1d0c9b8a7f6e5d4c3b2a1f',
  pipelines: [
    { name: 'build', file: 'build.gocd.yaml', line: 3 },
    { name: 'deploy', file: 'build.gocd.yaml', line: 4 },
  ],
  environments: [{ name: 'qa', file: 'build.gocd.yaml', line: 6 }],
};

/** With the name of a pipeline, only where that one is. */
export type SourcesIn = (id: string, pipeline: string | undefined) => Promise<DefinitionLocations>;

export function configRepoSourcesRoute(config: Config, sourcesIn: SourcesIn): Route {
  return configRepoRoute(
    {
      method: 'GET',
      path: 'sources',
      version: 1,
      description: {
        summary: 'Where the definitions of a config repo stand',
        details: 'File and line of what is in force, in the order of files and lines.',
        query: { pipeline: { ...TEXT, description: 'Only where the pipeline of this name is defined.' } },
        response: SCHEMA,
        example: sourcesJson(EXAMPLE),
        hasEtag: true,
      },
      handle: async (id, { query }) => jsonAnswer(sourcesJson(await sourcesIn(id, query.get('pipeline') ?? undefined))),
    },
    config,
  );
}

function sourcesJson({ revision, pipelines, environments }: DefinitionLocations): JsonOut {
  const shown = (sources: DefinitionLocations['pipelines']): JsonOut[] => sources.map(({ name, file, line }) => ({ name, file, line }));
  return { revision, pipelines: shown(pipelines), environments: shown(environments) };
}
