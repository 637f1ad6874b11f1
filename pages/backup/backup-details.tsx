// The details of one backup: its phases, whether it is verified and why not, its copy, its script, and how to restore it.
import { addressOf, path } from '../api/address.ts';
import { Fact, Facts } from '../kit/facts.tsx';
import { Command } from '../kit/states.tsx';
import { bytesText } from '../kit/text/bytes.ts';
import { durationText } from '../kit/text/time.ts';
import { type Backup, hasFolder, isUnderWay, type Phase, percentOf, restoreCommand } from './backup.ts';

export function BackupDetails({ backup }: { readonly backup: Backup }) {
  const { id, message, phases, verification, copy, script, removed_at } = backup;
  return (
    <>
      <p>{message}</p>
      {verification !== null && <p>It is not verified: {verification}</p>}
      <Facts>
        {phases.map((phase) => (
          <Fact key={phase.name} name={phase.name}>
            {phaseText(phase, isUnderWay(backup))}
          </Fact>
        ))}
        {copy !== null && (
          <Fact name={`copy (${copy.status})`}>
            {copy.address} {copy.message}
          </Fact>
        )}
        {script !== null && <Fact name="script">{script.problem ?? `${script.path} succeeded`}</Fact>}
      </Facts>
      {script !== null && script.output !== '' && (
        <details>
          <summary>What the script wrote</summary>
          <pre class="backup-output">{script.output}</pre>
        </details>
      )}
      {removed_at !== null && <p>Its folder was removed by the rule for keeping backups.</p>}
      {hasFolder(backup) && (
        <>
          <h2>Restore it</h2>
          <p>On a machine with this software and the folder, into a new or empty data directory that no server uses:</p>
          <Command text={restoreCommand(backup)} />
          <p>
            It holds the keys of all secrets: keep it as safe as the server.{' '}
            <a href={addressOf(path`/api/backups/${id}/manifest`)} download>
              Download the manifest
            </a>{' '}
            with the checksums of all parts.
          </p>
        </>
      )}
    </>
  );
}

function phaseText(phase: Phase, isLasting: boolean): string {
  const percent = isLasting ? percentOf(phase) : undefined;
  const size = percent === undefined || percent === 100 ? bytesText(phase.bytes) : `${bytesText(phase.bytes)}, ${percent} %`;
  return `${size} in ${durationText(phase.seconds * 1000)}`;
}
