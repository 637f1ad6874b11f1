// A page whose code is loaded when it is first opened.
import { type ComponentType, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { whenReturned } from '../api/live/live.ts';
import { decodeOrKeep } from '../kit/page-addresses.ts';
import type { PageProps, Parameters } from '../kit/page-props.ts';
import { Loading } from '../kit/states.tsx';

export type LazyPage<P extends Parameters> = ComponentType<PageProps<P>> & {
  /** Loads it before it is known whether it may be shown. Never fails: the page itself reports a failure. */
  readonly preload: () => Promise<void>;
};

/** `Above` is shown above the page, also while its code is loaded. */
export function lazyPage<P extends Parameters>(
  load: () => Promise<ComponentType<PageProps<P>>>,
  Above: ComponentType = Fragment,
): LazyPage<P> {
  let loaded: ComponentType<PageProps<P>> | undefined;
  const preload = (): Promise<void> =>
    load().then(
      (page) => void (loaded = page),
      () => undefined, // the page loads it again
    );
  return Object.assign(LazyPage, { preload });

  function LazyPage({ params }: PageProps<P>) {
    return (
      <>
        <Above />
        <LoadedPage params={decoded(params)} />
      </>
    );
  }

  function LoadedPage(props: PageProps<P>) {
    const [Page, setPage] = useState<ComponentType<PageProps<P>> | undefined>(() => loaded);
    const [hasFailed, setHasFailed] = useState(false);
    const tryLoad = (onFailure: () => void): void =>
      void load().then((page) => {
        loaded = page;
        setPage(() => page);
      }, onFailure);
    useEffect(() => {
      if (Page === undefined) tryLoad(() => setHasFailed(true));
    }, []);
    useEffect(() => {
      if (!hasFailed || Page !== undefined) return undefined;
      // Browsers may remember that a script could not be loaded, and after an upgrade it has another name.
      const forget = whenReturned(() => tryLoad(() => location.reload()));
      const onOnline = (): void => tryLoad(() => undefined);
      addEventListener('online', onOnline);
      return () => {
        forget();
        removeEventListener('online', onOnline);
      };
    }, [hasFailed, Page]);
    if (Page !== undefined) return <Page {...props} />;
    if (!hasFailed) return <Loading />;
    return (
      <div class="failed" role="alert">
        <p>This page could not be loaded. Perhaps the server was upgraded, or it is away.</p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    );
  }
}

/** The router takes names from the address as they are there. */
function decoded<P extends Parameters>(params: P): P {
  return { ...params, ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeOrKeep(value)])) };
}
