// The line that an address names: `#L120`. Lines are counted from 1 there, as people do.
import { useEffect, useState } from 'preact/hooks';

/** `onChange` is called when the user changes the address of the open page: by a link, by going back, by typing. */
export function useLineInAddress(onChange: (line: number | undefined) => void): [number | undefined, (line: number) => void] {
  const [line, setLine] = useState(lineOf(location.hash));
  useEffect(() => {
    const look = (): void => {
      const next = lineOf(location.hash);
      setLine(next);
      onChange(next);
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  });
  const select = (next: number): void => {
    history.replaceState(history.state, '', lineAddress(next));
    setLine(next);
  };
  return [line, select];
}

/** With the page: a mere `#L120` would be relative to where the server is mounted. */
export function lineAddress(line: number): string {
  return new URL(`#L${line + 1}`, location.href).href;
}

function lineOf(hash: string): number | undefined {
  const number = /^#L(\d{1,9})$/.exec(hash)?.[1];
  return number === undefined || number === '0' ? undefined : Number(number) - 1;
}
