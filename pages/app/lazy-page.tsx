// A page whose code is loaded when it is first opened.
import { type ComponentType, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
    useEffect(() => {
      if (Page !== undefined) return;
      load().then(
        (page) => {
          loaded = page;
          setPage(() => page);
        },
        () => setHasFailed(true),
      );
    }, []);
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
