// The view of a draft for rules: a lookup under the name of each kind, the references between entities, and the problems that plugins find in settings.
import type { KindName } from '../shape/configuration.ts';
import type { Entity, Kind, Lookup, MemoryView, ReferrersView, RuleView, TagsView } from '../shape/resource.ts';
import type { Config } from './current.ts';

/** The part of the draft that the view uses. */
interface ViewedDraft extends Pick<MemoryView, 'remembered'> {
  readonly referrers: ReferrersView['referrers'];
  readonly tagged: TagsView['tagged'];
  lookup(kind: Kind): Lookup<Entity>;
}

const prototypes = new WeakMap<Config, object>();

export function ruleViewOf(draft: ViewedDraft, config: Config): RuleView {
  return Object.assign(Object.create(prototypeFor(config)), { draft }) as RuleView;
}

/** Made once for each configuration: a draft is made for every write. */
function prototypeFor(config: Config): object {
  return prototypes.getOrInsertComputed(config, () => {
    const prototype = {
      get referrers() {
        const { draft } = this as unknown as { draft: ViewedDraft };
        return (kind: KindName, id: string) => draft.referrers(kind, id);
      },
      get tagged() {
        const { draft } = this as unknown as { draft: ViewedDraft };
        return (tag: string) => draft.tagged(tag);
      },
      get remembered() {
        return (this as unknown as { draft: ViewedDraft }).draft.remembered;
      },
      get askPlugin() {
        return config.askPlugin;
      },
      get isPartOfIdentity() {
        return config.isPartOfIdentity;
      },
    };
    for (const kind of config.kinds.values()) {
      const get = function (this: { draft: ViewedDraft }) {
        return this.draft.lookup(kind);
      };
      Object.defineProperty(prototype, kind.name, { get });
    }
    return prototype;
  });
}
