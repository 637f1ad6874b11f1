// The names of all pipelines that somebody may see, for searches. Read when they are first needed, and kept for a while.
import { getJson } from './client.ts';
import { queries } from './queries.ts';

export interface PipelineName {
  readonly name: string;
  readonly group: string;
}

/** What is read of `/api/dashboard/rows`: numbers in rows stand for texts. */
interface RowsAnswer {
  readonly texts: readonly (string | null)[];
  readonly rows: readonly (readonly [name: string, group: number, ...rest: unknown[]])[];
}

const ADDRESS = '/api/dashboard/rows';
const VERSION = 1;
const FRESH_MS = 60_000;

export async function readPipelineNames(): Promise<readonly PipelineName[]> {
  return queries.fetchQuery({
    queryKey: [ADDRESS, VERSION, 'names'],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => namesIn(await getJson<RowsAnswer>(ADDRESS, VERSION, signal)),
  });
}

export function namesIn({ rows, texts }: RowsAnswer): PipelineName[] {
  return rows.map(([name, group]) => ({ name, group: texts[group] ?? '' }));
}
