// Where the schemas that have a name are shown: each in one chapter, the first whose routes use it.
import type { JsonSchema } from '../../shape/json/json.ts';
import { PATCH_SUFFIX } from '../../shape/json/merge-patch.ts';
import { type Route, resolveLazy } from '../engine/route.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { namedIn } from './schema-html.ts';

export interface ShownSchema {
  readonly schema: JsonSchema;
  /** It is a body, or a part of one; otherwise it is only answered. */
  readonly isSent: boolean;
}

export interface SchemaChapters {
  /** The chapter that shows a schema, by its title. */
  chapterOf(title: string): string | undefined;
  /** The schemas that a chapter shows. */
  shownIn(chapter: string): readonly ShownSchema[];
}

export function schemaChapters(routes: readonly Route[], chapters: readonly Chapter[]): SchemaChapters {
  const byChapter = Map.groupBy(routes, (route) => route.description.chapter);
  const chapterOf = new Map<string, string>();
  const shownIn = new Map<string, ShownSchema[]>();
  for (const { anchor } of chapters) {
    for (const shown of (byChapter.get(anchor) ?? [])
      .flatMap(schemasOf)
      .toSorted((one, other) => Number(one.isSent) - Number(other.isSent))) {
      const title = String(shown.schema.title);
      if (chapterOf.has(title) || title.endsWith(PATCH_SUFFIX)) continue;
      chapterOf.set(title, anchor);
      shownIn.getOrInsertComputed(anchor, () => []).push(shown);
    }
  }
  return { chapterOf: (title) => chapterOf.get(title), shownIn: (chapter) => shownIn.get(chapter) ?? [] };
}

function schemasOf({ description: { request, bodies = {}, response } }: Route): readonly ShownSchema[] {
  const sent = [...(request ? [request.schema] : []), ...Object.values(bodies).map(({ schema }) => schema)];
  return [
    ...(response ? namedIn(resolveLazy(response)).map((schema) => ({ schema, isSent: false })) : []),
    ...sent.flatMap((schema) => namedIn(resolveLazy(schema))).map((schema) => ({ schema, isSent: true })),
  ];
}
