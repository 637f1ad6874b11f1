// The label that shows people where a definition comes from.
import type { Draft } from '../../config/draft.ts';

export const OWN_SOURCE = 'cruise-config.xml';

export function sourceLabel(draft: Draft, repo: string): string {
  const kind = draft.kindNamed('publishedRevisions');
  return String((kind && draft.find(kind, repo)?.value.source) ?? `config repo '${repo}'`);
}
