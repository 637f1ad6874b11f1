// The target of the path of an operation: a resource, or one of its entities.
import { Refusal } from '../../../kit/refusal.ts';
import type { Kind } from '../../../shape/resource.ts';

export interface OperationTarget {
  readonly kind: Kind;
  /** The part of the path that names the entity; empty for a whole collection, and for a singleton. */
  readonly address: string;
  /** The path of the routes that serve it. */
  readonly routePath: string;
}

/** Takes paths with the context path of the server and without it. */
export function targetAt(given: string, kinds: Iterable<Kind>, contextPath: string): OperationTarget {
  if (/[?#]/.test(given)) throw wrongPath('The path of an operation must have no query and no fragment', given);
  const own = contextPath !== '' && given.startsWith(`${contextPath}/`) ? given.slice(contextPath.length) : given;
  const path = own.length > 1 && own.endsWith('/') ? own.slice(0, -1) : own;
  const end = path.lastIndexOf('/');
  for (const kind of kinds) {
    if (kind.isInternal) continue;
    if (kind.path === path) return { kind, address: '', routePath: path };
    if (kind.shape === 'collection' && end > 0 && kind.path === path.slice(0, end)) {
      return { kind, address: decoded(path.slice(end + 1), given), routePath: `${kind.path}/:id` };
    }
  }
  throw wrongPath('There is no configuration at the path', given);
}

function decoded(step: string, given: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    throw wrongPath('The path of an operation is not percent-encoded correctly', given);
  }
}

function wrongPath(problem: string, given: string): Refusal {
  return new Refusal('invalid', `${problem}: '${given.slice(0, 200)}'.`);
}
