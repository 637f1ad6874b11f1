// The forms that the server describes. They change with its version only, all but whether a single one is set.
import { path } from '../../api/address.ts';
import { getJson } from '../../api/client.ts';
import { fetchKept, type ReadState, reloadAll, useApi } from '../../api/queries.ts';
import type { FormDescription, FormFacts } from './schema.ts';

const ADDRESS = '/api/forms';
const VERSION = 1;

interface FormList {
  readonly forms: readonly FormFacts[];
}

export function useForms(): ReadState<FormList> {
  return useApi<FormList>(ADDRESS, VERSION, { changedBy: ({ kind }) => kind === 'config' });
}

/** A single one was set or deleted. */
export function reloadForms(): void {
  reloadAll(ADDRESS);
}

export function useForm(resource: string): ReadState<FormDescription> {
  return useApi<FormDescription>(path`/api/forms/${resource}`, VERSION);
}

/** Whether the user may add such an entity, under some name at least; undefined until it is known. */
export function useMayCreate(resource: string): boolean | undefined {
  return useForms().data?.forms.find((form) => form.resource === resource)?.can_create;
}

export async function readForms(): Promise<readonly FormFacts[]> {
  const { forms } = await fetchKept([ADDRESS, VERSION], (signal) => getJson<FormList>(ADDRESS, VERSION, signal));
  return forms;
}
