// Shows that another user has changed what a form shows. The form stays as it is: its user may be typing.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { onNotices, whenMissed } from '../../api/live/live.ts';

/** The ETag of an entity; null: there is none. */
type Version = string | null;

/** Gives a change of one's own time to be answered, and lets many changes be read at once. */
const PAUSE_MS = 500;

/** The newest version, where it is another one than the form shows; undefined: it is the same. */
function useNewerVersion(address: string, version: number, shown: Version | undefined): Version | undefined {
  const [newest, setNewest] = useState<Version>();
  useEffect(() => {
    setNewest(undefined);
    if (shown === undefined) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      // Without an answer it is not known; then saving reveals it.
      readVersion(address, version, leaving.signal).then(setNewest, () => undefined);
    };
    const lookSoon = (): void => {
      timer ??= setTimeout(look, PAUSE_MS);
    };
    const stops = [
      onNotices((notices) => {
        if (notices.some(({ kind }) => kind === 'config')) lookSoon();
      }),
      whenMissed(lookSoon),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      leaving.abort();
    };
  }, [address, version, shown]);
  return newest === shown ? undefined : newest;
}

async function readVersion(address: string, version: number, signal: AbortSignal): Promise<Version | undefined> {
  try {
    return (await request(address, { version, signal })).headers.get('ETag') ?? undefined;
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 404) return null;
    throw failure;
  }
}

interface OutdatedNote {
  readonly isDeleted: boolean;
  /** What to show above the form. */
  readonly note: ComponentChildren;
}

/** `shown` is undefined where it does not matter. */
export function useOutdated(address: string, version: number, shown: Version | undefined, onShow: () => void): OutdatedNote {
  const newer = useNewerVersion(address, version, shown);
  if (newer === undefined) return { isDeleted: false, note: null };
  const what = newer === null ? 'deleted' : shown === null ? 'set' : 'changed';
  const note = (
    <p class="stale" role="status">
      Another user has {what} this. What you typed here is kept as a draft, without secrets.{' '}
      <button type="button" class="link-button" onClick={onShow}>
        Show it as it is now
      </button>
    </p>
  );
  return { isDeleted: newer === null, note };
}
