// Backups: make one, see how far it is, see those that were made, and how to restore one.
import { useEffect, useState } from 'preact/hooks';
import { pathIn, urlOf } from '../api/address.ts';
import { request } from '../api/client.ts';
import { reloadAll, useApi, useApiPages } from '../api/queries.ts';
import { currentSession } from '../api/session.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { CronTimes } from '../kit/cron/cron-times.tsx';
import { Link } from '../kit/link.tsx';
import { runAction } from '../kit/messages.tsx';
import { Empty, Loaded } from '../kit/states.tsx';
import { shellQuote } from '../kit/text/text.ts';
import { useTitle } from '../kit/title.ts';
import { BACKUPS_ADDRESS, BACKUPS_VERSION, type Backup, type BackupList, isUnderWay } from './backup.ts';
import { BackupTable } from './backup-table.tsx';

/** There are no notices of backups, so the page polls: often while a backup is made. */
const EVERY_MS = 15_000;
const EVERY_MS_WHILE_MADE = 1_000;
const CONFIG_ADDRESS = '/api/config/backup';
const CONFIG_VERSION = 1;

export function BackupPage() {
  useTitle('Backups');
  return (
    <AdminsOnly title="Backups">
      <Backups />
    </AdminsOnly>
  );
}

function Backups() {
  const [isMaking, setIsMaking] = useState(false);
  const read = useApi<BackupList>(BACKUPS_ADDRESS, BACKUPS_VERSION, { everyMs: isMaking ? EVERY_MS_WHILE_MADE : EVERY_MS });
  useEffect(() => setIsMaking(read.data?._embedded.backups.some(isUnderWay) ?? false), [read.data]);
  const start = async (): Promise<void> => {
    await runAction(async () => {
      await request(BACKUPS_ADDRESS, { method: 'POST', version: BACKUPS_VERSION });
      return undefined;
    }, 'A backup is being made.');
    reloadAll(BACKUPS_ADDRESS);
  };
  const button = (
    <button type="button" class="button is-primary" onClick={() => void start()}>
      Make a backup now
    </button>
  );
  return (
    <>
      <div class="page-header">
        <h1>Backups</h1>
        {read.data?._embedded.backups.length !== 0 && button}
        <Link href="/admin/server_configuration/backup">Schedule and mail</Link>
        <Link href="/admin/server_configuration/extensions">Retention and copies</Link>
      </div>
      <NextBackup />
      <Loaded read={read}>
        {({ _links: { next }, _embedded: { backups } }) =>
          backups.length === 0 ? (
            <Empty text="There is no backup yet. It is made while the server runs." command={commandToMake()}>
              {button}
            </Empty>
          ) : (
            <BackupTable backups={backups} older={next && <OlderBackups address={pathIn(next.href)} />} />
          )
        }
      </Loaded>
    </>
  );
}

/** When the schedule makes the next one. */
function NextBackup() {
  const { data } = useApi<{ readonly schedule?: string | null }>(CONFIG_ADDRESS, CONFIG_VERSION, {
    changedBy: ({ kind }) => kind === 'config',
  });
  if (data === undefined) return null;
  if (!data.schedule) return <p class="quiet">There is no schedule: backups are made on request only.</p>;
  return <CronTimes spec={data.schedule} max={1} />;
}

/** Stands below the facts that users look at often. */
function OlderBackups({ address }: { readonly address: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { pages, failure, hasMore, isLoading, isLoadingMore, loadMore } = useApiPages<BackupList>(
    address,
    BACKUPS_VERSION,
    ({ _links: { next } }) => next && pathIn(next.href),
    { isEnabled: isOpen },
  );
  const backups: readonly Backup[] = pages.flatMap(({ _embedded }) => _embedded.backups);
  return (
    <>
      {backups.length > 0 && <BackupTable backups={backups} />}
      {failure !== undefined && (
        <p class="refusal" role="alert">
          {failure.message}
        </p>
      )}
      {(!isOpen || hasMore) && (
        <button type="button" class="button" disabled={isLoading || isLoadingMore} onClick={() => (isOpen ? loadMore() : setIsOpen(true))}>
          Show older backups
        </button>
      )}
    </>
  );
}

function commandToMake(): string {
  return [
    `curl --user ${shellQuote(currentSession()?.login_name ?? 'NAME')} --request POST ${urlOf(BACKUPS_ADDRESS)} \\`,
    "  --header 'Accept: application/vnd.svc.v2+json' --header 'X-Svc-Confirm: true'",
  ].join('\n');
}
