// Maintenance mode: switch it on and off, and see the work that still runs.
import { send } from '../api/client.ts';
import { reloadAll, useApi } from '../api/queries.ts';
import { AdminsOnly } from '../kit/admins-only.tsx';
import { Fact, Facts } from '../kit/facts.tsx';
import { runAction } from '../kit/messages.tsx';
import { Loaded } from '../kit/states.tsx';
import { RelativeTime } from '../kit/text/relative-time.tsx';
import { dateTimeText, durationText, now } from '../kit/text/time.ts';
import { useTitle } from '../kit/title.ts';
import { MAINTENANCE_ADDRESS, MAINTENANCE_VERSION, type MaintenanceInfo, type Period } from './maintenance.ts';
import { StillRunning } from './still-running.tsx';
import { SwitchOn } from './switch-on.tsx';

/** The page polls: notices report only a part of the running work. */
const EVERY_MS = 2_000;

export function MaintenancePage() {
  useTitle('Maintenance mode');
  return (
    <AdminsOnly title="Maintenance mode">
      <Maintenance />
    </AdminsOnly>
  );
}

function Maintenance() {
  const read = useApi<MaintenanceInfo>(`${MAINTENANCE_ADDRESS}/info`, MAINTENANCE_VERSION, {
    changedBy: ({ kind }) => kind === 'maintenance',
    everyMs: EVERY_MS,
  });
  return (
    <>
      <h1>Maintenance mode</h1>
      <Loaded read={read}>
        {(info) => (info.attributes === undefined ? <Off info={info} /> : <On info={info} period={info.attributes} />)}
      </Loaded>
    </>
  );
}

function Off({ info: { metadata } }: { readonly info: MaintenanceInfo }) {
  return (
    <>
      <p>
        It is off.{' '}
        {metadata.updated_on !== null && (
          <span class="quiet">
            {metadata.updated_by} switched it off <RelativeTime at={metadata.updated_on} />.
          </span>
        )}
      </p>
      <p>While it is on, nothing new is begun, and changes are refused. What runs is finished. Pages, downloads and backups still work.</p>
      <SwitchOn />
    </>
  );
}

function On({ info: { metadata }, period }: { readonly info: MaintenanceInfo; readonly period: Period }) {
  const switchOff = async (): Promise<void> => {
    await runAction(
      () => send(`${MAINTENANCE_ADDRESS}/disable`, { method: 'POST', version: MAINTENANCE_VERSION }),
      'Maintenance mode is off.',
    );
    reloadAll(MAINTENANCE_ADDRESS);
  };
  return (
    <>
      <div class="maintenance-state">
        <Facts>
          <Fact name="On since">
            <RelativeTime at={metadata.updated_on} /> by {metadata.updated_by}
          </Fact>
          <Fact name="Why">{period.reason ?? <span class="quiet">no reason was given</span>}</Fact>
          <Fact name="Ends">{period.until === null ? 'when it is switched off' : endText(Date.parse(period.until), now.value)}</Fact>
          <Fact name="After a restart">{period.survive_restart ? 'still on' : 'off'}</Fact>
        </Facts>
        <button type="button" class="button is-primary" onClick={() => void switchOff()}>
          Switch off
        </button>
      </div>
      <StillRunning running={period.running_systems} isDrained={!period.has_running_systems} />
    </>
  );
}

function endText(end: number, present: number): string {
  return `by itself in ${durationText(Math.max(0, end - present))}, ${dateTimeText(end)}`;
}
