// The tabs of a job. The address names the open one.
import { startOf } from '../api/run-answers.ts';
import { Revisions } from '../kit/revisions.tsx';
import { useParameter } from '../kit/routing.ts';
import { Artifacts } from './artifacts/artifacts.tsx';
import { Console } from './console/console.tsx';
import { Details } from './details.tsx';
import { hasEnded, isWaiting, type JobDetails, type JobLocator } from './job.ts';
import { ReportTab } from './report-tab.tsx';
import { Tests } from './tests/tests.tsx';
import { filesAddress } from './use-job.ts';

const CONSOLE = 'console';
const OWN_TABS = [CONSOLE, 'tests', 'artifacts', 'materials', 'details'] as const;
/** A tab of the configuration may have the name of one of these tabs. */
const PREFIX = 'report:';

interface JobTabsProps {
  readonly at: JobLocator;
  readonly job: JobDetails;
}

export function JobTabs({ at, job }: JobTabsProps) {
  const [open, setOpen] = useParameter('tab', CONSOLE);
  const names = [...OWN_TABS, ...job.tabs.map(({ name }) => PREFIX + name)];
  const shown = names.includes(open) ? open : CONSOLE;
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Of this job" onKeyDown={moveFocus}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === shown}
            aria-controls="tab-panel"
            tabIndex={name === shown ? 0 : -1}
            onClick={() => setOpen(name)}
          >
            {name.startsWith(PREFIX) ? name.slice(PREFIX.length) : capitalize(name)}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${shown}`} tabIndex={-1}>
        <TabContent name={shown} at={at} job={job} />
      </div>
    </>
  );
}

function TabContent({ name, at, job }: JobTabsProps & { readonly name: string }) {
  if (name === 'artifacts') return <Artifacts at={at} hasEnded={hasEnded(job)} />;
  if (name === 'tests') return <Tests at={at} hasEnded={hasEnded(job)} />;
  if (name === 'materials') return <Revisions revisions={job.material_revisions} />;
  if (name === 'details') return <Details job={job} />;
  const tab = job.tabs.find((one) => PREFIX + one.name === name);
  if (tab !== undefined) return <ReportTab key={`${name} ${tab.path}`} at={at} tab={tab} hasEnded={hasEnded(job)} />;
  // A job prints nothing before an agent has it.
  if (isWaiting(job)) return <p class="empty">It has printed nothing yet: it waits for an agent.</p>;
  if (startOf(job) === undefined) return <p class="empty">It has printed nothing: it ended before an agent had it.</p>;
  return <Console address={`${filesAddress(at)}/cruise-output/console.log`} isRunning={!hasEnded(job)} />;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

function moveFocus(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  const tabs = [...event.currentTarget.querySelectorAll('button')];
  const here = tabs.findIndex((tab) => tab.matches(':focus'));
  tabs[(here + step + tabs.length) % tabs.length]?.focus();
}

function capitalize(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
