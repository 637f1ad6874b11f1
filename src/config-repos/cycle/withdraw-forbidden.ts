// The definitions of a repo stay in force, unless its current rules forbid one of their references.
import type { Config } from '../../config/current.ts';
import type { Publisher } from '../publish/publisher.ts';
import { withdrawalReason } from '../publish/withdrawal-reason.ts';
import type { RepoConfig } from './repo-config.ts';

export async function withdrawForbidden(
  { id, etag, rules }: Pick<RepoConfig, 'id' | 'etag' | 'rules'>,
  { config, publisher }: { readonly config: Config; readonly publisher: Pick<Publisher, 'forbidden' | 'withdraw'> },
): Promise<void> {
  const published = config.of('publishedRevisions').find(id);
  const forbidden = published && (await publisher.forbidden(id, rules));
  if (!forbidden || config.of('configRepos').find(id)?.etag !== etag) return;
  const reason = withdrawalReason(forbidden, String(published.value.source));
  await publisher.withdraw(id, { actor: actorOf(id), token: null, address: null, reason });
}

/** The author of changes of the configuration that a repo makes. */
export function actorOf(repo: string): string {
  return `config repo ${repo}`;
}
