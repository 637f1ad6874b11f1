// Turns the stages of a pipeline into a template, which it uses from then on.
import { path } from '../api/address.ts';
import { TextField } from '../forms/edit/fields.tsx';
import { lensOf, member } from '../forms/edit/lens.ts';
import { BodyDialog } from '../forms/save/body-dialog.tsx';
import { PIPELINES_VERSION } from './requests.ts';

export function ExtractDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: (isDone?: boolean) => void }) {
  const address = path`/api/admin/pipelines/${pipeline}/extract_to_template`;
  return (
    <BodyDialog
      title={`Extract a template from ${pipeline}`}
      action="Extract"
      form={address}
      original={{ name: `${pipeline}-stages` }}
      etag={undefined}
      change={({ name }) => ({ method: 'PUT', address, version: PIPELINES_VERSION, body: { template_name: name } })}
      done={({ name }) => `The template ${name} is made, and ${pipeline} uses it.`}
      onReload={onClose}
      onClose={onClose}
      fields={(body) => (
        <>
          <TextField isRequired label="Name of the template" lens={member(lensOf(body), 'name')} />
          <p class="quiet">The stages move into the template. Other pipelines can use it, too.</p>
        </>
      )}
    />
  );
}
