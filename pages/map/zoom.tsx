// How large a map is drawn: by buttons, by keys, and by the wheel with Ctrl.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useShortcuts } from '../kit/shortcuts.ts';
import type { Layout } from './layout.ts';

const STEP = 1.25;
const MIN_SCALE = 0.1;
const MAX_SCALE = 2;

interface Zoom {
  readonly scale: number;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
}

export function useZoom(box: RefObject<HTMLElement>, { width, height }: Layout): Zoom {
  const [scale, setScale] = useState(1);
  const zoomBy = (factor: number): void => setScale((before) => Math.min(MAX_SCALE, Math.max(MIN_SCALE, before * factor)));
  const fit = (): void => {
    if (box.current === null || width === 0 || height === 0) return;
    const { clientWidth, clientHeight } = box.current;
    setScale(Math.max(MIN_SCALE, Math.min(1, (clientWidth - 32) / width, (clientHeight - 32) / height)));
  };
  useEffect(() => {
    const element = box.current;
    // Only with Ctrl: without, the wheel scrolls. The browser would zoom the whole page.
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? STEP : 1 / STEP);
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  }, []);
  usePan(box);
  const zoom = { scale, zoomIn: () => zoomBy(STEP), zoomOut: () => zoomBy(1 / STEP), fit };
  useShortcuts([
    { keys: '+', description: 'Larger', run: zoom.zoomIn },
    { keys: '-', description: 'Smaller', run: zoom.zoomOut },
    { keys: '0', description: 'Show all of the map', run: fit },
  ]);
  return zoom;
}

/** Dragging the background moves the map. */
function usePan(box: RefObject<HTMLElement>): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const start = (event: PointerEvent): void => {
      if (event.button !== 0 || event.pointerType === 'touch' || (event.target as Element).closest('article') !== null) return;
      const [left, top] = [element.scrollLeft + event.clientX, element.scrollTop + event.clientY];
      const move = ({ clientX, clientY }: PointerEvent): void => element.scrollTo(left - clientX, top - clientY);
      const stop = (): void => {
        removeEventListener('pointermove', move);
        removeEventListener('pointerup', stop);
      };
      addEventListener('pointermove', move);
      addEventListener('pointerup', stop);
    };
    element.addEventListener('pointerdown', start);
    return () => element.removeEventListener('pointerdown', start);
  }, []);
}

export function ZoomButtons({ scale, zoomIn, zoomOut, fit }: Zoom) {
  return (
    <>
      <button type="button" class="button" aria-label="Smaller" onClick={zoomOut}>
        −
      </button>
      <span class="number" role="status">
        {Math.round(scale * 100)} %
      </span>
      <button type="button" class="button" aria-label="Larger" onClick={zoomIn}>
        +
      </button>
      <button type="button" class="button" onClick={fit}>
        Show all
      </button>
    </>
  );
}
