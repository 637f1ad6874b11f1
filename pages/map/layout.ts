// Where the nodes of a map stand. Their columns are known; rows are found by sweeps: each node moves to the middle of its neighbours.

export interface LayoutNode {
  readonly id: string;
  readonly parents: readonly string[];
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** From the right side of a node to the left side of another. */
  readonly points: readonly Point[];
}

export interface Layout {
  /** The upper left corners. */
  readonly positions: ReadonlyMap<string, Point>;
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 220;
const COLUMN_GAP = 70;
const ROW_GAP = 14;
const ORDER_SWEEPS = 8;
const POSITION_SWEEPS = 6;

/** A node, or the place where an edge passes a column. */
interface Slot {
  readonly id: string;
  readonly column: number;
  readonly height: number;
  readonly left: Slot[];
  readonly right: Slot[];
  order: number;
  /** Of its middle. */
  y: number;
  /** Where it would like to be: a place in the order, or a height. */
  target: number;
}

export function layoutOf(columns: readonly (readonly LayoutNode[])[]): Layout {
  const slots = new Map<string, Slot>();
  const byColumn = columns.map((nodes, column) =>
    nodes.map(({ id, height }) => {
      const slot = newSlot(id, column, height);
      slots.set(id, slot);
      return slot;
    }),
  );
  const paths = columns.flat().flatMap(({ id, parents }) => parents.map((parent) => connect(slots.get(parent), slots.get(id)!, byColumn)));
  assignOrder(byColumn);
  assignRows(byColumn);
  const top = Math.min(0, ...byColumn.flat().map(({ y, height }) => y - height / 2));
  for (const slot of byColumn.flat()) slot.y -= top;
  return {
    positions: new Map([...slots.values()].map((slot) => [slot.id, { x: xOf(slot), y: slot.y - slot.height / 2 }])),
    edges: paths.filter((path) => path.length > 1).map(edgeOf),
    width: Math.max(0, columns.length * (NODE_WIDTH + COLUMN_GAP) - COLUMN_GAP),
    height: Math.max(0, ...byColumn.flat().map(({ y, height }) => y + height / 2)),
  };
}

function newSlot(id: string, column: number, height: number): Slot {
  return { id, column, height, left: [], right: [], order: 0, y: 0, target: 0 };
}

/** Edges that reach over several columns get a slot in each, so that they do not run through nodes. */
function connect(from: Slot | undefined, to: Slot, byColumn: Slot[][]): Slot[] {
  if (from === undefined || from.column >= to.column) return [];
  const path = [from];
  for (let column = from.column + 1; column < to.column; column++) {
    const passing = newSlot('', column, 0);
    byColumn[column]!.push(passing);
    path.push(passing);
  }
  path.push(to);
  for (const [index, slot] of path.entries()) {
    if (index === 0) continue;
    path[index - 1]!.right.push(slot);
    slot.left.push(path[index - 1]!);
  }
  return path;
}

/** Which stands above which: fewer edges cross when each is near the middle of its neighbours. */
function assignOrder(byColumn: readonly Slot[][]): void {
  const renumber = (column: readonly Slot[]): void => {
    for (const [index, slot] of column.entries()) slot.order = index;
  };
  byColumn.forEach(renumber);
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? byColumn : byColumn.toReversed()) {
      for (const slot of column) slot.target = mean(isForward ? slot.left : slot.right, orderOf) ?? slot.order;
      column.sort((one, other) => one.target - other.target || one.order - other.order);
      renumber(column);
    }
  }
}

function assignRows(byColumn: readonly Slot[][]): void {
  for (const column of byColumn) pack(column);
  for (let sweep = 0; sweep < POSITION_SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? byColumn : byColumn.toReversed()) {
      for (const slot of column) slot.target = mean(isForward ? slot.left : slot.right, heightOf) ?? slot.y;
      pack(column);
    }
  }
}

/** Slots that push each other form a block, which stands where they want to be on average. */
interface Block {
  /** The first of its slots, and the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly height: number;
  /** Of the tops that they want the block to have. */
  readonly sum: number;
}

/** Puts the slots of a column as near to where they want to be as their order and heights allow. */
function pack(column: readonly Slot[]): void {
  const blocks: Block[] = [];
  for (const [index, { height, target }] of column.entries()) {
    const size = height + ROW_GAP;
    let block: Block = { from: index, to: index + 1, height: size, sum: target - size / 2 };
    for (let before = blocks.at(-1); before !== undefined && topOf(before) + before.height > topOf(block); before = blocks.at(-1)) {
      blocks.pop();
      block = joinBlocks(before, block);
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    let y = topOf(block);
    for (let index = block.from; index < block.to; index++) {
      const slot = column[index]!;
      slot.y = y + (slot.height + ROW_GAP) / 2;
      y += slot.height + ROW_GAP;
    }
  }
}

function topOf({ from, to, sum }: Block): number {
  return sum / (to - from);
}

function joinBlocks(before: Block, { from, to, height, sum }: Block): Block {
  return { from: before.from, to, height: before.height + height, sum: before.sum + sum - (to - from) * before.height };
}

function mean(slots: readonly Slot[], of: (slot: Slot) => number): number | undefined {
  if (slots.length === 0) return undefined;
  let sum = 0;
  for (const slot of slots) sum += of(slot);
  return sum / slots.length;
}

const orderOf = ({ order }: Slot): number => order;
const heightOf = ({ y }: Slot): number => y;

function xOf({ column }: Slot): number {
  return column * (NODE_WIDTH + COLUMN_GAP);
}

function edgeOf(path: readonly Slot[]): Edge {
  const [from, to] = [path[0]!, path.at(-1)!];
  const between = path.slice(1, -1).flatMap((slot) => [
    { x: xOf(slot), y: slot.y },
    { x: xOf(slot) + NODE_WIDTH, y: slot.y },
  ]);
  return { from: from.id, to: to.id, points: [{ x: xOf(from) + NODE_WIDTH, y: from.y }, ...between, { x: xOf(to), y: to.y }] };
}
