// States of runs, stages and jobs: colour, shape and word together, because no one of them is enough for all users.

export type StatusName = 'passed' | 'failed' | 'building' | 'waiting' | 'cancelled' | 'paused' | 'unknown';

const BY_WORD: Readonly<Record<string, StatusName>> = {
  passed: 'passed',
  failed: 'failed',
  failing: 'failed',
  building: 'building',
  preparing: 'building',
  completing: 'building',
  assigned: 'building',
  scheduled: 'waiting',
  waiting: 'waiting',
  cancelled: 'cancelled',
  paused: 'paused',
};

/** Each drawn in a square of 16: no two of them have the same outline. */
const SHAPES: Readonly<Record<StatusName, string>> = {
  passed: 'M6.2 11.6 2.6 8l1.2-1.2 2.4 2.4 6-6L13.4 4.4z',
  failed: 'M4 2.6 8 6.6l4-4L13.4 4l-4 4 4 4-1.4 1.4-4-4-4 4L2.6 12l4-4-4-4z',
  building: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.6v9.8a4.9 4.9 0 0 0 0-9.8z',
  waiting: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.6a4.9 4.9 0 1 0 0 9.8 4.9 4.9 0 0 0 0-9.8z',
  cancelled: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM4.6 10.3l5.7-5.7a4.9 4.9 0 0 0-5.7 5.7zm1.1 1.1a4.9 4.9 0 0 0 5.7-5.7z',
  paused: 'M4 2.5h2.8v11H4zm5.2 0H12v11H9.2z',
  unknown: 'M2.5 7.1h11v1.8h-11z',
};

export function statusOf(word: string): StatusName {
  return BY_WORD[word.toLowerCase()] ?? 'unknown';
}

export function StatusIcon({ status }: { readonly status: StatusName }) {
  return (
    <svg class={`status-icon is-${status}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={SHAPES[status]} />
    </svg>
  );
}

/** The state in a word, with its shape. */
export function Status({ word }: { readonly word: string }) {
  const status = statusOf(word);
  return (
    <span class={`status is-${status}`}>
      <StatusIcon status={status} />
      {word}
    </span>
  );
}
