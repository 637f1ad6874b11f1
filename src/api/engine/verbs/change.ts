// Changes the configuration as a request asks for; one that is only tried leaves its draft behind, to be shown.
import type { ChangeOptions } from '../../../config/change.ts';
import type { Draft } from '../../../config/draft.ts';
import type { ResourceParts } from '../resource-parts.ts';
import type { ApiRequest } from '../route.ts';

export function change<T>(
  { changes }: Pick<ResourceParts, 'changes'>,
  request: ApiRequest,
  decide: (draft: Draft) => T,
  { extraStatements }: Pick<ChangeOptions, 'extraStatements'> = {},
): Promise<T> {
  const { isDryRun: dryRun } = request;
  const noting = (draft: Draft) => {
    request.noteDryRun(draft);
    return decide(draft);
  };
  return changes.apply(request.author, dryRun ? noting : decide, { dryRun, ...(extraStatements && { extraStatements }) });
}
