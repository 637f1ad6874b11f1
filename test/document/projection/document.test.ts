// The document in chunks is the same, byte for byte, as the one written as a whole, in any order of edits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Document, editOf } from '../../../src/document/projection/document.ts';
import type { EntityJson } from '../../../src/document/xml/write.ts';
import type { KindName } from '../../../src/shape/configuration.ts';
import { jsonOf, keyOfStored, relatedOf, storedOf } from '../xml/entities.ts';
import { everything } from '../xml/everything.ts';
import { writeDocument } from '../xml/whole-document.ts';

interface Piece {
  readonly kind: KindName;
  readonly key: string;
  readonly json: EntityJson;
}

const pieces: readonly Piece[] = storedOf(everything).map((one) => ({ kind: one.kind, key: keyOfStored(one), json: jsonOf(one) }));

/** Names the same thing, with other content. */
function changed({ kind, key, json }: Piece): Piece {
  const text = JSON.stringify(json);
  return { kind, key, json: JSON.parse(text.replaceAll('"true"', '"changed"').replaceAll('"x"', '"y"')) as EntityJson };
}

const textOf = (document: Document) => Buffer.concat(document.chunks()).toString();

test('chunks put together are the document written as a whole', () => {
  const document = new Document();
  for (const [created, { kind, key, json }] of pieces.entries()) document.apply(editOf(kind, key, created, json));
  assert.equal(textOf(document), writeDocument(relatedOf(pieces)));
});

test('any sequence of edits, reads and copies gives the document written as a whole', () => {
  const step = fc.record({ at: fc.nat(pieces.length - 1), action: fc.constantFrom('put', 'change', 'remove', 'look', 'copy') });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      let document = new Document();
      const there = new Map<string, { readonly piece: Piece; readonly created: number }>();
      let count = 0;
      for (const { at, action } of steps) {
        const piece = action === 'change' ? changed(pieces[at]!) : pieces[at]!;
        const name = `${piece.kind} ${piece.key}`;
        if (action === 'look') textOf(document);
        else if (action === 'copy') document = document.copy();
        else if (action === 'remove') {
          document.apply(editOf(piece.kind, piece.key, there.get(name)?.created ?? 0, undefined));
          there.delete(name);
        } else {
          const created = there.get(name)?.created ?? ++count;
          document.apply(editOf(piece.kind, piece.key, created, piece.json));
          there.set(name, { piece, created });
        }
      }
      const left = [...there.values()].sort((one, other) => one.created - other.created).map(({ piece }) => piece);
      assert.equal(textOf(document), writeDocument(relatedOf(left)));
    }),
    { numRuns: 200 },
  );
});

test('chunks that an edit does not touch stay the very same', () => {
  const document = new Document();
  for (const [created, { kind, key, json }] of pieces.entries()) document.apply(editOf(kind, key, created, json));
  const before = document.chunks();
  const pipeline = pieces.find(({ kind }) => kind === 'pipelines')!;
  document.apply(editOf(pipeline.kind, pipeline.key, pieces.indexOf(pipeline), changed(pipeline).json));
  const after = document.chunks();
  assert.equal(after.filter((chunk) => !before.includes(chunk)).length, 1);
});
