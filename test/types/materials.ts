// Wrong types and attributes of materials do not compile. The compiler checks it: an expected error that does not come is an error.
import { isRepository, type WrittenMaterial } from '../../src/materials/catalogue/configured-types.ts';
import { fingerprintOf } from '../../src/materials/catalogue/fingerprint.ts';
import type { ClearAttributes } from '../../src/materials/clients/client.ts';
import { git } from '../../src/materials/types/git/definition.ts';
import { tfs } from '../../src/materials/types/tfs/definition.ts';

/** In code that reads the attributes of a material. */
export function wrongAttributes(written: WrittenMaterial): unknown[] {
  // @ts-expect-error There is no such type of material.
  const isOfNoType = written.type === 'cvs';
  // @ts-expect-error Only repositories have a URL.
  const url = written.attributes.url;
  // @ts-expect-error Some repositories have no branch.
  const branch = isRepository(written) && written.attributes.branch;
  // @ts-expect-error A dependency has no branch.
  const branchOfDependency = written.type === 'dependency' && written.attributes.branch;
  // @ts-expect-error An SCM of a plugin is named by its id.
  const scm: WrittenMaterial = { type: 'plugin', attributes: { name: 'x', filter: [], destination: null, invertFilter: false } };
  return [isOfNoType, url, branch, branchOfDependency, scm];
}

/** In code that asks a repository. */
export function wrongAccess({ settings, url }: ClearAttributes): unknown[] {
  // @ts-expect-error Settings are values by their keys.
  const setting = settings?.url;
  // @ts-expect-error An address in clear is a text.
  return [setting, url?.masked];
}

/** In the identity of a type. */
export function wrongIdentity(): unknown[] {
  // @ts-expect-error The branch of a git repository identifies it, not its project.
  const noBranch = git.identity({ url: 'x', projectPath: '$/app' });
  // @ts-expect-error A collection of Team Foundation Server has a project.
  const noProject = tfs.identity({ url: 'x', username: 'ann', domain: null });
  // @ts-expect-error A material of git has no such attribute.
  const misspelt = fingerprintOf({ type: 'git', url: 'x', brunch: 'main' });
  return [noBranch, noProject, misspelt];
}
