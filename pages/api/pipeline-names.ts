// The pipelines that the user may see, in short: for searches and lists. Read when they are first needed, and kept for a while.
import { getJson } from './client.ts';
import { queries, type ReadState, useApi } from './queries.ts';

export interface PipelineName {
  readonly name: string;
  readonly group: string;
  /** The config repo that defines it. */
  readonly origin: string | null;
  readonly template: string | null;
  readonly canAdminister: boolean;
  readonly canOperate: boolean;
  readonly canPause: boolean;
}

/** The used part of the answer of `/api/dashboard/rows`: numbers in rows stand for texts. */
export interface RowsAnswer {
  readonly texts: readonly (string | null)[];
  /** Group, environment, config repo, template. */
  readonly places: readonly (readonly number[])[];
  readonly flags: { readonly canAdminister: number; readonly canOperate: number; readonly canPause: number };
  readonly rows: readonly (readonly [name: string, place: number, flags: number, ...rest: unknown[]])[];
}

const ADDRESS = '/api/dashboard/rows';
const VERSION = 1;
const FRESH_MS = 60_000;

export async function readPipelineNames(): Promise<readonly PipelineName[]> {
  return queries.fetchQuery({
    queryKey: [ADDRESS, VERSION, 'names'],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => pipelineNamesIn(await getJson<RowsAnswer>(ADDRESS, VERSION, signal)),
  });
}

/** The pipelines with their groups, read again when the configuration changes. */
export function usePipelineRows(): ReadState<RowsAnswer> {
  return useApi<RowsAnswer>(ADDRESS, VERSION, { changedBy: ({ kind }) => kind === 'config' });
}

export function pipelineNamesIn({ rows, texts, places, flags: { canAdminister, canOperate, canPause } }: RowsAnswer): PipelineName[] {
  return rows.map(([name, place, flags]) => {
    const [group = 0, , origin = 0, template = 0] = places[place] ?? [];
    return {
      name,
      group: texts[group] ?? '',
      origin: texts[origin] ?? null,
      template: texts[template] ?? null,
      canAdminister: (flags & canAdminister) !== 0,
      canOperate: (flags & canOperate) !== 0,
      canPause: (flags & canPause) !== 0,
    };
  });
}
