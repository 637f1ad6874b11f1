// Which rows of a log are in sight at a position of its scroll bar, and where they stand.

export const ROW = 18;
/** Browsers draw no taller boxes reliably: in longer logs one pixel of the scroll bar stands for more than one of text. */
const MAX_HEIGHT = 8_000_000;

export interface RowWindow {
  readonly first: number;
  /** How many have room in the box. */
  readonly visible: number;
  /** How many pixels of text one pixel of the scroll bar stands for. */
  readonly scale: number;
}

/** The part of an element that says what of it is in sight. */
interface ScrollBox {
  readonly scrollTop: number;
  readonly clientHeight: number;
}

/** The height that scrolls. */
export function heightOfRows(count: number): number {
  return Math.min(count * ROW, MAX_HEIGHT);
}

export function rowWindow(count: number, { scrollTop, clientHeight }: ScrollBox): RowWindow {
  const visible = Math.ceil(clientHeight / ROW);
  const scale = scaleOf(count, clientHeight);
  const first = Math.max(0, Math.min(count - visible, Math.floor((scrollTop * scale) / ROW)));
  return { first, visible, scale };
}

/** The end of the bar is the end of the text: the part that is in sight without scrolling is not scaled. */
function scaleOf(count: number, clientHeight: number): number {
  const height = heightOfRows(count);
  return height < MAX_HEIGHT ? 1 : (count * ROW - clientHeight) / (height - clientHeight);
}

/** Where a row begins that is the first one in sight. */
export function topOfFirst(row: number, scale: number): number {
  return (row * ROW) / scale;
}
