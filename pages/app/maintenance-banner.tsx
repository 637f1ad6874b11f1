// Says on all pages that the server is in maintenance mode: changes are refused then.
import { useEffect, useState } from 'preact/hooks';
import { onNotices, whenMissed } from '../api/live/live.ts';
import { currentSession } from '../api/session.ts';
import { Link } from '../kit/link.tsx';
import { pageOf } from '../kit/routing.ts';

export function MaintenanceBanner() {
  const session = currentSession();
  const [noticed, setNoticed] = useState<boolean>();
  const isOn = noticed ?? session?.server.maintenance_mode ?? false;
  useEffect(() => {
    const stop = onNotices((notices) => {
      const enabled = notices.findLast(({ kind }) => kind === 'maintenance')?.enabled;
      if (enabled !== undefined) setNoticed(enabled);
    });
    // The session is read again then.
    const stopMissed = whenMissed(() => setNoticed(undefined));
    return () => {
      stop();
      stopMissed();
    };
  }, []);
  if (!isOn) return null;
  return (
    <p class="maintenance-banner" role="status">
      The server is in maintenance mode: nothing new is begun, and changes are refused.{' '}
      {session?.is_admin && <Link href={pageOf.maintenance()}>Why, and what still runs</Link>}
    </p>
  );
}
