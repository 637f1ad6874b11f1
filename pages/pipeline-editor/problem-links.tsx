// All that the server found wrong; each leads to the part that it belongs to.

import type { Path } from '../forms/edit/part.ts';
import { placeText } from '../forms/edit/problems.ts';
import type { EditorState } from './editor-state.ts';
import { GENERAL, valueAt } from './place.ts';

export function ProblemLinks<T>({ editor }: { readonly editor: EditorState<T> }) {
  const problems = editor.problems.value;
  if (problems.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      <ul class="problem-list">
        {problems.map(({ path, messages }) => (
          <li key={path.join('.')}>
            <button type="button" class="link-button" onClick={() => editor.choose(partWith(editor.body.peek(), path))}>
              {placeText(path) || 'The whole'}
            </button>
            : {messages.join(' ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

const LISTS: ReadonlySet<string | number> = new Set(['materials', 'stages', 'jobs', 'tasks']);
const SECTIONS: ReadonlySet<string | number | undefined> = new Set(['parameters', 'environment_variables']);

/** The innermost part of the tree that holds the field. */
function partWith(body: unknown, path: Path): Path | typeof GENERAL {
  const [first] = path;
  if (SECTIONS.has(first)) return path.slice(0, 1);
  let part: Path | typeof GENERAL = GENERAL;
  for (let length = 2; length <= path.length; length += 2) {
    const list = path[length - 2];
    const here = path.slice(0, length);
    if (list === undefined || !LISTS.has(list) || typeof path[length - 1] !== 'number' || valueAt(body, here) === undefined) break;
    part = here;
  }
  return part;
}
