// Backups in rows, each with its details below.

import type { ComponentChildren } from 'preact';
import { useParameter } from '../kit/routing.ts';
import { StatusIcon } from '../kit/status.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { bytesText } from '../kit/text/bytes.ts';
import { Duration, RelativeTime } from '../kit/text/relative-time.tsx';
import { durationText } from '../kit/text/time.ts';
import { type Backup, isUnderWay, outcomeOf, percentOf, tookMs } from './backup.ts';
import { BackupDetails } from './backup-details.tsx';

const COLUMNS = ['Backup', 'State', 'Size', 'Took', 'By', 'Folder'];

interface BackupTableProps {
  readonly backups: readonly Backup[];
  /** Older backups, or the button that shows them. */
  readonly older?: ComponentChildren;
}

export function BackupTable({ backups, older }: BackupTableProps) {
  const [open, setOpen] = useParameter('open');
  return (
    <>
      <div class="table-scroll">
        <table class="backups">
          <TableHead columns={COLUMNS} />
          {backups.map((backup) => (
            <BackupRows
              key={backup.id}
              backup={backup}
              isOpen={open === String(backup.id)}
              onToggle={() => setOpen(open === String(backup.id) ? '' : String(backup.id))}
            />
          ))}
        </table>
      </div>
      {older}
    </>
  );
}

interface BackupRowsProps {
  readonly backup: Backup;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function BackupRows({ backup, isOpen, onToggle }: BackupRowsProps) {
  const { word, icon } = outcomeOf(backup);
  return (
    <tbody>
      <tr>
        <td>
          <button type="button" class="link-button" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? '▾' : '▸'} {backup.id}
          </button>{' '}
          <RelativeTime at={backup.time} />
        </td>
        <td>
          <span class={`status is-${icon}`}>
            <StatusIcon status={icon} />
            {word}
          </span>
          {isUnderWay(backup) && <Progress backup={backup} />}
          {backup.status === 'ERROR' && <span class="backup-why">{backup.message}</span>}
        </td>
        <td class="number">{backup.bytes !== null && bytesText(backup.bytes)}</td>
        <td>{isUnderWay(backup) ? <Duration from={backup.time} /> : <span class="number">{durationText(tookMs(backup))}</span>}</td>
        <td>{backup.initiated_via === 'TIMER' ? 'schedule' : backup.user.login_name}</td>
        <td class="backup-path">{backup.path}</td>
      </tr>
      {isOpen && (
        <tr class="backup-details">
          <td colSpan={COLUMNS.length}>
            <BackupDetails backup={backup} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function Progress({ backup: { phases, message } }: { readonly backup: Backup }) {
  const phase = phases.at(-1);
  const percent = phase && percentOf(phase);
  return (
    <span class="backup-progress">
      {phase === undefined ? message : phase.name}{' '}
      {percent === undefined ? null : <progress max={100} value={percent} aria-label={`Progress of ${phase?.name}`} />}
    </span>
  );
}
