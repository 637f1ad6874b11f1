// Leads administrators from the page of an entity to its change history.
import type { EntityName } from '../../api/change-answers.ts';
import { currentSession } from '../../api/session.ts';
import { Link } from '../link.tsx';
import { pageOf } from '../routing.ts';

export function EntityHistoryLink(entity: EntityName) {
  if (currentSession()?.is_admin !== true) return null;
  return <Link href={pageOf.entityChanges(entity)}>History</Link>;
}
