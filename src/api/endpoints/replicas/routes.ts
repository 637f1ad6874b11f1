// The servers that share the database of this one.
import { described, embeddedSchema, FLAG, objectSchema, TEXT, TIME } from '../../../shape/json/schemas.ts';
import { EXAMPLE_BASE, EXAMPLE_TIME } from '../../engine/answer-example.ts';
import { jsonAnswer, type Route } from '../../engine/route.ts';
import { docLink, links } from '../common/links.ts';

export interface ReplicaFacts {
  readonly id: string;
  /** Where the others reach it. */
  readonly url: string;
  readonly host: string;
  readonly version: string;
  readonly startedAt: string;
  /** Milliseconds since its last contact. */
  readonly silence: number;
  /** The number of writes that are not known there yet. */
  readonly lag: number;
  readonly isKeeper: boolean;
  /** It is the one that answers. */
  readonly isThis: boolean;
}

const PATH = '/api/admin/replicas';
const CHAPTER = 'replicas';
const EXAMPLE: Omit<ReplicaFacts, 'version'> = {
  id: 'embedded',
  url: EXAMPLE_BASE,
  host: 'build-1',
  startedAt: EXAMPLE_TIME,
  silence: 0,
  lag: 0,
  isKeeper: true,
  isThis: true,
};

const SCHEMA = embeddedSchema(
  'replicas',
  objectSchema({
    id: described(TEXT, 'Made up at each start; `embedded` for a server that has its database for itself.'),
    url: described(TEXT, 'Where the others reach it.'),
    host: described(TEXT, 'The name of its machine.'),
    version: described(TEXT, 'Its version.'),
    started_at: described(TIME, 'When it was started.'),
    silent_ms: { type: 'integer', minimum: 0, description: 'Milliseconds since it was heard of.' },
    lag: { type: 'integer', minimum: 0, description: 'How many writes are not known there yet.' },
    keeper: described(FLAG, 'Whether it does the background work.'),
    this: described(FLAG, 'Whether it is the one that answers.'),
  }),
);

export function replicaRoutes(version: string, list: (base: string) => Promise<readonly ReplicaFacts[]>): Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      version: 1,
      permission: 'admin',
      description: {
        chapter: CHAPTER,
        summary: 'The servers on this database',
        details:
          'Who is there, how far each is behind, and which one does the background work (the keeper). A server with the embedded database is alone.',
        response: SCHEMA,
        example: () => body([{ ...EXAMPLE, version }], EXAMPLE_BASE),
      },
      handle: async ({ base }) => jsonAnswer(body(await list(base), base)),
    },
  ];
}

function body(replicas: readonly ReplicaFacts[], base: string) {
  return {
    _links: links(base, { self: PATH, doc: docLink(CHAPTER) }),
    _embedded: { replicas: replicas.map(replicaJson) },
  };
}

function replicaJson({ id, url, host, version, startedAt, silence, lag, isKeeper, isThis }: ReplicaFacts) {
  return { id, url, host, version, started_at: startedAt, silent_ms: silence, lag, keeper: isKeeper, this: isThis };
}
