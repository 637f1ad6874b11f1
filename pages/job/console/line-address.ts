// The line that an address names: `#L120`. Lines are counted from 1 there, as people do.
import { useEffect, useState } from 'preact/hooks';

export function useLineInAddress(): [number | undefined, (line: number) => void] {
  const [line, setLine] = useState(lineOf(location.hash));
  useEffect(() => {
    const look = (): void => setLine(lineOf(location.hash));
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  const select = (next: number): void => {
    history.replaceState(history.state, '', `${location.pathname}${location.search}#L${next + 1}`);
    setLine(next);
  };
  return [line, select];
}

function lineOf(hash: string): number | undefined {
  const number = /^#L(\d{1,9})$/.exec(hash)?.[1];
  return number === undefined || number === '0' ? undefined : Number(number) - 1;
}
