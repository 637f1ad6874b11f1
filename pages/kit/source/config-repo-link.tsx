// A config repo by its name; a link for users who may open config repos.
import { currentSession } from '../../api/session.ts';
import { Link } from '../link.tsx';
import { pageOf } from '../routing.ts';

export function ConfigRepoLink({ id }: { readonly id: string }) {
  if (currentSession()?.can?.view_config_repos !== true) return <strong>{id}</strong>;
  return <Link href={pageOf.configRepo(id)}>{id}</Link>;
}
