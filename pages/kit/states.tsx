// Shown in place of data: still loading, empty, or refused.
import type { ComponentChildren } from 'preact';
import type { ApiFailure } from '../api/failure.ts';
import type { ReadState } from '../api/queries.ts';
import { CopyButton } from './copy-button.tsx';
import { Link } from './link.tsx';
import { pageOf } from './routing.ts';
import { now, relativeTimeText } from './text/time.ts';

export function Loading({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <p class="loading" role="status">
      {what} …
    </p>
  );
}

export interface EmptyProps {
  /** One sentence. */
  readonly text: string;
  /** The button or the link of the next step. */
  readonly children?: ComponentChildren;
  /** The command line that does the same as the button, for users who prefer it. */
  readonly command?: string;
}

export function Empty({ text, children, command }: EmptyProps) {
  return (
    <div class="empty">
      <p>{text}</p>
      {children}
      {command !== undefined && (
        <details>
          <summary>By the command line</summary>
          <Command text={command} />
        </details>
      )}
    </div>
  );
}

export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <pre>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}

interface FailedProps {
  readonly failure: ApiFailure;
  readonly onRetry: () => void;
  /** Links that lead on from a page that does not exist, or that the user may not see. */
  readonly advice?: ((failure: ApiFailure) => ComponentChildren) | undefined;
}

/** A page, or a part of a page, that could not be read. */
export function Failed({ failure, onRetry, advice }: FailedProps) {
  return (
    <div class="failed" role="alert">
      <p>{failure.message}</p>
      {failure.status === 404 || failure.status === 403 ? (
        advice?.(failure)
      ) : (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Advice for a page of a pipeline that does not exist, or that the user may not see. */
export function pipelineAdvice({ status }: ApiFailure) {
  const advice =
    status === 403
      ? 'You may not view this pipeline, or it does not exist. Ask an administrator for the right to view its group.'
      : 'The address may be mistyped, or what it names was removed.';
  return (
    <>
      <p class="quiet">{advice}</p>
      <Link href={pageOf.dashboard()} class="button">
        All pipelines
      </Link>
    </>
  );
}

/** Leads from a page of a material that does not exist to all materials. */
export function materialAdvice() {
  return (
    <>
      <p class="quiet">The address may be mistyped, the revision is not known yet, or no pipeline that you may view uses this material.</p>
      <Link href={pageOf.materials()} class="button">
        All materials
      </Link>
    </>
  );
}

interface PartFailedProps {
  readonly what: string;
  readonly failure: ApiFailure;
  readonly onRetry: () => void;
}

/** A small part of a page that could not be read: the rest of the page is of use without it. That it may not be seen, the page itself says. */
export function PartFailed({ what, failure, onRetry }: PartFailedProps) {
  if (failure.status === 403 || failure.status === 404) return null;
  return (
    <p class="stale" role="status">
      {what} could not be read. {failure.message}{' '}
      <button type="button" class="link-button" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}

interface LoadedProps<T> extends Pick<FailedProps, 'advice'> {
  readonly read: ReadState<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows the read data; the last data stay, with their age, when reading them again fails. */
export function Loaded<T>({ read, advice, children }: LoadedProps<T>) {
  if (read.data === undefined) {
    if (read.failure !== undefined) return <Failed failure={read.failure} onRetry={read.reload} advice={advice} />;
    return <Loading />;
  }
  return (
    <>
      {read.failure !== undefined && (
        <p class="stale" role="status">
          {read.failure.message} What you see was read {relativeTimeText(read.readAt, now.value)}.{' '}
          <button type="button" class="link-button" onClick={read.reload}>
            Try again
          </button>
        </p>
      )}
      {children(read.data)}
    </>
  );
}
