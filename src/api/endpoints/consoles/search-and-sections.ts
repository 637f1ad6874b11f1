// For consoles that are too large for a browser: where the sections of a job begin, and which lines have a text.
import { LineSearch, type Match } from '../../../builds/console/search.ts';
import type { Section } from '../../../builds/console/sections.ts';
import { pause } from '../../../kit/concurrency/time-slices.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { type Answer, type ApiRequest, jsonAnswer, type Route } from '../../engine/route.ts';
import { flagIn } from '../../http/flag-in.ts';
import { mustBeKnown } from '../../http/known-query.ts';
import { ANY_NUMBER, numberIn } from '../common/number-in.ts';
import { type ReadableParts, readable } from './readable.ts';
import {
  DEFAULT_MATCHES,
  MATCHES,
  MAX_SEARCH_LENGTH,
  NO_SEARCH,
  SEARCH,
  SEARCH_PATH,
  SECTIONS,
  SECTIONS_PATH,
} from './search-and-sections-docs.ts';

/** Number of bytes that are searched for one request; the next one goes on. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;
const common = { method: 'GET', permission: 'user', version: 1 } as const;

export function searchAndSectionsRoutes(parts: ReadableParts): Route[] {
  const { consoles } = parts;
  return [
    { ...common, path: SECTIONS_PATH, description: { chapter: 'consoles', ...SECTIONS }, handle: sections },
    { ...common, path: SEARCH_PATH, description: { chapter: 'consoles', ...SEARCH }, handle: search },
  ];

  async function sections(request: ApiRequest): Promise<Answer> {
    mustBeKnown(request.query, SECTIONS);
    const { identifier, isActive } = await readable(parts, request);
    const { lines, bytes, list, isCut } = await consoles.sections(identifier, isActive);
    return jsonAnswer({ lines, bytes, is_active: isActive, is_cut: isCut, sections: list.map(sectionJson) });
  }

  async function search(request: ApiRequest): Promise<Answer> {
    const { query } = request;
    mustBeKnown(query, SEARCH);
    const { identifier, isActive } = await readable(parts, request);
    const text = query.get('search') ?? '';
    if (text === '' || text.length > MAX_SEARCH_LENGTH || text.includes('\n')) throw new Refusal('malformed', NO_SEARCH);
    const isCaseSensitive = flagIn(query, 'match_case');
    const limit = numberIn(query, 'limit', MATCHES) ?? DEFAULT_MATCHES;
    const after = numberIn(query, 'after', ANY_NUMBER);
    let isGone = false;
    const stopWatching = request.onGone(() => {
      isGone = true;
    });
    const looking = new LineSearch({ text, isCaseSensitive });
    const matches: Match[] = [];
    let [searched, last, isAtEnd] = [0, after ?? -1, true];
    for await (const block of consoles.lines(identifier, last + 1, isActive)) {
      const found = looking.matchesIn(block, limit - matches.length);
      matches.push(...found);
      searched += block.bytes.length;
      isAtEnd = matches.length < limit && searched < MAX_SEARCHED_BYTES && !isGone;
      last = matches.length < limit ? block.last : matches.at(-1)!.line;
      if (!isAtEnd) break;
      await pause();
    }
    stopWatching();
    return jsonAnswer({ matches: matches.map(matchJson), after: last < 0 ? null : last, is_end: isAtEnd });
  }
}

function sectionJson({ kind, line, offset, text, time, end, result }: Section) {
  return { kind, line, offset, text, time, end_line: end?.line ?? null, end_time: end?.time ?? null, result };
}

function matchJson({ line, offset, column, time, tag, text, is_cut }: Match) {
  return { line, offset, column, time, tag, text, ...(is_cut && { is_cut }) };
}
