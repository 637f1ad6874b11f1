// A material of a pipeline: a repository, another pipeline, a package or an SCM of a plugin.
import { computed } from '@preact/signals';
import { useApi } from '../../api/queries.ts';
import { AreaField, CheckField, ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { type Lens, member } from '../../forms/edit/lens.ts';
import { asLines } from '../../forms/edit/texts.ts';
import { type Material, type MaterialAttributes, REPOSITORY_TYPES } from '../../forms/materials/material.ts';
import { RepositoryFields, TypeField } from '../../forms/materials/material-form.tsx';
import type { Pipeline } from '../pipeline.ts';
import { PipelineField, StageField } from './upstream-fields.tsx';

const NONE: readonly string[] = [];

interface Props {
  readonly lens: Lens<Material>;
  readonly pipeline: Lens<Pipeline>;
}

export function MaterialForm({ lens, pipeline }: Props) {
  const type = member(lens, 'type').now.value;
  const attributes = member(lens, 'attributes');
  const { name, group } = pipeline.now.peek();
  return (
    <>
      <TypeField lens={lens} withOthers />
      {REPOSITORY_TYPES[type] !== undefined && (
        <>
          <RepositoryFields lens={lens} owner={{ is: 'pipeline', name, group, parameters: () => pipeline.now.peek().parameters }} />
          <TextField
            isOptional
            label="Name of the material"
            lens={member(attributes, 'name')}
            hint="For labels, and to distinguish it from others."
          />
        </>
      )}
      {type === 'dependency' && <DependencyFields attributes={attributes} />}
      {type === 'package' && <PackageField attributes={attributes} />}
      {type === 'plugin' && <ScmField attributes={attributes} />}
      {type !== 'dependency' && type !== 'package' && <CheckoutFields attributes={attributes} />}
    </>
  );
}

function DependencyFields({ attributes }: { readonly attributes: Lens<MaterialAttributes> }) {
  return (
    <>
      <PipelineField lens={member(attributes, 'pipeline')} label="Pipeline" />
      <StageField lens={member(attributes, 'stage')} pipeline={member(attributes, 'pipeline').now} label="Stage that must have passed" />
      <TextField isOptional label="Name of the material" lens={member(attributes, 'name')} />
      <CheckField
        label="Its runs alone do not start this pipeline"
        lens={member(attributes, 'ignore_for_scheduling')}
        hint="They are used when something else starts it."
      />
    </>
  );
}

interface PackagesAnswer {
  readonly _embedded: { readonly packages: readonly { readonly id: string; readonly name: string }[] };
}

function PackageField({ attributes }: { readonly attributes: Lens<MaterialAttributes> }) {
  const { data } = useApi<PackagesAnswer>('/api/admin/packages', 2);
  const choices = (data?._embedded.packages ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <ChoiceField label="Package" lens={member(attributes, 'ref')} choices={[{ value: '', label: 'choose one' }, ...choices]} />;
}

interface ScmsAnswer {
  readonly _embedded: { readonly scms: readonly { readonly id: string; readonly name: string }[] };
}

function ScmField({ attributes }: { readonly attributes: Lens<MaterialAttributes> }) {
  const { data } = useApi<ScmsAnswer>('/api/admin/scms', 4);
  const choices = (data?._embedded.scms ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return <ChoiceField label="SCM" lens={member(attributes, 'ref')} choices={[{ value: '', label: 'choose one' }, ...choices]} />;
}

function CheckoutFields({ attributes }: { readonly attributes: Lens<MaterialAttributes> }) {
  const filter = member(attributes, 'filter');
  const patterns = asLines({
    path: [...filter.path, 'ignore'],
    now: computed(() => filter.now.value?.ignore ?? NONE),
    set: (ignore) => filter.set(ignore.length === 0 ? null : { ignore }),
  });
  return (
    <>
      <TextField
        isOptional
        label="Folder for the checkout"
        lens={member(attributes, 'destination')}
        hint="Needed where there are several repositories."
      />
      <AreaField isOptional label="Files, one pattern on each line" lens={patterns} rows={3} hint="Such as docs/**/*" />
      <CheckField
        label="Only changes of these files start it"
        lens={member(attributes, 'invert_filter')}
        hint="Otherwise changes of nothing but these files do not."
      />
    </>
  );
}
