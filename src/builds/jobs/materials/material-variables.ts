// The variables of a job about the materials of its run.
import type { WorkVariable } from '../../../contracts/agent-protocol/work.ts';
import { asVariableName } from '../../../kit/text/variable-name.ts';

/** A setting of a package, its repository or an SCM. */
export interface MaterialSetting {
  readonly key: string;
  readonly value: string;
  readonly isSecret: boolean;
}

interface ChangeFlag {
  /** Whether it changed since the run before. */
  readonly isChanged: boolean;
}

interface NamedMaterial {
  readonly name: string | null;
  readonly destination: string | null;
}

export type MaterialFacts = ChangeFlag &
  (
    | (NamedMaterial & {
        readonly type: 'repository';
        /** The oldest and the newest change in the run. */
        readonly fromRevision: string;
        readonly toRevision: string;
        /** Without credentials; of p4 its port. */
        readonly url: string;
        /** What only its type has, by the names after `GO_MATERIAL_`. */
        readonly typeVariables: Readonly<Record<string, string>>;
      })
    | {
        readonly type: 'dependency';
        /** Null: it is called as the upstream pipeline. */
        readonly name: string | null;
        readonly pipeline: string;
        readonly label: string;
        /** Of the stage, such as `build/3/dist/1`. */
        readonly locator: string;
      }
    | {
        readonly type: 'package';
        /** `repository:package`. */
        readonly name: string;
        readonly label: string;
        readonly repository: readonly MaterialSetting[];
        readonly settings: readonly MaterialSetting[];
      }
    | { readonly type: 'plugin'; readonly name: string; readonly label: string; readonly settings: readonly MaterialSetting[] }
  );

export function materialVariables(material: MaterialFacts): WorkVariable[] {
  const suffix = suffixOf(material);
  const changed = plain(['GO_MATERIAL', ...suffix, 'HAS_CHANGED'].join('_'), String(material.isChanged));
  return [...own(material, suffix), changed];
}

function own(material: MaterialFacts, suffix: readonly string[]): WorkVariable[] {
  const name = (...words: readonly string[]) => words.join('_');
  switch (material.type) {
    case 'dependency':
      return [
        plain(name('GO_DEPENDENCY_LABEL', ...suffix), material.label),
        plain(name('GO_DEPENDENCY_LOCATOR', ...suffix), material.locator),
      ];
    case 'package':
      return [
        plain(name('GO_PACKAGE', ...suffix, 'LABEL'), material.label),
        ...settings(name('GO_REPO', ...suffix), material.repository),
        ...settings(name('GO_PACKAGE', ...suffix), material.settings),
      ];
    case 'plugin':
      return [plain(name('GO_SCM', ...suffix, 'LABEL'), material.label), ...settings(name('GO_SCM', ...suffix), material.settings)];
    case 'repository':
      return [
        plain(name('GO_REVISION', ...suffix), material.toRevision),
        plain(name('GO_TO_REVISION', ...suffix), material.toRevision),
        plain(name('GO_FROM_REVISION', ...suffix), material.fromRevision),
        plain(name('GO_MATERIAL_URL', ...suffix), material.url),
        ...Object.entries(material.typeVariables)
          .filter(([, value]) => value !== '')
          .map(([word, value]) => plain(name('GO_MATERIAL', word, ...suffix), value)),
      ];
  }
}

/** The name, else the directory; a repository that has neither is the only one. */
function suffixOf(material: MaterialFacts): readonly string[] {
  const name =
    material.type === 'dependency'
      ? material.name || material.pipeline
      : material.name || ('destination' in material ? material.destination : null);
  return name ? [asVariableName(name)] : [];
}

function settings(prefix: string, given: readonly MaterialSetting[]): WorkVariable[] {
  return given.map(({ key, value, isSecret }) => ({ name: `${prefix}_${asVariableName(key)}`, value, is_secret: isSecret }));
}

function plain(name: string, value: string): WorkVariable {
  return { name, value, is_secret: false };
}
