// The label that shows people where a definition comes from.
import type { Draft } from '../../config/draft.ts';

export const OWN_SOURCE = 'cruise-config.xml';

export function sourceLabel(draft: Draft, repo: string): string {
  return draft.findEntity('publishedRevisions', repo)?.source ?? `config repo '${repo}'`;
}
