// The state and the outcome of a backup, in plain words.
import type { Paint } from '../terminal/context.ts';

/** A backup in the API, with only the fields that are shown here. */
export interface Backup {
  readonly id: number;
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'ERROR' | 'ABORTED';
  readonly path: string;
  readonly message: string;
  readonly bytes: number | null;
  readonly verified: boolean | null;
  readonly verification: string | null;
  readonly phases: readonly { readonly name: string; readonly seconds: number; readonly bytes: number; readonly total_bytes: number }[];
  readonly script: { readonly problem: string | null } | null;
  readonly copy: { readonly status: string; readonly address: string; readonly message: string } | null;
}

const MEGABYTE = 1_000_000;

export interface PhaseText {
  readonly step: string;
  readonly details: string;
  readonly done: number;
  readonly all: number;
}

export function phaseText({ id, message, phases }: Backup): PhaseText {
  const phase = phases.at(-1);
  if (!phase) return { step: `Backup ${id}: ${message}`, details: '', done: 0, all: 0 };
  const { name, bytes, total_bytes: total, seconds } = phase;
  const share = total > 0 ? `${megabytes(bytes)} of ${megabytes(total)}, ` : '';
  return { step: `Backup ${id}: ${name}`, details: ` (${share}${Math.round(seconds)} s)`, done: bytes, all: total };
}

export function backupText(backup: Backup, paint: Paint): string {
  const { id, status, path, message, bytes, verified, verification, script, copy } = backup;
  if (status === 'IN_PROGRESS') return `Backup ${id} has begun: ${path}\n`;
  if (status !== 'COMPLETED')
    return [paint('red', `Backup ${id} failed. ${message}`), ...(script?.problem ? [script.problem] : []), ''].join('\n');
  const size = bytes === null ? '' : ` (${megabytes(bytes)}${verified ? ', verified' : ''})`;
  const warnings = [
    ...(verified ? [] : [`It is not verified: ${verification ?? 'nothing is known about it.'}`]),
    ...(copy === null || copy.status === 'completed' ? [] : [`The copy to ${copy.address} is ${copy.status}: ${copy.message}`]),
  ];
  return [`Backup ${id} is complete: ${path}${size}`, ...warnings.map((text) => paint('yellow', text)), ''].join('\n');
}

export function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
