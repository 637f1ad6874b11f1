// The view of a draft for rules: a lookup under the name of each kind, the references between entities, and the problems that plugins find in settings.
import type { Entity, Kind, Lookup, MemoryView, PluginsView, ReferrersView, RuleView, TagsView } from '../shape/resource.ts';
import type { Config } from './current.ts';

/** The part of the draft that the view uses. */
interface ViewedDraft extends Pick<MemoryView, 'remembered'> {
  readonly referrers: ReferrersView['referrers'];
  readonly tagged: TagsView['tagged'];
  lookup(kind: Kind): Lookup<Entity>;
}

/** The parts that are the same for every configuration. */
class DraftView implements ReferrersView, TagsView, MemoryView {
  readonly draft: ViewedDraft;

  constructor(draft: ViewedDraft) {
    this.draft = draft;
  }

  get referrers(): ReferrersView['referrers'] {
    const { draft } = this;
    return (kind, id) => draft.referrers(kind, id);
  }

  get tagged(): TagsView['tagged'] {
    const { draft } = this;
    return (tag) => draft.tagged(tag);
  }

  get remembered(): MemoryView['remembered'] {
    return this.draft.remembered;
  }
}

const views = new WeakMap<Config, typeof DraftView>();

export function ruleViewOf(draft: ViewedDraft, config: Config): RuleView {
  const View = viewOf(config);
  // The class has a lookup for each kind of the configuration.
  return new View(draft) as DraftView & RuleView;
}

/** Made once for each configuration: a draft is made for every write. */
function viewOf(config: Config): typeof DraftView {
  return views.getOrInsertComputed(config, () => {
    class View extends DraftView implements PluginsView {
      get askPlugin(): PluginsView['askPlugin'] {
        return config.askPlugin;
      }

      get isPartOfIdentity(): PluginsView['isPartOfIdentity'] {
        return config.isPartOfIdentity;
      }
    }
    for (const kind of config.kinds.values()) {
      const get = function (this: DraftView) {
        return this.draft.lookup(kind);
      };
      Object.defineProperty(View.prototype, kind.name, { get });
    }
    return View;
  });
}
