// The title of the window: the subject of the page comes first, so that tabs can be distinguished.
import { useEffect } from 'preact/hooks';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Slipway`;
  }, [title]);
}
