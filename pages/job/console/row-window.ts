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
  const height = heightOfRows(count);
  const isScaled = height === MAX_HEIGHT;
  // The end of the bar is the end of the text. Of a scaled one, the last rows are in sight as a whole: parts of rows are scaled, too.
  const last = Math.max(0, count - (isScaled ? Math.floor(clientHeight / ROW) : visible));
  const scale = isScaled ? (last * ROW) / (height - clientHeight) : 1;
  const first = Math.min(last, Math.floor((scrollTop * scale) / ROW));
  return { first, visible, scale };
}

/** Where a row begins that is the first one in sight. */
export function topOfFirst(row: number, scale: number): number {
  return (row * ROW) / scale;
}
