// A repository: its address, how to log in there, and whether it answers.
import { computed } from '@preact/signals';
import { AreaField, CheckField, ChoiceField, TextField } from '../edit/fields.tsx';
import { type Lens, member } from '../edit/lens.ts';
import { SecretField, type SecretValue } from '../edit/secret-field.tsx';
import { STORED } from '../edit/unsent.ts';
import { CheckConnection, type CheckedFor } from './check-connection.tsx';
import { type Material, type MaterialAttributes, type MaterialField, OTHER_TYPES, REPOSITORY_TYPES, withType } from './material.ts';

interface RepositoryFieldsProps {
  readonly lens: Lens<Material>;
  /** The pipeline or config repo whose stored secrets the connection check may use. */
  readonly owner: CheckedFor;
}

/** The fields that pipelines and config repos have in common. */
export function RepositoryFields({ lens, owner }: RepositoryFieldsProps) {
  const type = member(lens, 'type').now.value;
  const definition = REPOSITORY_TYPES[type];
  if (definition === undefined) return null;
  const attributes = member(lens, 'attributes');
  const fields = owner.is === 'pipeline' ? [...definition.fields, ...(definition.inPipelines ?? [])] : definition.fields;
  return (
    <>
      {fields.map((field) => (
        <OneField key={field.is === 'password' ? 'password' : field.name} field={field} attributes={attributes} />
      ))}
      <CheckField
        label="Poll for changes"
        lens={member(attributes, 'auto_update')}
        hint="Otherwise the server polls only when a user or a webhook asks."
      />
      <CheckConnection lens={lens} owner={owner} />
    </>
  );
}

export function TypeField({ lens, withOthers = false }: { readonly lens: Lens<Material>; readonly withOthers?: boolean }) {
  const types = Object.entries(withOthers ? { ...REPOSITORY_TYPES, ...OTHER_TYPES } : REPOSITORY_TYPES);
  const type = {
    path: [...lens.path, 'type'],
    now: computed(() => lens.now.value.type),
    set: (next: string) => lens.set(withType(lens.now.peek(), next)),
  };
  return <ChoiceField label="Type" lens={type} choices={types.map(([value, { title }]) => ({ value, label: title }))} />;
}

function OneField({ field, attributes }: { readonly field: MaterialField; readonly attributes: Lens<MaterialAttributes> }) {
  if (field.is === 'password') return <Password attributes={attributes} />;
  if (field.is === 'flag') return <CheckField label={field.label} lens={member(attributes, field.name)} />;
  const lens = member(attributes, field.name);
  if (field.isLong) return <AreaField label={field.label} lens={lens} hint={field.hint} isOptional={field.isOptional} />;
  return <TextField label={field.label} lens={lens} hint={field.hint} isOptional={field.isOptional} />;
}

function Password({ attributes }: { readonly attributes: Lens<MaterialAttributes> }) {
  const { password, encrypted_password: encrypted, [STORED]: stored } = attributes.now.value;
  const change = ({ plain, encrypted: kept, stored: replaced }: SecretValue): void => {
    const { password: _, encrypted_password: __, ...others } = attributes.now.peek();
    attributes.set({
      ...others,
      ...(plain !== undefined && { password: plain }),
      ...(kept !== undefined && { encrypted_password: kept }),
      [STORED]: replaced,
    });
  };
  return (
    <SecretField
      isOptional
      label="Password"
      path={[...attributes.path, 'password']}
      value={{ plain: password, encrypted, stored }}
      onChange={change}
    />
  );
}
