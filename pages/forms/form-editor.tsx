// A form for one thing of the configuration: filled in, looked at, saved.

import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api/failure.ts';
import type { JsonObject } from '../api/json.ts';
import { DraftOffer } from './drafts/draft-offer.tsx';
import { useDraft } from './drafts/use-draft.ts';
import { Members } from './fields/node-view.tsx';
import { formBody } from './model/body.ts';
import { type ObjectNode, objectOf } from './model/node.ts';
import { assignProblems, wrongFields } from './model/problems.ts';
import type { Entity } from './save/entity.ts';
import type { SaveResult, SaveTarget } from './save/requests.ts';
import { SavePanel } from './save/save-panel.tsx';
import type { ObjectField } from './schema/fields.ts';

export interface FormEditorProps {
  /** Which form this is, among all that one user fills in. */
  readonly name: string;
  readonly field: ObjectField;
  /** The entity that is changed; undefined: a new entity. */
  readonly entity: Entity | undefined;
  readonly target: Omit<SaveTarget, 'etag'>;
  readonly onSaved: (saved: SaveResult) => void;
  /** Reads the current state from the server. */
  readonly onReload: () => void;
  /** Why it cannot be changed here; absent: it can. */
  readonly readOnly?: ComponentChildren;
  /** More actions on the typed values, such as a connection check. */
  readonly actions?: (root: ObjectNode) => ComponentChildren;
}

/** Give it another `key` for another version: the typed values belong to the version that was opened. */
export function FormEditor({ name, field, entity, target, onSaved, onReload, readOnly, actions }: FormEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const [start, setStart] = useState<{ readonly value: JsonObject | undefined; readonly etag: string | undefined }>({
    value: entity?.value,
    etag: entity?.etag,
  });
  const root = useMemo(() => objectOf(field, start.value), [start]);
  const wrong = useMemo(() => computed(() => wrongFields(root)), [root]);
  const original = useMemo(() => formBody(objectOf(field, entity?.value), { isForDraft: true }), []);
  const draft = useDraft({ form: name, etag: start.etag, body: () => formBody(root, { isForDraft: true }), original });
  const showProblems = (failure: ApiFailure): readonly string[] => {
    const left = assignProblems(root, failure.answer);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    return left;
  };
  // Any event in the form may have changed a value.
  const touches = { onInput: draft.touch, onChange: draft.touch, onClick: draft.touch, onKeyUp: draft.touch };
  return (
    <form ref={form} class="form" noValidate onSubmit={(event) => event.preventDefault()}>
      {readOnly !== undefined && <p class="stale">{readOnly}</p>}
      {draft.offered !== undefined && readOnly === undefined && (
        <DraftOffer
          draft={draft.offered}
          onContinue={() => {
            const { body, etag } = draft.offered!;
            setStart({ value: body, etag: etag ?? entity?.etag });
            draft.answer();
          }}
          onDiscard={draft.discard}
        />
      )}
      <fieldset class="plain" {...touches} disabled={readOnly !== undefined || draft.offered !== undefined}>
        <Members key={start.value === entity?.value ? 'given' : 'draft'} node={root} />
      </fieldset>
      {readOnly === undefined && draft.offered === undefined && (
        <SavePanel
          target={{ ...target, etag: start.etag }}
          body={() => formBody(root)}
          onRefused={showProblems}
          wrong={wrong}
          onSaved={(saved) => {
            draft.discard();
            onSaved(saved);
          }}
          onShowTheirs={() => {
            draft.keepForNewest();
            onReload();
          }}
        />
      )}
      {actions !== undefined && <div class="form-actions">{actions(root)}</div>}
    </form>
  );
}
