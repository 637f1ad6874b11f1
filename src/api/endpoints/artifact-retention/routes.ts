// The artifacts that would be deleted, and the space that they take.
import type { RetentionFacts } from '../../../artifacts/retention/facts.ts';
import { previewPurge } from '../../../artifacts/retention/preview.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { ArtifactUsage } from '../../../store/artifacts/usage.ts';
import { ofKeeper } from '../../engine/keeper-routes.ts';
import { type Answer, jsonAnswer, type Route } from '../../engine/route.ts';
import { etagOfText } from '../../http/headers/etags.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { ANY_NUMBER, numberIn } from '../common/number-in.ts';
import { badCursor, DEFAULT_PAGE, PAGE_SIZE, PREVIEW, USAGE_OF_ALL } from './docs.ts';
import { CHAPTER, PREVIEW_PATH, previewJson, readCursor, USAGE_PATH, usageJson } from './json.ts';

export interface ArtifactRetentionParts {
  readonly facts: RetentionFacts;
  readonly usage: ArtifactUsage;
  /** The names of pipelines as they are written, by their keys, and whether they still exist. */
  namesOf(keys: readonly string[]): Promise<ReadonlyMap<string, { readonly name: string; readonly isConfigured: boolean }>>;
}

const FREE_SPACE = new Set(['free_bytes', 'disk_free_bytes']);
const common = { method: 'GET', version: 1, permission: 'admin' } as const;

/** The keeper answers: it is the one that deletes, and that has the disk. */
export function artifactRetentionRoutes({ facts, usage, namesOf }: ArtifactRetentionParts): Route[] {
  return ofKeeper([
    {
      ...common,
      path: PREVIEW_PATH,
      description: { chapter: CHAPTER, ...PREVIEW },
      handle: async ({ query, base }) => {
        mustBeKnown(query, PREVIEW);
        const size = numberIn(query, 'page_size', PAGE_SIZE) ?? DEFAULT_PAGE;
        const free = numberIn(query, 'free_bytes', ANY_NUMBER);
        const from = cursorIn(query);
        const preview = await previewPurge(facts, { ...(from && { from }), limit: size, free });
        return tagged(previewJson(base, { size, free }, facts.settings(), preview), base);
      },
    },
    {
      ...common,
      path: USAGE_PATH,
      description: { chapter: CHAPTER, ...USAGE_OF_ALL },
      handle: async ({ query, base }) => {
        mustBeKnown(query, USAGE_OF_ALL);
        const size = numberIn(query, 'page_size', PAGE_SIZE) ?? DEFAULT_PAGE;
        const offset = numberIn(query, 'offset', ANY_NUMBER) ?? 0;
        const [rows, total, free] = await Promise.all([usage.page(offset, size), usage.total(), facts.free()]);
        const names = await namesOf(rows.map(({ pipeline_key: key }) => key));
        const pipelines = rows.map(({ pipeline_key: key, files, bytes }) => {
          const { name, isConfigured } = names.get(key) ?? { name: key, isConfigured: false };
          return { pipeline: name, isConfigured, files, bytes };
        });
        return tagged(usageJson(base, { offset, size }, { pipelines, total, free }), base);
      },
    },
  ]);
}

/** The ETag stays the same while only the free space changes. */
function tagged(body: object, base: string): Answer {
  const counting = JSON.stringify(body, (name, value) => (FREE_SPACE.has(name) ? undefined : value));
  return jsonAnswer(body, { etag: etagOfText(counting, base) });
}

function cursorIn(query: URLSearchParams) {
  const given = query.get('after');
  if (given === null) return undefined;
  const cursor = readCursor(given);
  if (!cursor) throw new Refusal('malformed', badCursor(given));
  return cursor;
}
