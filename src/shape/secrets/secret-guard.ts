// Decides whether a cipher text is taken where it was sent: only where it belongs, and only for the address it was entered for.
import { ANY_VALUE, bindingHash, type Cipher, type OpenedText } from '../../kit/bytes/cipher.ts';
import { writeFields } from '../field.ts';
import type { Entity, Resource } from '../resource.ts';
import type { SecretLocation, SecretWriter } from './secret.ts';
import type { SecretRefusal } from './secret-refusal.ts';
import { configRepoScope, entityIdentity, fieldScope, pipelineGroupOf, pipelineGroupScope } from './secret-scope.ts';

/** The config repo and the pipeline group of a file. */
export interface FileScopes {
  readonly configRepo: string;
  /** Absent: the entity is in no group, or names its group itself. */
  readonly pipelineGroup?: string;
}

interface SecretContext {
  readonly current?: Entity | undefined;
  readonly file?: FileScopes;
  readonly former?: readonly Entity[];
  readonly mayMoveSecrets?: boolean;
}

export class SecretGuard {
  readonly #resource: Resource;
  /** As far as it has been read. */
  readonly #entity: Entity;
  readonly #against: SecretContext;
  readonly #cipher: Cipher;
  #destinations: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(resource: Resource, entity: Entity, against: SecretContext, cipher: Cipher) {
    this.#resource = resource;
    this.#entity = entity;
    this.#against = against;
    this.#cipher = cipher;
  }

  /** Undefined: it is taken. */
  refusalOf({ binding }: OpenedText, digest: string, at: SecretLocation): SecretRefusal | undefined {
    if (binding && binding.scope !== ANY_VALUE && !this.#scopesAt(at).some((scope) => bindingHash(scope) === binding.scope)) {
      return 'elsewhere';
    }
    // One that names its destination was entered for it; stored destinations do not matter.
    const isForOther =
      binding && binding.destination !== ANY_VALUE ? binding.destination !== bindingHash(at.destination) : this.isMoved(digest, at);
    return isForOther ? 'moved' : undefined;
  }

  /** Whether the same secret is stored in this field, and only for other destinations. */
  isMoved(digest: string, { field, destination }: SecretLocation): boolean {
    if (destination === '' || this.#against.mayMoveSecrets) return false;
    this.#destinations ??= this.#storedDestinations();
    const known = this.#destinations.get(keyOf(field, digest));
    return known !== undefined && !known.has(destination);
  }

  /** All scopes whose texts open here. The cipher texts shown in answers belong to the API: files do not take them. */
  #scopesAt({ field }: SecretLocation): string[] {
    const { current, file } = this.#against;
    const group = file?.pipelineGroup ?? pipelineGroupOf(this.#resource, this.#entity);
    const ofGroup = group ? [pipelineGroupScope(group)] : [];
    if (file) return [configRepoScope(file.configRepo), ...ofGroup];
    // A shown cipher text may be sent back while the entity is moved to another group.
    const states = current ? [this.#entity, current] : [this.#entity];
    return [...states.map((state) => fieldScope(entityIdentity(this.#resource, state), field)), ...ofGroup];
  }

  #storedDestinations(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    const { current, former = [] } = this.#against;
    const collecting: SecretWriter = {
      show: ({ digest }, location) => {
        const { field, destination } = location();
        found.getOrInsertComputed(keyOf(field, digest), () => new Set()).add(destination);
        return '';
      },
      open: ({ cipherText }) => this.#cipher.decrypt(cipherText) ?? '',
    };
    // In the sealed form addresses with passwords are written, too.
    for (const state of current ? [current, ...former] : former)
      writeFields(this.#resource.fields, state, { base: undefined, isSealed: true, secrets: collecting });
    return found;
  }
}

function keyOf(field: string, digest: string): string {
  return `${digest} ${field}`;
}
