// Where the nodes of a value stream map stand, and where arrow keys lead.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type LayoutNode, layoutOf, NODE_WIDTH } from '../../../pages/map/layout.ts';
import { MAX_LINES, type MapNode, moreThanShown, titleOf } from '../../../pages/map/map.ts';

const node = (id: string, parents: readonly string[] = [], height = 40): LayoutNode => ({ id, parents, height });

describe('a layout', () => {
  it('a layout of a chain is a straight line', () => {
    const { positions, edges, width } = layoutOf([[node('a')], [node('b', ['a'])], [node('c', ['b'])]]);
    assert.deepEqual(new Set([...positions.values()].map(({ y }) => y)).size, 1);
    assert.deepEqual(
      edges.map(({ from, to }) => `${from}-${to}`),
      ['a-b', 'b-c'],
    );
    assert.ok(width > 3 * NODE_WIDTH);
  });

  it('orders a column so that edges need not cross', () => {
    const { positions } = layoutOf([
      [node('a'), node('b')],
      [node('y', ['b']), node('x', ['a'])],
    ]);
    assert.ok(positions.get('x')!.y < positions.get('y')!.y);
  });

  it('leads an edge over a column past its nodes', () => {
    const { positions, edges } = layoutOf([[node('a')], [node('b', ['a'])], [node('c', ['a', 'b'])]]);
    const long = edges.find(({ from, to }) => from === 'a' && to === 'c')!;
    const { y: top } = positions.get('b')!;
    const [, passing] = long.points;
    assert.equal(long.points.length, 4);
    assert.ok(passing!.y <= top || passing!.y >= top + 40, `${passing!.y} beside ${top}`);
  });

  it('never puts a node over another, or outside of the map', () => {
    const columns = fc.array(
      fc.array(fc.tuple(fc.integer({ min: 20, max: 120 }), fc.array(fc.nat(30), { maxLength: 4 })), { maxLength: 9 }),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(columns, (shapes) => {
        const known: string[][] = [];
        const nodes = shapes.map((shape, column) => {
          const before = known.flat();
          known.push(shape.map((_, row) => `${column}/${row}`));
          return shape.map(([height, picks], row) => {
            const parents = before.length === 0 ? [] : [...new Set(picks.map((pick) => before[pick % before.length]!))];
            return node(`${column}/${row}`, parents, height);
          });
        });
        const { positions, height: whole } = layoutOf(nodes);
        for (const column of nodes) {
          const spans = column
            .map(({ id, height }) => ({ top: positions.get(id)!.y, bottom: positions.get(id)!.y + height }))
            .toSorted((one, other) => one.top - other.top);
          for (const [index, { top, bottom }] of spans.entries()) {
            assert.ok(top >= -0.001 && bottom <= whole + 0.001);
            if (index > 0) assert.ok(top >= spans[index - 1]!.bottom - 0.001);
          }
        }
      }),
    );
  });
});

describe('a node', () => {
  const shown: MapNode = {
    id: 'a',
    name: 'https://git.example.org/team/web.git',
    node_type: 'GIT',
    parents: [],
    dependents: [],
    can_view: true,
    view_type: null,
    locator: '',
    instances: [],
  };

  it('has a short title', () => {
    assert.equal(titleOf(shown), 'team/web.git');
    assert.equal(titleOf({ ...shown, material_names: ['web'] }), 'web');
    assert.equal(titleOf({ ...shown, node_type: 'PIPELINE', name: 'a/b/c' }), 'a/b/c');
    assert.match(titleOf({ ...shown, can_view: false }), /may not view/);
  });

  it('says how many runs it does not show', () => {
    const instances = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ counter: index + 1, label: '', locator: '', stages: [] }));
    assert.equal(moreThanShown({ ...shown, instances: instances(MAX_LINES) }), undefined);
    assert.equal(moreThanShown({ ...shown, instances: instances(MAX_LINES + 2) }), '2 older');
    assert.equal(moreThanShown({ ...shown, instances: instances(MAX_LINES + 2), has_more_instances: true }), 'more than 2 older');
  });
});
