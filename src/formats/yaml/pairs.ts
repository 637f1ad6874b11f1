// Maps of names to values in YAML, which are lists of objects in the model.
import { type Dict, list, type Tree, text } from '../../kit/tree/tree.ts';
import { wrongKind } from '../model/scalars.ts';
import { Builder, type Diagnostics, dictUnder, FormProblem, warnOfUnknownKeys } from './forms.ts';

export function pairs(holder: Dict, key: string, nameKey: string, valueKey: string): Tree | undefined {
  const map = dictUnder(holder, key);
  return map && list(map.at, pairsIn(map, nameKey, valueKey));
}

function pairsIn(map: Dict, nameKey: string, valueKey: string): Dict[] {
  return Array.from(map.members, ([name, { at, value }]) => {
    if (value && value.kind !== 'text') throw new FormProblem(value.at, wrongKind(name, 'a text', value));
    return new Builder(at)
      .put(nameKey, text(at, name))
      .put(valueKey, value ?? undefined)
      .built();
  });
}

/** Plain and secret ones, which files keep apart. */
export function variables(holder: Dict): Tree | undefined {
  return together(holder, ['environment_variables', 'value'], ['secure_variables', 'encrypted_value'], 'name');
}

const SETTINGS = new Set(['options', 'secure_options']);

/** The settings of a plugin in a map of their own, in which nothing else stands. */
export function settings(holder: Dict, diagnostics: Diagnostics): Tree | undefined {
  warnOfUnknownKeys(holder, SETTINGS, diagnostics, 'Write settings under options or secure_options.');
  return properties(holder);
}

export function properties(holder: Dict): Tree | undefined {
  return together(holder, ['options', 'value'], ['secure_options', 'encrypted_value'], 'key');
}

type Half = readonly [key: string, valueKey: string];

function together(holder: Dict, plain: Half, secret: Half, nameKey: string): Tree | undefined {
  const halves = [plain, secret].flatMap(([key, valueKey]) => {
    const map = dictUnder(holder, key);
    return map ? [{ at: map.at, pairs: pairsIn(map, nameKey, valueKey) }] : [];
  });
  if (halves.length === 0) return undefined;
  return list(
    halves[0]!.at,
    halves.flatMap((half) => half.pairs),
  );
}
