// An address that leads nowhere.
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';
import { useTitle } from '../kit/title.ts';

export function NotFound() {
  useTitle('Not found');
  return (
    <div class="empty">
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or what it named was removed.</p>
      <Link href={pageOf.dashboard()} class="button">
        All pipelines
      </Link>
    </div>
  );
}
