// Finds chapters, routes and fields by words.
import type { JsonSchema } from '../../shape/json/json.ts';
import type { Route } from '../engine/route.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { routeAnchor } from './route-html.ts';
import type { SchemaChapters } from './schema-chapters.ts';
import { anchorOf } from './schema-html.ts';

export type FoundKind = 'chapter' | 'route' | 'field';

export interface SearchHit {
  readonly kind: FoundKind;
  readonly title: string;
  readonly about: string;
  /** Relative to the first page of the documentation. */
  readonly href: string;
}

export interface SearchIndex {
  /** The best first. */
  find(text: string): readonly SearchHit[];
}

/** Words in the title count more than those in the description. */
const RANKS: Readonly<Record<FoundKind, number>> = { chapter: 0, route: 1, field: 2 };
const NOT_IN_TITLE = 3;

export function searchIndex(routes: readonly Route[], chapters: readonly Chapter[], schemas: SchemaChapters): SearchIndex {
  const entries = [
    ...chapters.map(({ anchor, title, about }): SearchHit => ({ kind: 'chapter', title, about, href: `docs/${anchor}` })),
    ...routes.map(
      (route): SearchHit => ({
        kind: 'route',
        title: `${route.method} ${route.path}`,
        about: route.description.summary,
        href: `docs/${route.description.chapter}#${routeAnchor(route)}`,
      }),
    ),
    ...chapters.flatMap(({ anchor }) => fieldsIn(anchor, schemas)),
  ].map((found) => ({ found, title: found.title.toLowerCase(), text: `${found.title} ${found.about}`.toLowerCase() }));
  return {
    find: (text) => {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return [];
      return entries
        .filter((entry) => words.every((word) => entry.text.includes(word)))
        .map(({ found, title }) => ({ found, rank: RANKS[found.kind] + (words.every((word) => title.includes(word)) ? 0 : NOT_IN_TITLE) }))
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ found }) => found);
    },
  };
}

/** Each once, although most are answered and sent, and many stand in several variants. */
function fieldsIn(chapter: string, schemas: SchemaChapters): readonly SearchHit[] {
  const found = new Map<string, SearchHit>();
  for (const { schema } of schemas.shownIn(chapter)) {
    const name = String(schema.title);
    for (const { path, about } of fieldsOf(schema, '')) {
      const title = `${path} (${name.replace(/ request$/, '')})`;
      found.getOrInsert(title, { kind: 'field', title, about, href: `docs/${chapter}#${anchorOf(name)}` });
    }
  }
  return [...found.values()];
}

/** All members of a schema, however deep; those with a name of their own are fields of that. */
function fieldsOf(schema: JsonSchema, path: string): readonly { readonly path: string; readonly about: string }[] {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    const inner = typeof member.title === 'string' ? [] : fieldsOf(member, own);
    return name.startsWith('_') ? inner : [{ path: own, about: String(member.description ?? '') }, ...inner];
  });
  const { items, oneOf = [], anyOf = [] } = schema;
  const others = [...(items ? [items] : []), ...oneOf, ...anyOf].filter(({ title }) => typeof title !== 'string');
  return [...members, ...others.flatMap((one) => fieldsOf(one, path))];
}
