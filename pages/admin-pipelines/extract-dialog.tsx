// Turns the stages of a pipeline into a template, which it uses from then on.
import { useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { ChangeDialog } from '../forms/save/change-dialog.tsx';
import { PIPELINES_VERSION } from './requests.ts';

export function ExtractDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: (isDone?: boolean) => void }) {
  const [name, setName] = useState(`${pipeline}-stages`);
  return (
    <ChangeDialog
      title={`Extract a template from ${pipeline}`}
      action="Extract"
      done={`The template ${name} is made, and ${pipeline} uses it.`}
      onClose={onClose}
      change={() => ({
        method: 'PUT',
        address: path`/api/admin/pipelines/${pipeline}/extract_to_template`,
        version: PIPELINES_VERSION,
        body: { template_name: name },
      })}
    >
      <label>
        Name of the template
        <input value={name} required spellcheck={false} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <p class="quiet">The stages move into the template. Other pipelines can use it, too.</p>
    </ChangeDialog>
  );
}
